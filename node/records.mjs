// Keeps the records: one JSON row for each thing that went wrong, in `~/.trimtab/errors.jsonl`, so that letting a call pass is never silent.
// Holds codes from closed sets and counts, never command text, paths or file content. Never fails.

import { appendFileSync, mkdirSync, renameSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { ownVersion } from './version.mjs';

const MAX_BYTES = 256 * 1024;
// A closed word is short; this only bounds what a fault of ours could let through.
const MAX_DETAIL = 200;

/**
 * @param {{ home: string | null, route: 'hook' | 'cli', event: string | null }} where
 * @returns {(code: string, detail?: string) => void}
 */
export function createRecords({ home, route, event }) {
  return (code, detail) => {
    const row = { time: new Date().toISOString(), version: ownVersion(), route, event, code: String(code) };
    if (detail !== undefined) row.detail = String(detail).slice(0, MAX_DETAIL);
    try {
      if (home === null) throw Object.assign(new Error('no home folder'), { code: 'no home folder' });
      mkdirSync(home, { recursive: true, mode: 0o700 });
      const file = join(home, 'errors.jsonl');
      rotate(file, join(home, 'errors.1.jsonl'));
      // One write of a short row to a file opened for appending: rows of parallel hooks do not mix.
      appendFileSync(file, `${JSON.stringify(row)}\n`, { mode: 0o600 });
    } catch (error) {
      complain(`trimtab: the record \`${row.code}\` could not be kept (\`${error.code ?? error.name}\`); is \`~/.trimtab\` writable?\n`);
    }
  };
}

function rotate(file, older) {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found && found.size > MAX_BYTES) renameSync(file, older);
}

function complain(line) {
  try {
    writeSync(2, line);
  } catch {
    // Nobody is listening; there is no place left to say it.
  }
}
