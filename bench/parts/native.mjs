// Part `native`: the same core without wasm, which is given the very requests that crossed in Node. Left out, and said so, where cargo
// cannot build it.

import { spawnSync } from 'node:child_process';
import { COMMANDS, REPOSITORY } from '../inputs.mjs';
import { series } from '../series.mjs';
import { MAX_OUTPUT, child } from './node.mjs';

export const name = 'native';
export const title = 'the same without wasm';

const CARGO = ['bench', '--quiet', '--locked', '--bench', 'native'];

/** @param {import('../run.mjs').Bench} bench */
export async function run({ counts, log }) {
  const commands = COMMANDS.slice(0, counts.commands);
  log('cargo builds it, which can take minutes the first time');
  const built = cargo('--no-run');
  if (built.status !== 0) return { series: {}, facts: { native: 'left out: cargo could not build it here' } };
  const decisions = child('requests', { commands, rounds: counts.rounds * counts.sessions });
  const done = cargo('--', decisions.join('\n\n'));
  if (done.status !== 0) throw new Error(`bench/native.rs failed: ${done.stderr}`);
  const times = done.stdout.trimEnd().split('\n').map((nanoseconds) => Number(nanoseconds) / 1e6);
  const rounds = Array.from({ length: times.length / commands.length }, (_, round) => times.slice(round * commands.length, (round + 1) * commands.length));
  // The first round warms up.
  return { series: { 'native judge': series(rounds.slice(1)) }, facts: {} };
}

function cargo(last, input = '') {
  return spawnSync('cargo', [...CARGO, last], { cwd: REPOSITORY, input, encoding: 'utf8', maxBuffer: MAX_OUTPUT });
}
