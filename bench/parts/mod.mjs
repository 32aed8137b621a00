// Part `mod`: the core inside a real client, timed by a throw-away plugin that carries the project's glue and pkg/.
// Several sessions, because only a new one is cold; the session asks its model for nothing but an end.

import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runSession } from '../../lab/client.mjs';
import { REPOSITORY, COMMANDS } from '../inputs.mjs';
import { coreSeries } from '../series.mjs';

export const name = 'mod';
export const title = 'the core inside the client';

/** @param {import('../run.mjs').Bench} bench */
export async function run({ client, counts, scratch, log }) {
  const sessions = [];
  for (let index = 0; index < counts.sessions; index += 1) {
    const plugin = makePlugin(join(scratch, `mod-${index}`), { commands: COMMANDS.slice(0, counts.commands), rounds: counts.rounds, sizeRounds: counts.sizeRounds });
    const session = await runSession({ client: await client(), plugins: [plugin], script: { main: [[{ text: 'done' }]] } });
    const file = join(plugin, 'figures.json');
    const figures = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { error: session.debug.split('\n').find((line) => line.includes('trimtab-bench')) ?? 'no figures' };
    if (figures.error) throw new Error(`the module of the benchmark gave no figures: ${figures.error}`);
    sessions.push(figures);
    log(`session ${index + 1} of ${counts.sessions}`);
  }
  return { series: coreSeries('mod', sessions), facts: { 'step of the clock in the module, µs': Math.max(...sessions.map(({ clock }) => clock)) * 1000 } };
}

function makePlugin(root, work) {
  for (const part of ['glue', 'pkg']) cpSync(join(REPOSITORY, part), join(root, part), { recursive: true });
  for (const folder of ['.claude-plugin', 'hooks', 'mod', 'bench']) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, '.claude-plugin/plugin.json'), JSON.stringify({ name: 'trimtab-bench', version: '0.0.0', description: 'Times the core of trimtab inside the client' }));
  writeFileSync(join(root, 'hooks/hooks.json'), JSON.stringify({ modules: ['../mod/module.js'] }));
  cpSync(join(REPOSITORY, 'bench/module.js'), join(root, 'mod/module.js'));
  cpSync(join(REPOSITORY, 'bench/decide.js'), join(root, 'bench/decide.js'));
  writeFileSync(join(root, 'work.json'), JSON.stringify(work));
  return root;
}
