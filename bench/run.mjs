// `npm run bench`: what trimtab costs, as ratios, with the raw figures kept under tests/bench/runs/.
// Real clients run in scratch homes against a scripted model on 127.0.0.1. Judges nothing: that a bound does not hold is printed, and is no
// failure of the run.

import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseOptions } from '../cli/lib/options.mjs';
import { UserError } from '../cli/lib/user-error.mjs';
import { ClientError, ensureClient } from '../lab/client.mjs';
import { CLIENT_VERSIONS } from '../scripts/lib/clients.mjs';
import { capture } from '../scripts/lib/run.mjs';
import { COMMANDS, REPOSITORY } from './inputs.mjs';
import * as hooks from './parts/hooks.mjs';
import * as memory from './parts/memory.mjs';
import * as mod from './parts/mod.mjs';
import * as native from './parts/native.mjs';
import * as node from './parts/node.mjs';
import * as packs from './parts/packs.mjs';
import * as step from './parts/step.mjs';
import * as tools from './parts/tools.mjs';
import { printed, reportOf } from './report.mjs';

const PARTS = [mod, node, native, hooks, step, memory, packs, tools];
const [CLIENT] = CLIENT_VERSIONS;

/**
 * How much is measured. `sessions`: starts of the core, each with `rounds` through the `commands` and `sizeRounds` through the sizes; `hooks`:
 * processes of each kind; `stepRounds` sessions of `steps` for each setting; `calls`: for the memory;
 * `languages`, each with so many `outlines`, and a transcript of `megabytes` with so many `turns` behind: for the packs; a repository of `files`,
 * in which each tool looks for each name `toolRounds` times.
 */
const COUNTS = {
  full: { sessions: 5, rounds: 4, sizeRounds: 20, commands: COMMANDS.length, hooks: 100, stepRounds: 10, steps: 30, calls: 100_000, languages: 21, outlines: 5, megabytes: 100, turns: 100, files: 10_000, toolRounds: 5 },
  quick: { sessions: 2, rounds: 2, sizeRounds: 5, commands: COMMANDS.length, hooks: 15, stepRounds: 2, steps: 8, calls: 10_000, languages: 3, outlines: 5, megabytes: 100, turns: 100, files: 10_000, toolRounds: 1 },
  tiny: { sessions: 1, rounds: 1, sizeRounds: 1, commands: 20, hooks: 1, stepRounds: 1, steps: 1, calls: 100, languages: 1, outlines: 2, megabytes: 10, turns: 2, files: 1_000, toolRounds: 1 },
};

const OPTIONS = [
  { name: 'quick', summary: 'few samples, to see that it works; figures that prove nothing' },
  { name: 'tiny', summary: 'hardly any, for the tests' },
  { name: 'only', value: 'PARTS', summary: `some of ${PARTS.map((part) => part.name).join(',')}` },
  { name: 'json', summary: 'print the report as JSON' },
  { name: 'out', value: 'FOLDER', summary: 'where the raw figures go; tests/bench/runs if not said, and nowhere with --quick or --tiny' },
  { name: 'read', value: 'FILE', summary: 'print the report of a kept run, and measure nothing' },
  { name: 'help', summary: 'this' },
];

const USAGE = `npm run bench -- [options]
${OPTIONS.map(({ name, value, summary }) => `  ${`--${name}${value ? `=${value}` : ''}`.padEnd(14)} ${summary}`).join('\n')}
parts:
${PARTS.map(({ name, title }) => `  ${name.padEnd(14)} ${title}`).join('\n')}
`;

/** @typedef {{ client: () => Promise<string>, counts: object, scratch: string, log: (line: string) => void }} Bench */

async function main(args) {
  const { values, rest } = parseOptions(OPTIONS, args);
  if (rest.length > 0) throw new UserError(`\`npm run bench\` takes no \`${rest[0]}\`; \`--help\` lists the options`);
  if (values.help) return void process.stdout.write(USAGE);
  if (values.read) return show(JSON.parse(readFileSync(values.read, 'utf8')), values.json);
  const found = await measure(chosen(values.only), COUNTS[values.tiny ? 'tiny' : values.quick ? 'quick' : 'full']);
  const isShort = values.quick || values.tiny;
  if (values.out || !isShort) keep(found, resolve(values.out ?? join(REPOSITORY, 'tests/bench/runs')));
  show(found, values.json);
}

function chosen(only) {
  if (only === undefined) return PARTS;
  const names = only.split(',');
  const unknown = names.find((name) => !PARTS.some((part) => part.name === name));
  if (unknown !== undefined) throw new UserError(`unknown part \`${unknown}\`; there are ${PARTS.map((part) => part.name).join(', ')}`);
  return PARTS.filter(({ name }) => names.includes(name));
}

async function measure(parts, counts) {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'trimtab-bench-')));
  const found = { about: about(parts, counts), series: {}, facts: {} };
  try {
    for (const part of parts) {
      const log = (line) => process.stderr.write(`${part.name}: ${line}\n`);
      const start = performance.now();
      const { series, facts } = await part.run({ client: () => ensureClient(CLIENT, { log }), counts, scratch, log });
      Object.assign(found.series, series);
      Object.assign(found.facts, facts);
      found.about.load.push(loadavg()[0]);
      log(`done in ${Math.round((performance.now() - start) / 1000)} s`);
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return found;
}

/** What one must know to compare a run with another; nothing that names the machine or the person. */
function about(parts, counts) {
  const git = (...args) => capture('git', ['-C', REPOSITORY, ...args]).stdout.trim();
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain') ? ' with changes' : ''}`,
    client: CLIENT,
    node: process.version,
    system: `${process.platform} ${process.arch}`,
    processor: `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}`,
    parts: parts.map(({ name }) => name),
    counts,
    // The load of the last minute, before the first part and behind each.
    load: [loadavg()[0]],
  };
}

function show(found, isJson) {
  const report = reportOf(found);
  if (isJson) process.stdout.write(`${JSON.stringify({ about: found.about, ...report }, null, 2)}\n`);
  else process.stdout.write(`${Object.entries(found.about).map(([name, value]) => `${name.padEnd(10)}${typeof value === 'string' ? value : JSON.stringify(value)}`).join('\n')}\n\n${printed(report)}`);
}

/** A name that says when and of what, and not where. */
function keep(found, folder) {
  mkdirSync(folder, { recursive: true });
  const name = `${found.about.date}-${found.about.commit.replace(/ .*/, '')}`;
  for (let number = 1; ; number += 1) {
    const file = join(folder, `${name}${number === 1 ? '' : `-${number}`}.json`);
    try {
      writeFileSync(file, `${rowsOf(found)}\n`, { flag: 'wx' });
      return void process.stderr.write(`the raw figures are in ${file}\n`);
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
  }
}

/** A line for each series, so that two runs can be compared line by line. */
function rowsOf({ about, facts, series }) {
  const rows = Object.entries(series).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  return `{\n"about": ${JSON.stringify(about)},\n"facts": ${JSON.stringify(facts)},\n"series": {\n${rows.join(',\n')}\n}\n}`;
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  const isExpected = error instanceof UserError || error instanceof ClientError;
  process.stderr.write(`trimtab bench: ${isExpected ? error.message : error.stack}\n`);
  process.exitCode = 2;
}
