// The layers of the configuration as the hosts of a session started here would give them, and where each stands.
// Looks only; what they mean is the core's to say.

import { join } from 'node:path';
import { createHost } from '../../node/host.mjs';
import { listed } from '../finding.mjs';

// The variables that the core listens to.
const DECISIVE = ['TRIMTAB_MODE', 'TRIMTAB_HOOKS', 'TRIMTAB_BYPASS'];

/**
 * @param {import('../world.mjs').World} world
 * @returns {Promise<{ layers: object[], places: Record<string, string> }>} the places by the layers' names, as a person would write them
 */
export async function layersOf(world) {
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

/** Where a mistake stands, and what it is: the core names the layer, a person wants the place. */
export function mistakeOf(warning, places) {
  const [, from, what] = /^(\w+) configuration: (.*)$/s.exec(warning) ?? [];
  return places[from] ? `${places[from]}: ${what}` : warning;
}
