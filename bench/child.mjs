// A Node process of its own for what must start from nothing: a task in the arguments, its work as JSON on standard input, JSON on standard
// output.
//   time      the decisions of decide.js, in this engine
//   requests  the requests of the same decisions, as texts, one string with line breaks for each decision
//   outline   an outline of a source, in this engine, cold and again
//   memory    many distinct calls of several sessions, and how large the memory is at each of the wanted counts

import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { inflateSync } from 'node:zlib';
import { drive } from '../glue/core.js';
import { answer, ofCommand, startCore, timeCore, timeRounds } from './decide.js';
import { timeOutline } from './outline.js';

const SESSIONS = 50;
const TASKS = { time, requests, memory, outline };

const now = () => performance.now();
const wasm = () => new WebAssembly.Module(readFileSync(new URL('../pkg/trimtab_bg.wasm', import.meta.url)));

async function time(work) {
  const start = now();
  const module = wasm();
  const compile = now() - start;
  return { compile, ...(await timeCore(module, { ...work, now })) };
}

/** A round to warm up comes first. */
async function requests({ commands, rounds }) {
  const heard = [];
  const { core } = startCore(wasm(), (text) => heard.push(text));
  const calls = commands.map(ofCommand);
  await timeRounds(core, { calls, ways: ['judge'], rounds: rounds + 1, now, mark: 'native' });
  const decisions = [];
  // `facts` go on with the decision that is open: one call at a time was judged.
  for (const text of heard) {
    if (text.includes('"do":"facts"')) decisions[decisions.length - 1] += `\n${text}`;
    else decisions.push(text);
  }
  return decisions;
}

async function memory({ commands, counts }) {
  const { core, memoryBytes } = startCore(wasm());
  const bytes = {};
  for (let done = 1; done <= Math.max(...counts); done += 1) {
    // No two are the same; every second one is refused and remembered.
    const command = done % 2 === 0 ? `cat src/part-${done}.rs` : `${commands[done % commands.length].command}\ntrue ${done}`;
    const call = { id: `m${done}`, ...ofCommand({ command }).call, session: `memory-${done % SESSIONS}`, agent: null };
    const { done: verdict } = await drive(core, { do: 'judge', call }, answer);
    if (core.life !== 1 || !verdict) throw new Error(`call ${done} had no verdict`);
    if (counts.includes(done)) bytes[done] = memoryBytes();
  }
  return { bytes, resident: process.memoryUsage().rss };
}

function outline(work) {
  const read = (path) => readFile(new URL(`../pkg/${path}`, import.meta.url));
  return timeOutline({ read, inflate: inflateSync, compile: (bytes) => WebAssembly.compile(bytes), now }, work);
}

const [task] = process.argv.slice(2);
process.stdout.write(JSON.stringify(await TASKS[task](JSON.parse(readFileSync(0, 'utf8')))));
