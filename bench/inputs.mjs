// What is measured: where the project lies, and the commands of `tests/bench/commands.jsonl`.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const REPOSITORY = fileURLToPath(new URL('..', import.meta.url));

/** Commands that coding agents issued; tests/bench/README.md tells more. */
export const COMMANDS = readFileSync(new URL('../tests/bench/commands.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line).command);
