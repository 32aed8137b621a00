// The module of a throw-away plugin: times packs inside the client, when the session starts, and writes the figures beside itself.
// Hooks nothing else and judges no call of the session.

import { createPack } from '../glue/pack.js';
import { weigh } from '../glue/weight.js';
import { loadPack, timeOutline } from '../bench/outline.js';

export const register = (on) => {
  on('session.start', async ($, e, next) => {
    const root = $.plugin.root;
    const work = JSON.parse(await $.fs.read(`${root}/work.json`));
    const now = () => performance.now();
    const unpacker = createPack(await $.wasm.compile('../pkg/packs/inflate.wasm'));
    const shelf = {
      now,
      read: async (path) => Uint8Array.fromBase64((await $.fs.read(`${root}/pkg/${path}`, { as: 'bytes' })).base64),
      inflate: (packed) => unpacker.run(packed),
      compile: (bytes) => $.wasm.compile(bytes),
    };
    // The transcript is read with `$`, so the loop stands here and not in a file of its own.
    const figures = work.transcript ? await timeWeight($, shelf, work) : await timeOutline(shelf, { ...work, text: await $.fs.read(`${root}/source.txt`), breathe: () => $.clock.now() });
    await $.fs.write(`${root}/figures.json`, JSON.stringify(figures));
    return next(e);
  }).catch(async ($, e, next) => {
    await $.fs.write(`${$.plugin.root}/figures.json`, JSON.stringify({ error: String(next.error?.message ?? next.error?.kind) }));
    return next(e);
  });
};

/** As mod/weight.ts reads a transcript: the first answer, all of it, then the turns that are appended. */
async function timeWeight($, shelf, { transcript, turns }) {
  const { pack, load } = await loadPack(shelf, 'weight');
  const { now } = shelf;
  let calls = [];
  const timed = {
    read(text) {
      const start = now();
      const answer = pack.read(text);
      calls.push(now() - start);
      return answer;
    },
  };
  async function answer(ask) {
    if (ask.ask === 'config') return { config: {}, from: [] };
    if (ask.ask === 'claim') return { won: true };
    if (ask.ask !== 'text') return null;
    const { size } = await $.fs.stat(ask.path);
    const length = Math.min(ask.bytes, size - ask.from);
    return { text: length > 0 ? await $.fs.read(ask.path, { offset: ask.from, length }) : '', bytes: size };
  }
  async function moment(moment, most) {
    calls = [];
    const start = now();
    const { done } = await weigh(timed, { do: 'moment', moment, path: transcript, now: 0, holds: true }, { answer, carryOut() {} }, { calls: most });
    if (done.why === 'trap' || (most === Infinity && done.more)) throw new Error('not read');
    return { ms: now() - start, packMs: calls };
  }
  const first = await moment('prompt', 1);
  const rest = await moment('prompt', Infinity);
  const appended = [];
  for (let turn = 0; turn < turns; turn += 1) {
    await $.process.run(['sh', '-c', 'head -c 100000000 "$1" >>"$2"', 'sh', `${$.plugin.root}/turns/${turn}`, transcript]);
    appended.push(await moment('stop', 1));
  }
  return { load, first, rest, appended };
}
