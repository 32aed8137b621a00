// The Node host: answers what the core asks (docs/wire.md) and carries out the effects that it orders.
// Decides nothing, and never follows a path that the core did not name.

import { access, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { configLayers } from './config.mjs';
import { linesOf, slashed, statOf } from './files.mjs';
import { trimtabHome } from './home.mjs';
import { scriptOf } from '../glue/pack.js';
import { packOf } from './packs.mjs';
import { createRecords } from './records.mjs';
import { createSessions } from './sessions.mjs';

/**
 * @param {object} [world] what stands outside; tests and `trimtab judge` hand in their own
 * @param {string | null} [world.cwd] the session's directory
 * @param {string} [world.root] the project folder, where the caller knows it
 * @param {Record<string, string | undefined>} [world.env]
 * @param {string | null} [world.home] the folder of the person's own files
 * @param {'hook' | 'cli'} [world.route] for the records
 * @param {string | null} [world.event] for the records
 */
export function createHost({ cwd = currentFolder(), root, env = process.env, home = trimtabHome(), route = 'cli', event = null } = {}) {
  const sessions = createSessions(home);
  const record = createRecords({ home, route, event });
  const at = (path) => resolve(cwd, path);

  const answers = {
    __proto__: null, // An ask is only ever one of these.
    place: () => placeOf(cwd, root ?? env.CLAUDE_PROJECT_DIR),
    config: async (ask) => configLayers({ home, root: ask.root ?? (await answers.place()).root, env }),
    state: (ask) => sessions.read(ask.session),
    stat: (ask) => statOf(at(ask.path)),
    lines: (ask) => linesOf(at(ask.path)),
    script: async (ask) => scriptOf(await packOf(ask.language), ask.text),
    // Few calls are measured, and what starts programs takes Node a while to load.
    measure: async (ask) => (await import('./measure.mjs')).measure({ argv: ask.argv, cwd: at(ask.cwd ?? '.'), chars: ask.chars, env }),
  };

  return {
    record,

    /** One ask, one fact; null is "could not tell", and so is an ask of a later wire. */
    async answer(ask) {
      try {
        return (await answers[ask.ask](ask)) ?? null;
      } catch {
        return null;
      }
    },

    /**
     * Always called at the end of a call, without effects too: it also gives back the lock on the session's state.
     * @param {import('../glue/core.js').Effect[]} [effects]
     * @returns {boolean} false when a state could not be saved: the next call will not know of this one
     */
    carryOut(effects = []) {
      let isSaved = true;
      for (const effect of effects) {
        if (effect.effect === 'record') record(effect.code, effect.detail);
        if (effect.effect === 'save') isSaved = sessions.save(effect.session, effect.state) && isSaved;
      }
      sessions.release();
      return isSaved;
    },
  };
}

async function placeOf(cwd, wanted) {
  const here = await realpath(cwd);
  const root = (wanted && (await realpath(wanted).catch(() => null))) || (await repositoryOf(here)) || here;
  return { cwd: slashed(here), root: slashed(root), home: slashed(homedir()) };
}

async function repositoryOf(folder) {
  for (let at = folder; ; at = dirname(at)) {
    const isFound = await access(join(at, '.git')).then(
      () => true,
      () => false,
    );
    if (isFound) return at;
    if (dirname(at) === at) return null;
  }
}

function currentFolder() {
  try {
    return process.cwd();
  } catch {
    return null; // The folder is gone; what needs it answers "could not tell".
  }
}
