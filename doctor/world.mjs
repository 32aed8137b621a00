// What stands outside, as the checks see it: places, variables, the time, and the facts that several checks need, each found once.
// Reads only. Starts nothing but `claude --version` and `node --version`, and creates nothing.

import { homedir } from 'node:os';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MANAGED_FOLDERS } from './data.mjs';
import { findClient } from './facts/client.mjs';
import { findCore } from './facts/core.mjs';
import { findNode } from './facts/node.mjs';
import { findRegistrations } from './facts/registrations.mjs';
import { findRoutes } from './facts/routes.mjs';
import { findSettings } from './facts/settings.mjs';
import { findVariables } from './facts/variables.mjs';

/** @typedef {ReturnType<typeof createWorld>} World */

/**
 * @param {object} [outside] tests hand in their own
 * @param {Record<string, string | undefined>} [outside.env]
 * @param {string} [outside.cwd] the folder in which the client would be started
 * @param {string} [outside.home]
 * @param {NodeJS.Platform} [outside.platform]
 * @param {string} [outside.managed] the folder of the managed settings
 * @param {string} [outside.own] the folder of the trimtab that this doctor belongs to
 * @param {string} [outside.client] the client's program, where the person names one
 * @param {number} [outside.now] milliseconds
 * @param {number} [outside.maxMs] how long a program may take to tell its version
 */
export function createWorld({
  env = process.env,
  cwd = process.cwd(),
  home = homedir(),
  platform = process.platform,
  managed = MANAGED_FOLDERS[platform] ?? MANAGED_FOLDERS.linux,
  own = fileURLToPath(new URL('../', import.meta.url)),
  client,
  now = Date.now(),
  maxMs = 10_000,
} = {}) {
  const claude = env.CLAUDE_CONFIG_DIR || join(home, '.claude');
  const cores = new Map();
  const world = {
    env,
    cwd,
    home,
    platform,
    managed,
    own: own.replace(/[\\/]$/, ''),
    named: client,
    now,
    maxMs,
    claude,
    plugins: env.CLAUDE_CODE_PLUGIN_CACHE_DIR || join(claude, 'plugins'),
    /** trimtab's own files. */
    trimtab: isAbsolute(home) ? join(home, '.trimtab') : null,

    /** A path as a person would write it, in backticks. */
    shown(path) {
      // In the home folder itself, and above it, what is below would read as if it belonged to the project.
      const isProject = dirname(cwd) !== cwd && !isInside(cwd, home) && cwd !== home;
      if (isProject && isInside(cwd, path)) return `\`${relative(cwd, path)}\``;
      return isInside(home, path) ? `\`~${sep}${relative(home, path)}\`` : `\`${path}\``;
    },

    client: once(() => findClient(world)),
    settings: once(() => findSettings(world)),
    registrations: once(() => findRegistrations(world)),
    variables: once(() => findVariables(world)),
    node: once(() => findNode(world)),
    routes: once(() => findRoutes(world)),
    /** @param {string} folder of a plugin */
    core(folder) {
      if (!cores.has(folder)) cores.set(folder, findCore(folder));
      return cores.get(folder);
    },
  };
  return world;
}

function isInside(folder, path) {
  const inside = relative(folder, path);
  return inside !== '' && inside.split(sep)[0] !== '..' && !isAbsolute(inside);
}

function once(find) {
  let found;
  return () => (found ??= find());
}
