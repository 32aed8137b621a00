// What is measured: where the project lies, and the commands of `tests/bench/commands.jsonl`.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { scriptOf } from '../glue/pack.js';
import { packOf } from '../node/packs.mjs';

const powershell = await packOf('powershell');

export const REPOSITORY = fileURLToPath(new URL('..', import.meta.url));

/**
 * Commands that coding agents issued, each in its shell; tests/bench/README.md tells more. What the pack reads in a text of PowerShell comes
 * along, as a fact.
 * @type {{ command: string, shell: 'bash' | 'powershell', script?: object | null }[]}
 */
export const COMMANDS = readFileSync(new URL('../tests/bench/commands.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line))
  .map(({ command, shell }) => ({ command, shell, ...(shell === 'powershell' && { script: scriptOf(powershell, command) }) }));
