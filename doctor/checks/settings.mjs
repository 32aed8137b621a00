// Whether the client's settings files can be read. What they say is judged where it matters: routes, install, environment.

import { listed, note, ok, problem } from '../finding.mjs';

/** @type {import('../finding.mjs').Check} */
export async function check(world) {
  const { layers } = await world.settings();
  const findings = layers.filter(({ error }) => error !== undefined).map(faultOf);
  if (findings.length > 0) return findings;
  if (layers.length === 0) return [note('settings-none', `no settings file is here (${world.shown(world.claude)}, \`.claude\`)`)];
  return [ok('settings-read', `read ${listed(layers.map(({ place }) => place))}`)];
}

function faultOf({ place, from, error }) {
  const next = from === 'managed' ? 'ask who manages this machine' : 'correct it';
  if (error === 'not-json')
    return problem(
      'settings-not-json',
      `${place} is not JSON, so the client goes on without all of it`,
      `${next}; comments and commas at the end are mistakes too`,
    );
  if (error === 'no-object') return problem('settings-no-object', `${place} is no JSON object, so the client goes on without it`, next);
  return problem('settings-unreadable', `${place} cannot be read (\`${error}\`)`, from === 'managed' ? next : 'see who owns it and what its mode is');
}
