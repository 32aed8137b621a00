// What the core counted in a session, out of the memory that whoever judges it keeps. Takes no lock and writes nothing.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadCore } from './core.mjs';
import { trimtabHome } from './home.mjs';
import { safeName } from './sessions.mjs';

/**
 * @param {string} session
 * @param {{ home?: string | null }} [world] the folder of the person's own files
 * @returns {Promise<object[] | undefined>} `rules` of the core's `tally`; undefined where nothing was kept of the session
 */
export async function rulesOf(session, { home = trimtabHome() } = {}) {
  let state;
  try {
    state = readFileSync(join(home, 'sessions', `${safeName(session)}.json`), 'utf8');
  } catch {
    return undefined;
  }
  const { core } = await loadCore({ isOnce: true });
  return core.step({ do: 'tally', state }).rules;
}
