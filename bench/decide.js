// The decisions that are timed, one after the other: this very file runs inside the client's module and in Node.
// The pretend host answers at once and always the same, so what is timed is the core, its driver and the boundary, with the longest way
// that a call can take. Reads no file, no environment and no clock: those come from the caller.

import { createCore, drive } from '../glue/core.js';
import * as compiled from '../pkg/trimtab.js';

const KILOBYTE = 1_000;
const LENGTHS = [10, 100, KILOBYTE, 5 * KILOBYTE, 20 * KILOBYTE, 100 * KILOBYTE];
const MANY_FILES = 1_000;

/** Each puts one call before the core. The echoes cross the same boundary with the same call, and nothing is decided. */
export const WAYS = {
  judge: (core, call, script) => drive(core, { do: 'judge', call }, answerWith(script)),
  echo: async (core, call) => core.step({ do: 'echo', value: call }),
  judgeValue: (core, call, script) => drive(OVER_VALUES, { do: 'judge', call }, answerWith(script)),
  echoValue: async (core, call) => OVER_VALUES.step({ do: 'echo', value: call }),
};

// The other boundary of the same instance, in the shape that `drive` wants.
const OVER_VALUES = { life: 1, step: (request) => compiled.stepValue({ v: 1, ...request }) };

/**
 * The core of a compiled wasm, started as every host starts it.
 * @param {(text: string) => void} [hear] is told every request that crosses as text
 */
export function startCore(module, hear) {
  let memory;
  const bindings = {
    ...compiled,
    initSync(init) {
      ({ memory } = compiled.initSync(init));
    },
  };
  if (hear) bindings.step = (text) => (hear(text), compiled.step(text));
  const core = createCore(module, bindings);
  return { core, memoryBytes: () => memory.buffer.byteLength };
}

/**
 * Times calls in rounds, each call in each way, in turns.
 * @param {object} what
 * @param {{ call: object, script?: object | null }[]} what.calls of `judge` requests, without a session: every way has its own in every round,
 *   so that nothing is refused twice; `script` is what its text does, in a language of a pack
 * @param {string[]} what.ways
 * @param {() => number} what.now in milliseconds
 * @param {() => unknown} [what.breathe] between rounds: a module that does not yield for seconds is taken for dead
 * @returns {Promise<Record<string, number[][]>>} milliseconds, by way, round and call
 */
export async function timeRounds(core, { calls, ways, rounds, now, mark, breathe = () => {} }) {
  const times = Object.fromEntries(ways.map((way) => [way, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const way of ways) times[way].push([]);
    for (const [index, { call, script }] of calls.entries()) {
      for (let turn = 0; turn < ways.length; turn += 1) {
        const way = ways[(turn + index + round) % ways.length];
        const request = { id: `${mark}-${round}-${index}`, ...call, session: `${mark}-${way}-${round}`, agent: null };
        const start = now();
        const outcome = await WAYS[way](core, request, script);
        times[way][round].push(now() - start);
        if (!outcome.done && !outcome.value) throw new Error(`no outcome of ${way}: ${JSON.stringify(outcome)}`);
      }
    }
    await breathe();
  }
  return times;
}

/** Everything that is timed in one start of the core, by series; the caller has compiled the wasm. */
export async function timeCore(module, { commands, rounds, sizeRounds, now, breathe }) {
  const start = now();
  const { core } = startCore(module);
  core.selfCheck();
  const started = now() - start;

  const calls = commands.map(ofCommand);
  const how = { now, breathe };
  const { judge: cold } = await timeRounds(core, { ...how, calls, ways: ['judge'], rounds: 1, mark: 'cold' });
  const ways = Object.keys(WAYS);
  await timeRounds(core, { ...how, calls, ways, rounds: 1, mark: 'warming' });
  const warm = await timeRounds(core, { ...how, calls, ways, rounds, mark: 'warm' });
  const sized = sizes(commands);
  const bySize = await timeRounds(core, { ...how, calls: sized, ways, rounds: sizeRounds, mark: 'size' });
  return { start: started, cold: cold[0], warm, sizes: sized.map(({ name }) => name), bySize };
}

const bash = (command) => ({ tool: 'Bash', input: { command } });

/** The call of a command, in the tool of its shell. */
export function ofCommand({ command, shell, script }) {
  return { call: shell === 'powershell' ? { ...bash(command), tool: 'PowerShell' } : bash(command), script };
}

/** Texts made of the real commands of Bash, line by line, cut to their length; and one call that carries a large structure. */
export function sizes(commands) {
  const lines = commands.filter(({ shell }) => shell === 'bash').map(({ command }) => command).join('\n');
  const text = (length) => lines.repeat(Math.ceil(length / lines.length)).slice(0, length);
  const files = Object.fromEntries(Array.from({ length: MANY_FILES }, (_, index) => [`src/part-${index}.rs`, { lines: 400 + index, bytes: 16_000 }]));
  return [
    ...LENGTHS.map((length) => ({ name: length < KILOBYTE ? `${length} B` : `${length / KILOBYTE} KB`, call: bash(text(length)) })),
    { name: `facts of ${MANY_FILES.toLocaleString('en-US')} files`, call: { ...bash('cat src/part-7.rs'), cwd: '/repo', root: '/repo', facts: { files } } },
  ];
}

/** What a pack reads in a text comes at once, too. */
function answerWith(script) {
  return script === undefined ? answer : (ask) => (ask.ask === 'script' ? script : answer(ask));
}

/** Everything is large, inside the project and seen for the first time, so that whatever a rule can refuse is refused. */
export function answer(ask) {
  switch (ask.ask) {
    case 'place':
      return { cwd: '/repo', root: '/repo', home: '/home/u' };
    case 'config':
      return { layers: [] };
    case 'state':
      return { state: null };
    case 'stat':
      return { kind: 'file', bytes: 40_000, real: ask.path.startsWith('/') ? ask.path : `/repo/${ask.path}` };
    case 'lines':
      return { lines: 1_000 };
    case 'measure':
      return { chars: 20_000, lines: 400, complete: true, exit: 0 };
    default:
      return null;
  }
}
