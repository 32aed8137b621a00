// Keeps what the core wants to know again at the next call of a session: one file a session in `~/.trimtab/sessions/`,
// or what packs want kept, in a folder beside it.
// Does not look into the text. A fault here costs memory, never the call: every wait is short, and without the lock it goes on.

import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const STALE_LOCK_MS = 2000;
const MAX_WAIT_MS = 200;
const RETRY_MS = 5;
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000;
const MAX_SESSIONS = 200;

/**
 * @param {string | null} home
 * @param {string} [name] of the folder in it
 * @param {number} [most] files that may lie there
 */
export function createSessions(home, name = 'sessions', most = MAX_SESSIONS) {
  const folder = home && join(home, name);
  const fileOf = (session) => join(folder, `${safeName(session)}.json`);
  /** @type {Map<string, number>} lock folder -> when it was taken */
  const locks = new Map();
  // Whatever ends the process, the next hook should not wait for a lock that nobody holds.
  const release = () => {
    for (const [lock, since] of locks) unlock(lock, since);
    locks.clear();
    process.off('exit', release);
  };

  return {
    /**
     * What was last saved, and null where that cannot be told. Takes the session's lock until `release`: hooks of one message run side by side, and each must see what the one before it saved.
     * @returns {Promise<{ state: string | null } | null>} a state of null: this session saved nothing yet
     */
    async read(session) {
      if (!folder) return null;
      const lock = join(folder, `${safeName(session)}.lock`);
      if (!locks.has(lock) && (await takeLock(folder, lock))) {
        if (locks.size === 0) process.on('exit', release);
        locks.set(lock, Date.now());
      }
      try {
        return { state: readFileSync(fileOf(session), 'utf8') };
      } catch (error) {
        // Without the folder nothing will be saved either, so this is no "nothing saved yet".
        return error.code === 'ENOENT' && existsSync(folder) ? { state: null } : null;
      }
    },

    /** @returns {boolean} whether it is on the disk */
    save(session, state) {
      if (!folder) return false;
      const file = fileOf(session);
      const draft = `${file}.${process.pid}-${Math.random().toString(36).slice(2)}.tmp`;
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        const isNew = statSync(file, { throwIfNoEntry: false }) === undefined;
        writeFileSync(draft, state, { mode: 0o600, flag: 'wx' });
        renameSync(draft, file);
        if (isNew) sweep(folder, most);
        return true;
      } catch {
        removeQuietly(draft);
        return false;
      }
    },

    release,
  };
}

/** A session id comes from outside: what is no plain id becomes a hash, which no plain id can equal and no file system misreads. */
export function safeName(session) {
  const id = String(session);
  if (/^[0-9a-z-]{8,64}$/.test(id)) return id;
  // No client has such ids, and every hook process would pay for loading it.
  const { createHash } = createRequire(import.meta.url)('node:crypto');
  return `_${createHash('sha256').update(id).digest('hex').slice(0, 40)}`;
}

async function takeLock(folder, lock) {
  const end = Date.now() + MAX_WAIT_MS;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (;;) {
      try {
        mkdirSync(lock);
        return true;
      } catch (error) {
        if (error.code !== 'EEXIST') return false;
      }
      if (removeStale(lock)) continue;
      if (Date.now() >= end) return false;
      await sleep(RETRY_MS);
    }
  } catch {
    return false;
  }
}

function removeStale(lock) {
  try {
    // Either side of now: a clock that was set back must not make a lock eternal.
    if (Math.abs(Date.now() - statSync(lock).mtimeMs) < STALE_LOCK_MS) return false;
    rmdirSync(lock);
    return true;
  } catch (error) {
    return error.code === 'ENOENT';
  }
}

function unlock(lock, since) {
  // Held for longer than that it was taken for stale, and is another's by now.
  if (Date.now() - since >= STALE_LOCK_MS) return;
  try {
    rmdirSync(lock);
  } catch {
    // Gone already.
  }
}

function removeQuietly(path) {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // The sweep of a later session tries again.
  }
}

// Runs when a session saves for the first time, so it costs the calls after that nothing.
function sweep(folder, most) {
  try {
    const files = readdirSync(folder)
      .filter((name) => /\.(json|lock|tmp|gone|said)$/.test(name))
      .map((name) => ({ path: join(folder, name), time: statSync(join(folder, name)).mtimeMs }))
      .sort((a, b) => b.time - a.time);
    const oldest = Date.now() - MAX_AGE_MS;
    files.forEach(({ path, time }, index) => {
      if (time < oldest || index >= most) removeQuietly(path);
    });
  } catch {
    // Another hook is sweeping too, or the folder cannot be listed; the next new session tries again.
  }
}
