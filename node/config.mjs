// Gathers the layers of the configuration, later wins, and hands them on as they are written.
// Knows no key, no default and no rule of who may set what: the core reads and judges the texts.

import { join } from 'node:path';
import { openFile } from './files.mjs';

const OPTION = 'CLAUDE_PLUGIN_OPTION_';
// Past this a configuration is a mistake, and reading it would hold up every call.
const MAX_BYTES = 256 * 1024;

/**
 * @param {{ home: string | null, root?: string, env: Record<string, string | undefined> }} where
 * @returns {Promise<{ layers: object[] }>}
 */
export async function configLayers({ home, root, env }) {
  const files = [];
  if (home) files.push(['user', join(home, 'config.json')]);
  if (root) files.push(['project', join(root, '.trimtab.json')], ['local', join(root, '.trimtab.local.json')]);
  const layers = await Promise.all(files.map(([from, path]) => layerOf(from, path)));

  // The client sets these only where the person set the option, so an option's default hides no file.
  layers.push(valueLayer('options', env, (name) => (name.startsWith(OPTION) ? name.slice(OPTION.length).toLowerCase() : null)));
  layers.push(valueLayer('env', env, (name) => (name.startsWith('TRIMTAB_') ? name : null)));
  return { layers: layers.filter((layer) => layer !== null) };
}

async function layerOf(from, path) {
  try {
    const file = await openFile(path);
    try {
      if ((await file.stat()).size > MAX_BYTES) return { from, error: 'EFBIG' };
      return { from, text: await file.readFile('utf8') };
    } finally {
      await file.close();
    }
  } catch (error) {
    return error.code === 'ENOENT' || error.code === 'ENOTDIR' ? null : { from, error: error.code ?? 'unknown' };
  }
}

function valueLayer(from, env, keyOf) {
  const value = {};
  for (const [name, text] of Object.entries(env)) {
    const key = keyOf(name);
    if (key && text) value[key] = text;
  }
  return Object.keys(value).length > 0 ? { from, value } : null;
}
