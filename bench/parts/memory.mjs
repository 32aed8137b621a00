// Part `memory`: whether the memory of one instance stops growing. 50 sessions, no two calls the same, every second one refused.

import { COMMANDS } from '../inputs.mjs';
import { child } from './node.mjs';

export const name = 'memory';
export const title = 'the memory of one instance';

/** @param {import('../run.mjs').Bench} bench */
export async function run({ counts }) {
  const early = counts.calls / 10;
  const { bytes, resident } = child('memory', { commands: COMMANDS, counts: [early, counts.calls] });
  return {
    series: {},
    facts: { 'calls, early': early, 'wasm memory early, bytes': bytes[early], calls: counts.calls, 'wasm memory, bytes': bytes[counts.calls], 'resident memory of that Node, bytes': resident },
  };
}
