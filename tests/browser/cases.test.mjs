// Every case and every sequence of the Rust tests again, through `pkg/` in Node and in a headless Chromium: the same bytes.
// The native tests write down what they asked and what was said, so nothing here reads a case file.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { chromiumOrNote } from '../../scripts/lib/chromium.mjs';
import { REPO } from '../../scripts/lib/prefix.mjs';
import { capture } from '../../scripts/lib/run.mjs';
import { ACROSS_TRAP, answersTo, valuesTo } from './core.mjs';
import { openPage } from './support/page.mjs';

const module = new WebAssembly.Module(readFileSync(join(REPO, 'pkg/trimtab_bg.wasm')));
const pair = chromiumOrNote();
const skip = !pair && 'no Chromium here';

/** A story is a list of `[request, answer]`. */
const storiesIn = (file) => readFileSync(file, 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line));
const column = (stories, i) => stories.map((story) => story.map((step) => step[i]));

let cases;
let sequences;
let page;

before(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-record-'));
  try {
    // Not shown when all is well: these tests have been counted by then.
    const { status, stdout, stderr } = capture('cargo', ['test', '--locked', '--test', 'cases', '--test', 'sequences'], { cwd: REPO, env: { ...process.env, RECORD: folder } });
    assert.equal(status, 0, `the native tests failed: ${stdout}${stderr}`);
    [cases, sequences] = ['cases', 'sequences'].map((name) => storiesIn(join(folder, `${name}.jsonl`)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (pair) page = await openPage(pair);
});

after(() => page?.close());

async function assertSameBytes(stories, answer) {
  const [requests, expected] = [column(stories, 0), column(stories, 1)];
  const said = await answer(requests);
  // One at a time, so that a difference shows beside its request. Texts that came out of UTF-8 are equal when their bytes are.
  stories.forEach((_, i) => assert.deepEqual(said[i], expected[i], `asked: ${requests[i].join('\n')}`));
  assert.equal(said.length, stories.length);
}

test('the native tests wrote down cases and sequences with refusals among them', () => {
  assert.ok(cases.length > 100, `${cases.length} cases`);
  assert.ok(sequences.length > 20, `${sequences.length} sequences`);
  const refusals = column([...cases, ...sequences], 1).flat().filter((answer) => JSON.parse(answer).done?.verdict === 'redirect');
  assert.ok(refusals.length > 50, `${refusals.length} refusals`);
  console.log(`${cases.length} cases, ${sequences.length} sequences, ${column([...cases, ...sequences], 0).flat().length} requests; ${page ? page.agent : 'no browser'}`);
});

test('every case is answered by the wasm in Node with the bytes of the native core', () => assertSameBytes(cases, (requests) => answersTo(module, requests)));
test('every sequence is answered by the wasm in Node with the bytes of the native core', () => assertSameBytes(sequences, (requests) => answersTo(module, requests)));
test('every case is answered in Chromium with the bytes of the native core', { skip }, () => assertSameBytes(cases, (requests) => page.call('answersTo', requests)));
test('every sequence is answered in Chromium with the bytes of the native core', { skip }, () => assertSameBytes(sequences, (requests) => page.call('answersTo', requests)));

async function assertSameValues(stories, answer) {
  const said = await answer(column(stories, 0));
  stories.forEach((story, i) => assert.deepEqual(said[i], story.map(([, expected]) => JSON.parse(expected)), story[0][0]));
}

test('every case comes to the same where values cross instead of texts, in Node', () => assertSameValues(cases, (requests) => valuesTo(module, requests)));
test('every case comes to the same where values cross instead of texts, in Chromium', { skip }, () => assertSameValues(cases, (requests) => page.call('valuesTo', requests)));

test('in Chromium a trap passes and is recorded, and the next instance knows nothing of the one before', { skip }, async () => assert.deepEqual(await page.call('acrossTrap'), ACROSS_TRAP));
