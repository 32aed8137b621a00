// `node bench/tools.mjs [files] [rounds]`: `find` and `usages` over a generated repository, beside `git grep` alone, in the Node host.
// Git and tool take turns in one run, so that a ratio stands whatever else the machine does. Judges nothing: a line says what was measured.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { callTool, createAnswers } from '../glue/answers.js';
import { drive } from '../glue/core.js';
import { createHost } from '../node/host.mjs';
import { packOf } from '../node/packs.mjs';
import { quantile } from './stats.mjs';

const [files = 10_000, rounds = 5] = process.argv.slice(2).map(Number);
const median = (values) => quantile(values, 0.5);
const root = realpathSync(mkdtempSync(join(tmpdir(), 'trimtab-bench-')));
// How many files have a name in them beside the one that declares it.
const NAMES = { in_few: files / 1000, in_some: files / 100, in_many: files / 10, in_all: files };

try {
  generate();
  const answers = createAnswers(await packOf('answers'));
  await packOf('rust');
  for (const name of Object.keys(NAMES)) for (const tool of ['find', 'usages']) console.log(JSON.stringify(await compare(answers, tool, name)));
} finally {
  rmSync(root, { recursive: true, force: true });
}

/** Files of about 2,400 bytes with eight functions each, a hundred to a folder. */
function generate() {
  for (let file = 0; file < files; file += 1) {
    const folder = join(root, `part${Math.floor(file / 100)}`);
    mkdirSync(folder, { recursive: true });
    const calls = Object.keys(NAMES).filter((name) => file % (files / NAMES[name]) === 0);
    const functions = Array.from({ length: 8 }, (_, at) => functionOf(file, at, at < calls.length ? `${calls[at]}(total);` : ''));
    const declared = file === 0 ? Object.keys(NAMES).map((name) => `pub fn ${name}(total: u32) {}`) : [];
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

async function compare(answers, tool, name) {
  const host = createHost({ cwd: root });
  const [git, ours] = [[], []];
  let read;
  let text;
  for (let round = 0; round < rounds; round += 1) {
    git.push(await time(() => spawnSync('git', ['grep', '--untracked', '-n', '-z', '-I', '-F', '-w', '-e', name], { cwd: root, maxBuffer: 1e9 })));
    read = 0;
    const answer = (ask) => {
      if (ask.ask === 'declarations') read += 1;
      return ask.ask === 'may-read' ? { allowed: ask.paths.map(() => true) } : host.answer(ask);
    };
    ours.push(await time(async () => ({ text } = await callTool(drive, answers, { tool, args: { name } }, answer))));
  }
  const candidates = NAMES[name];
  const bound = 3 * median(git) + candidates;
  return {
    tool,
    name,
    candidates,
    read,
    gitMs: Math.round(median(git)),
    toolMs: Math.round(median(ours)),
    boundMs: Math.round(bound),
    isPartial: /^Not complete/m.test(text),
    holds: median(ours) <= bound,
    load: loadavg()[0],
  };
}

async function time(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
