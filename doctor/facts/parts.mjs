// Which files stand behind each route: from hooks.json on, along the imports. So no list of them has to be kept.

import { readFileSync, statSync } from 'node:fs';
import { dirname, extname, join, relative, resolve, sep } from 'node:path';

/**
 * @param {string} folder of a plugin
 * @returns {{ module: string[], hooks: string[], scripts: string[] }} paths in the folder, of files that may be missing; `scripts`: those
 *   of the shell among `hooks`
 */
export function partsOf(folder) {
  const hooksFile = 'hooks/hooks.json';
  let text = '';
  let modules = [];
  try {
    text = readFileSync(join(folder, hooksFile), 'utf8');
    modules = [JSON.parse(text).modules ?? []].flat();
  } catch {
    return { module: [hooksFile], hooks: [hooksFile], scripts: [] };
  }
  const scripts = [...new Set([...text.matchAll(/\$trimtab_root\/(hooks\/[\w.-]+\.sh)/g)].map(([, path]) => path))];
  return {
    module: modules.flatMap((path) => reached(folder, join('hooks', path))),
    hooks: [...scripts, ...reached(folder, 'hooks/hook.mjs')],
    scripts,
  };
}

function reached(folder, entry, found = new Set(), from = entry) {
  const path = withEnding(folder, entry, extname(from));
  if (found.has(path)) return [];
  found.add(path);
  let source = '';
  try {
    source = readFileSync(join(folder, path), 'utf8');
  } catch {
    return [...found];
  }
  for (const [, name] of source.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.{1,2}\/[^']+)'/g)) {
    // Types only: the client takes them out.
    if (!name.endsWith('.d.ts')) reached(folder, relative(folder, resolve(folder, dirname(path), name)), found, path);
  }
  return [...found];
}

/** The module's imports leave their endings out. */
function withEnding(folder, path, usual) {
  const plain = path.split(sep).join('/');
  const names = ['', '.ts', '.js'].map((ending) => plain + ending);
  return names.find((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.isFile()) ?? (extname(plain) ? plain : plain + usual);
}
