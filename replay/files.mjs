// Finds the transcripts in files and folders: sessions and their subagents, in an order that is the same every time.
// Opens none of them and follows no link; a folder that cannot be read is counted and the rest goes on.

import { realpathSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * @typedef {{ path: string, bytes: number, isAgent: boolean, session: string | null }} Found
 *   `session`: the id that the place of the file tells; null where only the lines do
 */

/**
 * @param {string[]} paths files and folders that exist
 * @param {{ since?: number, onUnreadable: (code: string) => void }} options files last written before `since` are left out
 * @returns {Promise<Found[]>} sessions first, subagents behind them
 */
export async function findTranscripts(paths, { since = -Infinity, onUnreadable }) {
  const found = new Map();

  async function add(path, isNamed) {
    let seen;
    try {
      seen = await stat(path);
    } catch (error) {
      return onUnreadable(error.code ?? 'unknown');
    }
    if (seen.isDirectory()) return addFolder(path);
    if (seen.mtimeMs < since) return;
    const isAgent = basename(path).startsWith('agent-');
    found.set(realpathSync(path), { path, bytes: seen.size, isAgent, session: isAgent ? sessionAbove(path) : idOf(basename(path)) });
    // A session that was named brings its subagents along.
    const below = path.replace(/\.jsonl$/, '');
    if (isNamed && !isAgent && below !== path) await addFolder(join(below, 'subagents'), true);
  }

  async function addFolder(path, mayBeMissing = false) {
    let entries;
    try {
      entries = await readdir(path, { withFileTypes: true });
    } catch (error) {
      if (!mayBeMissing || error.code !== 'ENOENT') onUnreadable(error.code ?? 'unknown');
      return;
    }
    for (const entry of entries) {
      if (entry.isDirectory() || (entry.isFile() && entry.name.endsWith('.jsonl'))) await add(join(path, entry.name), false);
    }
  }

  for (const path of paths) await add(path, true);
  return [...found.values()].sort((a, b) => Number(a.isAgent) - Number(b.isAgent) || (a.path < b.path ? -1 : 1));
}

/** `<session>/subagents/agent-x.jsonl`; older files lie beside the sessions and tell it in their lines. */
function sessionAbove(path) {
  return basename(dirname(path)) === 'subagents' ? idOf(`${basename(dirname(dirname(path)))}.jsonl`) : null;
}

/** A file that was given another name is known by its lines. */
function idOf(name) {
  const stem = name.replace(/\.jsonl$/, '');
  return UUID.test(stem) ? stem : null;
}
