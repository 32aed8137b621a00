// Part `step`: a whole step of a real client, from one request to its model to the next, with one Bash call between them; sessions of each
// setting in turns. Counts as well how many hook processes a call starts that no `if` of hooks.json lets through.
// A step whose call did not run as it should ends the benchmark.

import { appendFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runSession } from '../../lab/client.mjs';
import { REPOSITORY } from '../inputs.mjs';
import { series } from '../series.mjs';

export const name = 'step';
export const title = 'a whole step of the client';

const PARTS = ['.claude-plugin', 'glue', 'hooks', 'mod', 'node', 'pkg', 'types'];
// The client compiles its own code in the first steps of a session.
const WARM_UP = 3;
const NO_MODULE = { TRIMTAB_NO_MOD: '1' };

/** @param {import('../run.mjs').Bench} bench */
export async function run({ client, counts, scratch, log }) {
  const program = await client();
  const whole = makePlugin(join(scratch, 'whole'));
  const alone = makePlugin(join(scratch, 'alone'), ({ modules }) => ({ modules }));
  const settings = [
    { series: 'step, no plugin', plugins: [], command: 'true' },
    { series: 'step, the module alone', plugins: [alone], command: 'true' },
    { series: 'step, the plugin: module and early exit', plugins: [whole], command: 'true' },
    { series: 'step, command hooks: early exit', plugins: [whole], env: NO_MODULE, command: 'true' },
    { series: 'step, command hooks: full', plugins: [whole], env: NO_MODULE, command: 'true cat' },
  ];
  const times = Object.fromEntries(settings.map((setting) => [setting.series, []]));
  for (let round = 0; round < counts.stepRounds; round += 1) {
    for (let turn = 0; turn < settings.length; turn += 1) {
      const setting = settings[(turn + round) % settings.length];
      times[setting.series].push(await stepsOf(program, setting, counts.steps));
    }
    log(`round ${round + 1} of ${counts.stepRounds}`);
  }
  return {
    series: Object.fromEntries(Object.entries(times).map(([key, groups]) => [key, series(groups)])),
    facts: {
      'hook processes for 3 Reads that no `if` lets through': await hookStarts(program, scratch, 'notes.txt'),
      'hook processes for 3 Reads that one lets through': await hookStarts(program, scratch, 'app.ts'),
    },
  };
}

async function stepsOf(client, { series: title, plugins, env, command }, count) {
  const calls = count + WARM_UP;
  const turns = Array.from({ length: calls }, () => [{ tool: 'Bash', input: { command, description: 'Do nothing' } }]);
  const { requests, results } = await runSession({ client, plugins, env, script: { main: [...turns, [{ text: 'done' }]] } });
  const bad = results.find(({ isError }) => isError);
  if (results.length !== calls || bad) throw new Error(`${title}: ${results.length} of ${calls} calls were answered${bad ? `, one with ${bad.text}` : ''}`);
  const at = requests.filter(({ conversation }) => conversation === 'main').map((request) => request.at);
  return at.slice(1).map((time, index) => time - at[index]).slice(WARM_UP);
}

async function hookStarts(client, scratch, file) {
  const folder = join(scratch, `starts-${file}`);
  const [project, log] = [join(folder, 'project'), join(folder, 'starts.txt')];
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, file), 'one line\n');
  appendFileSync(log, '');
  const counting = makePlugin(join(folder, 'plugin'), ({ hooks }) => ({ hooks: { PreToolUse: hooks.PreToolUse.map((entry) => ({ ...entry, hooks: entry.hooks.map((hook) => ({ ...hook, command: `echo started >>'${log}'; ${hook.command}` })) })) } }));
  const turns = Array.from({ length: 3 }, () => [{ tool: 'Read', input: { file_path: join(project, file) } }]);
  const { results } = await runSession({ client, plugins: [counting], cwd: project, env: NO_MODULE, script: { main: [...turns, [{ text: 'done' }]] } });
  if (results.length !== turns.length) throw new Error(`${results.length} of ${turns.length} Reads were answered`);
  return readFileSync(log, 'utf8').split('\n').filter(Boolean).length;
}

/** The plugin as a person installs it, or with another hooks.json. */
export function makePlugin(root, change = (hooks) => hooks) {
  for (const part of PARTS) cpSync(join(REPOSITORY, part), join(root, part), { recursive: true, filter: (path) => !path.includes('/mod/tests') });
  const file = join(root, 'hooks/hooks.json');
  writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(file, 'utf8')))));
  return root;
}
