// The module of the throw-away plugin: times the core inside the client, when the session starts, and writes the figures beside itself.
// Hooks nothing else and judges no call of the session.

import { timeCore } from '../bench/decide.js';

export const register = (on) => {
  on('session.start', async ($, e, next) => {
    const { commands, rounds, sizeRounds } = JSON.parse(await $.fs.read(`${$.plugin.root}/work.json`));
    const now = () => performance.now();
    const start = now();
    const module = await $.wasm.compile('../pkg/trimtab_bg.wasm');
    const compile = now() - start;
    const figures = await timeCore(module, { commands, rounds, sizeRounds, now, breathe: () => $.clock.now() });
    await $.fs.write(`${$.plugin.root}/figures.json`, JSON.stringify({ compile, clock: stepOf(now), ...figures }));
    return next(e);
  }).catch(async ($, e, next) => {
    await $.fs.write(`${$.plugin.root}/figures.json`, JSON.stringify({ error: String(next.error?.message ?? next.error?.kind) }));
    return next(e);
  });
};

/** The smallest step of the clock in a thousand looks at it. */
function stepOf(now) {
  let least = Infinity;
  let last = now();
  for (let look = 0; look < 1_000; look += 1) {
    const time = now();
    if (time > last) least = Math.min(least, time - last);
    last = time;
  }
  return least;
}
