// Writes hooks/hooks.json from what the core's rules could concern. `--check` writes nothing and fails when the file is another.
// Run it after every build; nobody edits the file by hand.

import { readFileSync, writeFileSync } from 'node:fs';
import { loadCore } from '../node/core.mjs';
import { hooksOf } from './lib/hooks-of.mjs';

const FILE = new URL('../hooks/hooks.json', import.meta.url);

const { core } = await loadCore();
const text = hooksOf(core.step({ do: 'programs' }));
if (process.argv.includes('--check')) {
  if (text !== readOr(FILE, '')) {
    process.stderr.write('`hooks/hooks.json` is not what the core would have; run `node scripts/generate-hooks.mjs`\n');
    process.exitCode = 1;
  }
} else {
  writeFileSync(FILE, text);
}

function readOr(file, otherwise) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return otherwise;
  }
}
