// Part `packs`: how long a pack takes to load, and to outline a source of 200 KB for the first time and again, inside a real client and in
// Node; and the reading of a transcript of 100 MB inside the client. A session or a process for each pack, because only a new one is cold.

import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runSession } from '../../lab/client.mjs';
import { REPOSITORY } from '../inputs.mjs';
import { series } from '../series.mjs';
import { LANGUAGES, sourceOf } from '../sources.mjs';
import { createTurns, writeTranscript } from '../transcript.mjs';
import { child } from './node.mjs';

export const name = 'packs';
export const title = 'the packs: loading them, outlining a source, reading a transcript';

const SOURCE_BYTES = 200_000;
const TURN_BYTES = 50_000;
const MEGABYTE = 1_000_000;

/** @param {import('../run.mjs').Bench} bench */
export async function run({ client, counts, scratch, log }) {
  const program = await client();
  const found = {};
  const facts = {};
  for (const language of LANGUAGES.slice(0, counts.languages)) {
    const { path, text } = sourceOf(language, SOURCE_BYTES);
    const work = { language, path, rounds: counts.outlines };
    const inside = await session(program, scratch, work, (root) => writeFileSync(join(root, 'source.txt'), text));
    const outside = child('outline', { ...work, text });
    for (const [host, figures] of [['mod', inside], ['node', outside]]) {
      const { load } = figures;
      const key = (what) => `${host} pack ${language}, ${what}`;
      for (const step of ['inflate', 'compile', 'instantiate']) found[key(step)] = series([[load[step]]]);
      found[key('a MB of it loaded')] = series([[perMegabyte(load)]]);
      found[key('outline, cold')] = series([figures.outline.slice(0, 1)]);
      found[key('outline')] = series([figures.outline.slice(1)]);
      found[key('declarations, cold')] = series([figures.parse.slice(0, 1)]);
      found[key('declarations')] = series([figures.parse.slice(1)]);
    }
    log(`${language}, ${inside.bytes} bytes, ${inside.declarations} declarations`);
  }
  Object.assign(found, await transcript(program, scratch, counts, facts));
  return { series: found, facts };
}

const perMegabyte = ({ bytes, inflate, compile, instantiate }) => ((inflate + compile + instantiate) * MEGABYTE) / bytes;

async function transcript(program, scratch, { megabytes, turns }, facts) {
  const path = join(scratch, '00000000-0000-4000-8000-000000000001.jsonl');
  writeTranscript(path, { bytes: megabytes * MEGABYTE });
  const figures = await session(program, scratch, { transcript: path, turns }, (root) => writeTurns(join(root, 'turns'), turns));
  rmSync(path);
  const slices = [...figures.first.packMs, ...figures.rest.packMs];
  facts['mod weight: calls of the pack above 20 ms'] = slices.filter((ms) => ms > 20).length;
  facts['mod weight: the longest of them, ms'] = Math.max(...slices);
  return {
    'mod weight, a MB of it loaded': series([[perMegabyte(figures.load)]]),
    'mod weight, first answer': series([[figures.first.ms]]),
    'mod weight, whole file': series([[figures.first.ms + figures.rest.ms]]),
    'mod weight, whole file in the pack': series([[slices.reduce((total, ms) => total + ms, 0)]]),
    'mod weight, one call of the pack': series([slices]),
    'mod weight, an appended turn in the pack': series([figures.appended.map(({ packMs }) => packMs.reduce((total, ms) => total + ms, 0))]),
  };
}

/** A file for each turn, which the module has appended. */
function writeTurns(folder, count) {
  mkdirSync(folder);
  const more = createTurns();
  for (let turn = 0; turn < count; turn += 1) {
    for (let bytes = 0; bytes < TURN_BYTES; ) {
      const text = more.turn();
      appendFileSync(join(folder, String(turn)), text);
      bytes += text.length;
    }
  }
}

/** What the module of a throw-away plugin found in one session. */
async function session(program, scratch, work, prepare) {
  const root = join(scratch, 'packs');
  for (const part of ['glue', 'pkg']) cpSync(join(REPOSITORY, part), join(root, part), { recursive: true });
  for (const folder of ['.claude-plugin', 'hooks', 'mod', 'bench']) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, '.claude-plugin/plugin.json'), JSON.stringify({ name: 'trimtab-bench', version: '0.0.0', description: 'Times the packs of trimtab inside the client' }));
  writeFileSync(join(root, 'hooks/hooks.json'), JSON.stringify({ modules: ['../mod/module.js'] }));
  cpSync(join(REPOSITORY, 'bench/packs-module.js'), join(root, 'mod/module.js'));
  cpSync(join(REPOSITORY, 'bench/outline.js'), join(root, 'bench/outline.js'));
  writeFileSync(join(root, 'work.json'), JSON.stringify(work));
  prepare(root);
  const { debug } = await runSession({ client: program, plugins: [root], script: { main: [[{ text: 'done' }]] } });
  const file = join(root, 'figures.json');
  const figures = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { error: debug.split('\n').find((line) => line.includes('trimtab-bench')) ?? 'no figures' };
  rmSync(root, { recursive: true });
  if (figures.error) throw new Error(`the module of the benchmark gave no figures: ${figures.error}`);
  return figures;
}
