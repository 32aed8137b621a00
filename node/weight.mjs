// The weight pack in Node: answers what it asks, and keeps what it wants kept in `~/.trimtab/weight/`.
// Decides nothing, and reads no file but the transcript that it was asked about and the configuration.

import { isUtf8 } from 'node:buffer';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { weigh as drive } from '../glue/weight.js';
import { configLayers } from './config.mjs';
import { openFile } from './files.mjs';
import { trimtabHome } from './home.mjs';
import { packOf } from './packs.mjs';
import { createSessions, safeName } from './sessions.mjs';
import { runOf } from './sources.mjs';

const GIT_MS = 1_000;
// Some five for a session; one that is swept too early lets a line come twice.
const MAX_FILES = 2_000;
const NEWLINE = 10;

/**
 * @param {object} [world] what stands outside
 * @param {string | null} [world.home] the folder of the person's own files
 * @param {() => Promise<string | undefined>} [world.root] the project folder
 * @param {string | null} [world.cwd]
 * @param {Record<string, string | undefined>} [world.env]
 * @param {(code: string, detail?: string) => void} [world.record]
 */
export function createWeight({ home = trimtabHome(), root = async () => undefined, cwd = null, env = process.env, record = () => {} } = {}) {
  const sessions = createSessions(home, 'weight', MAX_FILES);
  /** What was kept in this process and is written at its end. */
  const kept = new Map();

  const answers = {
    __proto__: null,
    config: async () => configOf({ home, root: await root(), env }),
    state: async ({ session }) => (kept.has(session) ? { state: kept.get(session) } : sessions.read(session)),
    text: ({ path, from, bytes }) => textOf(path, from, bytes),
    claim: ({ session, name }) => ({ won: claim(home, `${safeName(session)}.${name}`) }),
    run: ({ argv, bytes }) => runOf({ argv, cwd: cwd ?? undefined, bytes, env, ms: GIT_MS }),
  };

  return {
    /**
     * One request to its end.
     * @param {object} request of docs/wire.md
     * @param {{ calls?: number }} [use]
     */
    async ask(request, use) {
      const pack = await packOf('weight');
      try {
        return await drive(pack, request, { answer: (ask) => answers[ask.ask](ask), carryOut }, use);
      } finally {
        for (const [session, state] of kept) if (!sessions.save(session, state)) record('state-not-saved');
        sessions.release();
      }
    },
  };

  async function carryOut(effects) {
    for (const effect of effects) {
      if (effect.effect === 'record') record(effect.code, effect.detail);
      if (effect.effect === 'save') kept.set(effect.session, effect.state);
      if (effect.effect === 'leave') leave(effect.project ? join(await root(), '.trimtab') : home, effect);
    }
  }

  function leave(folder, { name, text }) {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(join(folder, name), text, { mode: 0o600 });
    } catch {
      record('not-left');
    }
  }
}

/** What the configuration comes to, and where it is from. Most people have none, and the core need not be loaded to say so. */
export async function configOf({ home = trimtabHome(), root, env }) {
  const { layers } = await configLayers({ home, root, env });
  const from = layers.map((layer) => layer.from);
  if (layers.length === 0) return { config: {}, from };
  const { core } = await (await import('./core.mjs')).loadCore({ isOnce: true });
  return { config: core.step({ do: 'config', layers }).config, from };
}

/**
 * A range of a file as UTF-8; where its bytes are no text, as a text for them with the places of the ends of lines, which its length does not
 * tell.
 */
export async function textOf(path, from, bytes) {
  const file = await openFile(path);
  try {
    const { size, mtimeMs } = await file.stat();
    const room = Buffer.alloc(Math.max(0, Math.min(bytes, size - from)));
    const { bytesRead } = await file.read(room, 0, room.length, from);
    const range = room.subarray(0, bytesRead);
    const fact = { bytes: size, mtime: mtimeMs };
    if (isUtf8(range)) return { ...fact, text: range };
    const text = range.toString('utf8');
    const last = range.lastIndexOf(NEWLINE) + 1;
    return last === 0 ? { ...fact, text } : { ...fact, text, first: range.indexOf(NEWLINE) + 1, last };
  } finally {
    await file.close();
  }
}

/** True for the first who asks, of all processes. Null where it cannot be told. */
function claim(home, name) {
  try {
    writeFileSync(join(home, 'weight', `${name}.said`), '', { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    if (error.code !== 'ENOENT' || dirname(name) !== '.') return null;
    mkdirSync(join(home, 'weight'), { recursive: true, mode: 0o700 });
    return claim(home, name);
  }
}
