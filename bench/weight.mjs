// `node bench/weight.mjs [megabytes] [rounds]`: what the weight pack takes for a made-up transcript, as the module has it read.
// Each round is a process of its own, because a pack is cold once. Reads go through the answers of the Node host; what blocks the thread is
// one call of the pack, and those are counted apart. Judges nothing: a line says what was measured.

import { execFileSync } from 'node:child_process';
import { appendFileSync, copyFileSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { weigh } from '../glue/weight.js';
import { packOf } from '../node/packs.mjs';
import { textOf } from '../node/weight.mjs';
import { quantile } from './stats.mjs';
import { createTurns, writeTranscript } from './transcript.mjs';

const MEGABYTE = 1_000_000;
const LONG_LINE = 20 * MEGABYTE;
const TURN_BYTES = 50_000;
const TURNS = 100;
const MOST = { firstMs: 50, wholeMs: 2_000, sliceMs: 20, packMb: 40, turnMs: 2 };
const NAME = '00000000-0000-4000-8000-000000000001.jsonl';

const now = () => performance.now();
const median = (values) => quantile(values, 0.5);

if (process.argv[2] === 'round') console.log(JSON.stringify(await round(process.argv[3])));
else await main();

async function main() {
  const [size = 100, rounds = 3] = process.argv.slice(2).map(Number);
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'trimtab-bench-')));
  try {
    for (const longLine of [0, LONG_LINE]) {
      const [original, path] = [join(root, 'original'), join(root, NAME)];
      // A line is written twice, for the model and for the person.
      writeTranscript(original, { bytes: size * MEGABYTE, longLine: longLine / 2.2 });
      for (let count = 0; count < rounds; count += 1) {
        copyFileSync(original, path);
        const found = JSON.parse(execFileSync(process.execPath, [fileURLToPath(import.meta.url), 'round', path], { encoding: 'utf8' }));
        for (const figures of found) console.log(JSON.stringify({ transcript: longLine > 0 ? 'with a long line' : 'plain', round: count, ...figures, load: loadavg()[0] }));
      }
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Everything that is measured of one transcript, in a process that has loaded nothing yet. */
async function round(path) {
  const instances = watchInstances();
  const start = now();
  const pack = await packOf('weight');
  const loadMs = now() - start;
  const { size: bytes } = statSync(path);
  const reader = createReader(pack, path);
  const { base, peak } = reader;

  const used = process.cpuUsage();
  const first = await reader.moment('prompt', 1);
  const rest = await reader.moment('prompt', Infinity);
  const { user, system } = process.cpuUsage(used);
  const slices = [...first.packMs, ...rest.packMs];
  const totalMs = first.ms + rest.ms;
  const packMemoryMb = megabytes(instances.at(-1).exports.memory.buffer.byteLength);
  const memory = { heapMb: megabytes(peak.heapUsed - base.heapUsed), buffersMb: megabytes(peak.arrayBuffers - base.arrayBuffers), residentMb: megabytes(peak.rss - base.rss) };

  const more = createTurns();
  const turns = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    let text = '';
    while (text.length < TURN_BYTES) text += more.turn();
    appendFileSync(path, text);
    turns.push(await reader.moment('stop', 1));
  }
  const turnMs = turns.map(({ packMs }) => sum(packMs));

  return [
    { measure: 'first answer', ms: tenth(first.ms), packMs: tenth(sum(first.packMs)), calls: first.packMs.length, loadMs: tenth(loadMs), holds: first.ms <= MOST.firstMs },
    { measure: 'whole file', bytes, ms: tenth(totalMs), packMs: tenth(sum(slices)), processorMs: tenth((user + system) / 1_000), holds: totalMs <= MOST.wholeMs },
    { measure: 'slice', count: slices.length, medianMs: tenth(median(slices)), worstMs: tenth(Math.max(...slices)), ...over(slices, MOST.sliceMs) },
    { measure: 'memory', packMb: packMemoryMb, ...memory, holds: packMemoryMb <= MOST.packMb },
    { measure: 'appended turn', count: TURNS, medianMs: tenth(median(turnMs)), worstMs: tenth(Math.max(...turnMs)), withReadingMs: tenth(median(turns.map(({ ms }) => ms))), ...over(turnMs, MOST.turnMs) },
  ];
}

/** Takes the pack to the end of a moment, and tells how long each of its calls took. */
function createReader(pack, path) {
  const base = process.memoryUsage();
  const peak = { ...base };
  let packMs = [];
  const timed = {
    read(...request) {
      const start = now();
      const answer = pack.read(...request);
      packMs.push(now() - start);
      return answer;
    },
  };
  async function answer(ask) {
    if (ask.ask === 'config') return { config: {}, from: [] };
    if (ask.ask === 'claim') return { won: true };
    if (ask.ask !== 'text') return null;
    const text = await textOf(ask.path, ask.from, ask.bytes);
    for (const [name, size] of Object.entries(process.memoryUsage())) peak[name] = Math.max(peak[name], size);
    return text;
  }
  return {
    base,
    peak,
    async moment(moment, calls) {
      packMs = [];
      const start = now();
      const { done } = await weigh(timed, { do: 'moment', moment, path, now: Date.now(), holds: true }, { answer, carryOut() {} }, { calls });
      if (done.why === 'trap' || (calls === Infinity && done.more)) throw new Error(`not read: ${JSON.stringify(done)}`);
      return { ms: now() - start, packMs };
    },
  };
}

/** Every instance that is started from now on. */
function watchInstances() {
  const instances = [];
  WebAssembly.Instance = class extends WebAssembly.Instance {
    constructor(...args) {
      super(...args);
      instances.push(this);
    }
  };
  return instances;
}

function over(times, most) {
  const count = times.filter((ms) => ms >= most).length;
  return { over: count, holds: count === 0 };
}

function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

function tenth(value) {
  return Math.round(value * 10) / 10;
}

function megabytes(bytes) {
  return tenth(bytes / MEGABYTE);
}
