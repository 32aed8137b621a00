// `trimtab config`: every key of the configuration as it works out here, and where its value comes from.
// Reads what a session started in this folder would read, changes nothing, and leaves the judging of it to the core.

import { loadCore } from '../node/core.mjs';
import { parseOptions } from './lib/options.mjs';
import { UserError } from './lib/user-error.mjs';

export const name = 'config';
export const summary = 'show each value of the configuration that counts here, where it comes from, and what is wrong in it';
export const usage = 'trimtab config [--json]';
export const options = [{ name: 'json', summary: 'print the keys and mistakes as JSON' }];
export const details = `Looks as a session would that is started in this folder with this environment; it cannot see \`--settings\`.
Later wins: defaults or a preset, ~/.trimtab/config.json, .trimtab.json and .trimtab.local.json of the project, the plugin's options, variables.
docs/configuration.md explains each key; schema/config.schema.json lets an editor complete them.`;

// Wider than this a list is told by its beginning.
const MAX_VALUE = 40;

/** @type {import('./lib/help.mjs').Command['run']} */
export async function run(args, { stdout, env, cwd }) {
  const { values, rest } = parseOptions(options, args);
  if (rest.length > 0) throw new UserError(`\`trimtab config\` takes no \`${rest[0]}\`; \`trimtab config -h\` lists the options`);
  // Imported here, so that help needs none of it.
  const [{ createWorld }, { layersOf, mistakeOf }] = await Promise.all([import('../doctor/world.mjs'), import('../doctor/facts/config.mjs')]);
  const { layers, places } = await layersOf(createWorld({ env, cwd, ...(env.HOME && { home: env.HOME }) }));
  const { core } = await loadCore({ isOnce: true });
  const { keys, warnings } = core.step({ do: 'config', layers });
  const mistakes = warnings.map((warning) => mistakeOf(warning, places));
  stdout.write(values.json ? `${JSON.stringify({ keys, mistakes }, null, 2)}\n` : textOf(keys, mistakes, places));
}

function textOf(keys, mistakes, places) {
  const preset = keys.find(({ key }) => key === 'preset').value;
  const origin = (from) => places[from]?.replaceAll('`', '') ?? (from === 'preset' ? `preset ${preset}` : from);
  const rows = [['KEY', 'VALUE', 'FROM'], ...keys.map(({ key, value, from }) => [key, shown(value), origin(from)])];
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column].length)));
  const lines = rows.map(([key, value, from]) => `${key.padEnd(widths[0])}  ${value.padEnd(widths[1])}  ${from}`);
  const list = mistakes.length > 0 ? ['', 'Left out, because it is wrong:', ...mistakes.map((mistake) => `  ${mistake}`)] : [];
  return `${[...lines, ...list].join('\n')}\n`;
}

function shown(value) {
  if (value === null) return 'none';
  if (!Array.isArray(value)) return typeof value === 'number' ? value.toLocaleString('en-US') : String(value);
  const text = value.join(' ') || 'none';
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}… (${value.length})` : text;
}
