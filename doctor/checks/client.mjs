// Which client is here and what kind it is. Asks it for its version, never for more.

import { ok, problem } from '../finding.mjs';

/** @type {import('../finding.mjs').Check} */
export async function check(world) {
  const { path, version, has, error } = await world.client();
  if (error === undefined) return [ok('client-found', `Claude Code ${version}, which has ${has} (${world.shown(path)})`)];
  if (error === 'missing') return [problem('client-missing', 'no `claude` is on the `PATH`', 'name one with `--client=PATH`')];
  const shown = world.shown(path);
  if (error === 'timeout')
    return [problem('client-timeout', `${shown} did not tell its version within ${world.maxMs / 1000} s`, 'run it with `--version` yourself')];
  if (error === 'silent') return [problem('client-unknown', `${shown} names no version of Claude Code`, 'name another with `--client=PATH`')];
  return [problem('client-not-started', `${shown} does not start (\`${error}\`)`, 'name another with `--client=PATH`')];
}
