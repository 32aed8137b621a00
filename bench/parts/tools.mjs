// Part `tools`: `find` and `usages` over a generated repository of Rust files, in the Node host and in a real client, beside `git grep` alone
// and beside a step of the client that does nothing. They take turns, so that a ratio stands whatever else the machine does.
// An answer that does not have the declaration ends the benchmark.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callTool, createAnswers } from '../../glue/answers.js';
import { drive } from '../../glue/core.js';
import { runSession } from '../../lab/client.mjs';
import { createHost } from '../../node/host.mjs';
import { packOf } from '../../node/packs.mjs';
import { series } from '../series.mjs';
import { makePlugin } from './step.mjs';

export const name = 'tools';
export const title = '`find` and `usages` over a repository';

const TOOLS = ['find', 'usages'];
const PER_FOLDER = 100;
const PLAIN = [{ tool: 'Bash', input: { command: 'true', description: 'Do nothing' } }];
const TIMEOUT_MS = 600_000;

/** @param {import('../run.mjs').Bench} bench */
export async function run({ client, counts: { files, toolRounds }, scratch, log }) {
  const root = join(scratch, 'repository');
  // How many files have a name in them, the one that declares it among them.
  const names = Object.fromEntries([1000, 100, 10, 1].map((part) => [`name_${files / part}`, files / part]));
  generate(root, files, names);
  const plan = Object.keys(names).flatMap((name) => TOOLS.map((tool) => ({ tool, name })));
  const times = Object.fromEntries(Object.values(names).map((count) => [git(count), []]));
  for (const { tool, name } of plan) for (const host of ['node', 'mod']) times[key(host, tool, names[name])] = [];
  times['mod step beside the tools'] = [];

  const answers = createAnswers(await packOf('answers'));
  await packOf('rust');
  const plugin = makePlugin(join(scratch, 'tools'));
  for (let round = 0; round < toolRounds; round += 1) {
    for (const [name, count] of Object.entries(names)) times[git(count)].push([await time(() => grep(root, name))]);
    for (const { tool, name } of plan) times[key('node', tool, names[name])].push([await time(() => inNode(answers, root, tool, name))]);
    const steps = await inClient(await client(), plugin, root, plan);
    times['mod step beside the tools'].push(steps.plain);
    for (const [at, { tool, name }] of plan.entries()) times[key('mod', tool, names[name])].push([steps.tools[at]]);
    log(`round ${round + 1} of ${toolRounds}`);
  }
  return { series: Object.fromEntries(Object.entries(times).map(([key, groups]) => [key, series(groups)])), facts: {} };
}

const git = (count) => `git grep, ${count} candidates`;
const key = (host, tool, count) => `${host} ${tool}, ${count} candidates`;

/** Files of about 2,400 bytes with eight functions each. */
function generate(root, files, names) {
  for (let file = 0; file < files; file += 1) {
    const folder = join(root, `part${Math.floor(file / PER_FOLDER)}`);
    mkdirSync(folder, { recursive: true });
    const calls = Object.keys(names).filter((name) => file % (files / names[name]) === 0);
    const functions = Array.from({ length: 8 }, (_, at) => functionOf(file, at, at < calls.length ? `${calls[at]}(total);` : ''));
    const declared = file === 0 ? Object.keys(names).map((name) => `pub fn ${name}(total: u32) {}`) : [];
    writeFileSync(join(folder, `file${file}.rs`), `${['use std::fmt;', `pub struct Thing${file} {\n    name: String,\n}`, ...functions, ...declared].join('\n\n')}\n`);
  }
  const git = (...args) => execFileSync('git', args, { cwd: root, env: { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null' } });
  git('init', '--quiet');
  git('add', '.');
}

function functionOf(file, at, call) {
  return `/// Does part ${at}.
pub fn part_${file}_${at}(input: &str, count: u32) -> Option<String> {
    let mut total = count;
    for word in input.split_whitespace() {
        if word.len() > 3 {
            total += word.len() as u32;
        }
    }
    ${call}
    Some(format!("{input} {total}"))
}`;
}

function grep(root, name) {
  spawnSync('git', ['grep', '--untracked', '-n', '-z', '-I', '-F', '-w', '-e', name], { cwd: root, maxBuffer: 1e9 });
}

async function inNode(answers, root, tool, name) {
  const host = createHost({ cwd: root });
  const answer = (ask) => (ask.ask === 'may-read' ? { allowed: ask.paths.map(() => true) } : host.answer(ask));
  check(name, await callTool(drive, answers, { tool, args: { name } }, answer));
}

/** A session that calls each once, a step that does nothing behind each. */
async function inClient(client, plugin, root, plan) {
  const calls = plan.map(({ tool, name }) => [{ tool: `mcp__trimtab__${tool}`, input: { name } }]);
  // The packs are loaded in the first.
  const turns = [PLAIN, [{ tool: 'mcp__trimtab__find', input: { name: 'part_0_0' } }], ...calls.flatMap((call) => [call, PLAIN])];
  const { requests, results } = await runSession({ client, plugins: [plugin], cwd: root, timeoutMs: TIMEOUT_MS, script: { main: [...turns, [{ text: 'done' }]] } });
  if (results.length !== turns.length) throw new Error(`${results.length} of ${turns.length} calls of the tools were answered`);
  plan.forEach(({ name }, at) => check(name, results[2 + 2 * at]));
  const at = requests.filter(({ conversation }) => conversation === 'main').map((request) => request.at);
  const steps = at.slice(1).map((time, index) => time - at[index]).slice(2);
  return { tools: steps.filter((_, index) => index % 2 === 0), plain: steps.filter((_, index) => index % 2 === 1) };
}

function check(name, { text }) {
  if (!text.includes(`pub fn ${name}(`)) throw new Error(`no declaration of ${name} in ${JSON.stringify(text.slice(0, 200))}`);
}

async function time(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
