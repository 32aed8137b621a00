// Mistakes in trimtab's configuration, and what becomes of a large Read under it. The core judges both; this only asks it.
// Asks as a host would, about a file that is nowhere: nothing is looked at but the configuration, and nothing is remembered.

import { layersOf, mistakeOf } from '../facts/config.mjs';
import { listed, note, ok, problem } from '../finding.mjs';

const PROBE = '/trimtab-doctor/probe.ts';
// As large as a whole Read can be: every limit that lets anything through lets this through.
const FACTS = {
  place: { cwd: '/trimtab-doctor', root: '/trimtab-doctor' },
  stat: { kind: 'file', bytes: 250_000, real: PROBE },
  lines: { lines: 20_000 },
};

/** @type {import('../finding.mjs').Check} */
export async function check(world) {
  const { core, drive } = await loadedCore();
  if (core === null) return [note('config-unknown', 'the configuration cannot be judged without a core')];
  const { layers, places } = await layersOf(world);

  const { warnings } = core.step({ do: 'config', layers });
  const answer = ({ ask }) => (ask === 'config' ? { layers } : FACTS[ask]);
  core.step({ do: 'refresh' });
  const { done } = await drive(core, { do: 'judge', call: { tool: 'Read', input: { file_path: PROBE } } }, answer);
  return [...warnings.map((warning) => problem('config-mistake', mistakeOf(warning, places), 'correct it there')), effectOf(done, layers, places)];
}

async function loadedCore() {
  try {
    const { loadCore } = await import('../../node/core.mjs');
    return await loadCore({ isOnce: true });
  } catch {
    return { core: null };
  }
}

function effectOf({ verdict, why }, layers, places) {
  const where = listed(layers.map(({ from }) => places[from]).filter(Boolean)) || 'no configuration, so the defaults';
  if (verdict === 'redirect') return ok('config-refuses', `a large Read is refused once (${where})`);
  if (verdict === 'advise') return note('config-advises', `a large Read only gets advice (${where})`);
  if (why === 'off') return note('config-off', `a large Read passes: trimtab, or the rule \`whole-file-read\`, is switched off (${where})`);
  return note('config-passes', `even the largest Read passes: \`${why}\` (${where})`);
}
