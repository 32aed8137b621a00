// Copies of the plugin that a test may spoil, or that a client may write into.

import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PLUGIN = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * @param {string} folder in which the copy gets a folder of its own
 * @param {(copy: string) => void} [change]
 * @returns {string} the copy's folder
 */
export function copyOfPlugin(folder, change = () => {}) {
  const copy = join(mkdtempSync(join(folder, 'copy-')), 'trimtab');
  for (const part of ['.claude-plugin', 'glue', 'hooks', 'mod', 'node', 'package.json', 'pkg', 'types'])
    cpSync(join(PLUGIN, part), join(copy, part), { recursive: true });
  rmSync(join(copy, '.claude-plugin/types'), { recursive: true, force: true });
  change(copy);
  return copy;
}
