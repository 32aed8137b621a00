// Part `node`: the same decisions in Node, a new process for each start.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { COMMANDS, REPOSITORY } from '../inputs.mjs';
import { coreSeries } from '../series.mjs';

export const name = 'node';
export const title = 'the same in Node';

const CHILD = join(REPOSITORY, 'bench/child.mjs');
export const MAX_OUTPUT = 256 * 1024 * 1024;

/** @param {import('../run.mjs').Bench} bench */
export async function run({ counts, log }) {
  const work = { commands: COMMANDS.slice(0, counts.commands), rounds: counts.rounds, sizeRounds: counts.sizeRounds };
  const starts = [];
  for (let index = 0; index < counts.sessions; index += 1) {
    starts.push(child('time', work));
    log(`process ${index + 1} of ${counts.sessions}`);
  }
  return { series: coreSeries('node', starts), facts: {} };
}

/** What `bench/child.mjs` gives for one task. */
export function child(task, work) {
  const done = spawnSync(process.execPath, [CHILD, task], { input: JSON.stringify(work), encoding: 'utf8', maxBuffer: MAX_OUTPUT });
  if (done.status !== 0) throw new Error(`bench/child.mjs ${task} failed: ${done.stderr}`);
  return JSON.parse(done.stdout);
}
