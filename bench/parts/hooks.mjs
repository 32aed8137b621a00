// Part `hooks`: what one start of a command hook costs, beside a shell and a Node that do nothing. The commands are those of hooks.json, run
// in a shell with a payload on standard input as the client does, in turns, in an empty home.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { REPOSITORY } from '../inputs.mjs';
import { series } from '../series.mjs';

export const name = 'hooks';
export const title = 'a command hook as a process';

const SESSION = '00000000-0000-4000-8000-000000000001';
const RECORDED = JSON.parse(readFileSync(join(REPOSITORY, 'tests/payloads/2.1.332/bash.json'), 'utf8'));
const STAGE = join(REPOSITORY, 'bench/stage.mjs');
const HOOKS = JSON.parse(readFileSync(join(REPOSITORY, 'hooks/hooks.json'), 'utf8')).hooks;
const BIG_LINES = 900;

/** @param {import('../run.mjs').Bench} bench */
export async function run({ counts, scratch, log }) {
  const [home, project] = ['home', 'project'].map((folder) => join(scratch, 'hooks', folder));
  for (const folder of [home, project]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(project, 'big.ts'), 'export const line = "a line of a file that is long enough";\n'.repeat(BIG_LINES));
  const plain = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: home, CLAUDE_PLUGIN_ROOT: REPOSITORY.replace(/\/$/, ''), CLAUDE_PROJECT_DIR: project };
  const owned = { CLAUDE_CODE_SESSION_ID: SESSION, CLAUDE_PID: '1', TRIMTAB_MOD: 'PreToolUse:Bash,PreToolUse:Read', TRIMTAB_MOD_SESSION: SESSION, TRIMTAB_MOD_TURN: SESSION };
  const hook = ['sh', '-c', HOOKS.PreToolUse.find(({ matcher }) => matcher === 'Bash').hooks[0].command];
  const kinds = [
    { series: 'sh -c :', argv: ['sh', '-c', ':'] },
    { series: 'node -e 0', argv: ['node', '-e', '0'] },
    { series: 'early exit, the module answers', argv: hook, env: owned, command: 'cat big.ts' },
    { series: 'early exit, no known program', argv: hook, command: 'true' },
    // The stages that a full hook goes through, each a process of its own: what they add up to is where its time goes.
    { series: 'stage: node and a module file', argv: ['node', STAGE] },
    { series: 'stage: and the wasm compiled', argv: ['node', '--wasm-lazy-validation', STAGE, 'compiled'] },
    { series: 'stage: and the core started', argv: ['node', STAGE, 'started'] },
    { series: 'full hook, passes', argv: hook, command: 'true cat' },
    { series: 'full hook, refuses', argv: hook, command: 'cat big.ts', says: 'deny' },
  ];
  const times = Object.fromEntries(kinds.map((kind) => [kind.series, []]));
  // The first round brings the files into the system's cache.
  for (let round = -1; round < counts.hooks; round += 1) {
    for (let turn = 0; turn < kinds.length; turn += 1) {
      const kind = kinds[(turn + Math.max(round, 0)) % kinds.length];
      const session = `00000000-0000-4000-8000-${String(round + 2).padStart(12, '0')}`;
      const payload = { ...RECORDED, session_id: session, cwd: project, tool_input: { command: kind.command ?? 'true' } };
      const start = performance.now();
      const done = spawnSync(kind.argv[0], kind.argv.slice(1), { cwd: project, env: { ...plain, ...kind.env }, input: JSON.stringify(payload), encoding: 'utf8' });
      const spent = performance.now() - start;
      if (done.status !== 0 || done.stdout.includes('deny') !== (kind.says === 'deny')) throw new Error(`${kind.series}: ${done.status} ${done.stdout}${done.stderr}`);
      if (round >= 0) times[kind.series].push([spent]);
    }
    if (round % 20 === 19) log(`round ${round + 1} of ${counts.hooks}`);
  }
  return { series: Object.fromEntries(Object.entries(times).map(([key, groups]) => [key, series(groups)])), facts: {} };
}
