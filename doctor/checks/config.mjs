// Mistakes in trimtab's configuration, and what becomes of a large Read under it. The core judges both; this only asks it.
// Asks as a host would, about a file that is nowhere: nothing is looked at but the configuration, and nothing is remembered.

import { join } from 'node:path';
import { createHost } from '../../node/host.mjs';
import { listed, note, ok, problem } from '../finding.mjs';

const PROBE = '/trimtab-doctor/probe.ts';
// As large as a whole Read can be: every limit that lets anything through lets this through.
const FACTS = {
  place: { cwd: '/trimtab-doctor', root: '/trimtab-doctor' },
  stat: { kind: 'file', bytes: 250_000, real: PROBE },
  lines: { lines: 20_000 },
};
// The variables that the core listens to.
const DECISIVE = ['TRIMTAB_MODE', 'TRIMTAB_HOOKS', 'TRIMTAB_BYPASS'];
// Laid over all others, so that the core gets as far as telling what is wrong with them. FIXME: a request of its own would need none of this.
const LOUD = {
  from: 'options',
  value: {
    enabled: true,
    mode: 'answer',
    rules: { 'whole-file-read': 'answer' },
    large: { lines: 300, bytes: 30_000 },
    refuse: { minTokens: 2000, minSaved: 1500 },
  },
};

/** @type {import('../finding.mjs').Check} */
export async function check(world) {
  const { core, drive } = await loadedCore();
  if (core === null) return [note('config-unknown', 'the configuration cannot be judged without a core')];
  const { layers, places } = await layersOf(world);

  const { effects = [] } = await probe(core, drive, [...layers.map(withoutBypass), LOUD]);
  const mistakes = effects.filter(({ effect, code }) => effect === 'record' && code === 'config');
  const { done } = await probe(core, drive, layers);
  return [...mistakes.map(({ detail }) => mistakeOf(detail, places)), effectOf(done, layers, places)];
}

async function loadedCore() {
  try {
    const { loadCore } = await import('../../node/core.mjs');
    return await loadCore({ isOnce: true });
  } catch {
    return { core: null };
  }
}

/** The layers as the hosts of a session started here would give them, and where each stands. */
async function layersOf(world) {
  const variables = await world.variables();
  const { plugins } = await world.registrations();
  const settings = await world.settings();
  const env = { CLAUDE_PROJECT_DIR: world.env.CLAUDE_PROJECT_DIR };
  for (const [name, { value }] of variables) env[name] = value;
  // The project's settings are not read for a plugin's options.
  const options = settings.every('pluginConfigs', plugins[0]?.id ?? '', 'options').filter(({ from }) => from === 'user' || from === 'managed');
  for (const { value } of options)
    for (const [key, text] of Object.entries(value ?? {})) env[`CLAUDE_PLUGIN_OPTION_${key.toUpperCase()}`] = String(text);

  const host = createHost({ cwd: world.cwd, env, home: world.trimtab });
  const root = (await host.answer({ ask: 'place' }))?.root ?? world.cwd;
  const { layers } = (await host.answer({ ask: 'config' })) ?? { layers: [] };
  const places = {
    user: world.shown(join(world.trimtab ?? world.home, 'config.json')),
    project: world.shown(join(root, '.trimtab.json')),
    local: world.shown(join(root, '.trimtab.local.json')),
    options: `the plugin's options (${options.at(-1)?.place})`,
    env: listed(DECISIVE.filter((name) => variables.has(name)).map((name) => `\`${name}\` in ${variables.get(name).place}`)),
  };
  return { layers, places };
}

function probe(core, drive, layers) {
  core.step({ do: 'refresh' });
  const answer = ({ ask }) => (ask === 'config' ? { layers } : FACTS[ask]);
  return drive(core, { do: 'judge', call: { tool: 'Read', input: { file_path: PROBE } } }, answer);
}

function withoutBypass(layer) {
  if (layer.from !== 'env') return layer;
  const { TRIMTAB_BYPASS, TRIMTAB_HOOKS, ...value } = layer.value;
  return { ...layer, value };
}

function mistakeOf(detail, places) {
  const [, from, what] = /^(\w+) configuration: (.*)$/s.exec(detail) ?? [];
  return problem('config-mistake', places[from] ? `${places[from]}: ${what}` : detail, 'correct it there');
}

function effectOf({ verdict, why }, layers, places) {
  const where = listed(layers.map(({ from }) => places[from]).filter(Boolean)) || 'no configuration, so the defaults';
  if (verdict === 'redirect') return ok('config-refuses', `a large Read is refused once (${where})`);
  if (verdict === 'advise') return note('config-advises', `a large Read only gets advice (${where})`);
  if (why === 'off') return note('config-off', `a large Read passes: trimtab, or the rule \`whole-file-read\`, is switched off (${where})`);
  return note('config-passes', `even the largest Read passes: \`${why}\` (${where})`);
}
