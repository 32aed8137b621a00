// Copies of the plugin that a test may spoil, or that a client may write into: the files of the package, as the checkout has them.

import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PLUGIN = fileURLToPath(new URL('../../../', import.meta.url));
const { files } = JSON.parse(readFileSync(join(PLUGIN, 'package.json'), 'utf8'));

/**
 * @param {string} folder in which the copy gets a folder of its own
 * @param {(copy: string) => void} [change]
 * @returns {string} the copy's folder
 */
export function copyOfPlugin(folder, change = () => {}) {
  const copy = join(mkdtempSync(join(folder, 'copy-')), 'trimtab');
  const parts = ['package.json', ...files.filter((name) => !name.startsWith('!'))];
  for (const part of parts) cpSync(join(PLUGIN, part), join(copy, part), { recursive: true });
  // What a client wrote into the checkout.
  rmSync(join(copy, '.claude-plugin/types'), { recursive: true, force: true });
  change(copy);
  return copy;
}
