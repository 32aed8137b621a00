// The benchmark: that its figures are worked out right, that its parts run, and that both boundaries of the core give the same answers.
// Asserts no time.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { answer, ofCommand, sizes, startCore } from '../../bench/decide.js';
import { COMMANDS, REPOSITORY } from '../../bench/inputs.mjs';
import { printed, reportOf } from '../../bench/report.mjs';
import { comparison, quantile, summary } from '../../bench/stats.mjs';
import { stepValue } from '../../pkg/trimtab.js';
import { scratch } from './support/plugin.mjs';

const wasm = () => new WebAssembly.Module(readFileSync(join(REPOSITORY, 'pkg/trimtab_bg.wasm')));

test('a quantile is a sample, and an interval lies around the median of the same samples each time', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
  assert.deepEqual([0.5, 0.99, 1].map((q) => quantile(hundred, q)), [50, 99, 100]);
  const { n, median, low, high, min } = summary(hundred.map((value) => [value]));
  assert.deepEqual([n, median, min], [100, 50, 1]);
  assert.ok(low < median && median < high, `${low} ${median} ${high}`);
  assert.deepEqual(summary([[1, 2], [3, 4]]), summary([[1, 2], [3, 4]]));
});

test('two series of the same rounds are compared by round: a constant step between them has no spread', () => {
  const rounds = [[1, 2, 3], [10, 20, 30], [5, 6, 7]];
  const later = rounds.map((round) => round.map((value) => value + 2));
  assert.deepEqual(comparison(later, rounds, (one, other) => one(0.5) - other(0.5)), { value: 2, low: 2, high: 2 });
});

test('a bound holds up to its limit, does not beyond it, and is left out where its part was not run', () => {
  const ms = (...values) => ({ unit: 'ms', groups: values.map((value) => [value]) });
  const found = (early) => ({ facts: {}, series: { 'sh -c :': ms(2, 2, 2), 'early exit, the module answers': ms(early, early, early) } });
  const [held] = reportOf(found(4)).bounds;
  assert.deepEqual([held.value, held.most, held.holds], [2, 2, true]);
  const broken = reportOf(found(4.1));
  assert.deepEqual(broken.bounds.map(({ holds }) => holds), [false]);
  assert.match(printed(broken), /early exit.* × sh -c :[^]*does not hold$/m);
});

test('the texts and the value boundary give the same answers to every command, and to a large structure', () => {
  const { core } = startCore(wasm());
  const stepsOf = (step, call) => {
    const answers = [];
    let outcome = step({ v: 1, do: 'judge', intents: true, call });
    for (; outcome.need; outcome = step({ v: 1, do: 'facts', call: outcome.call, facts: outcome.need.map(answer) })) answers.push(outcome.need);
    const { call: number, ...last } = outcome;
    return [...answers, last];
  };
  const calls = [...COMMANDS.map(ofCommand), ...sizes(COMMANDS)].map(({ call }) => call);
  assert.ok(calls.length > 300);
  let refused = 0;
  for (const [index, call] of calls.entries()) {
    // Both boundaries lead to the same memory, so each has sessions of its own, and asks for the configuration anew.
    core.step({ do: 'refresh' });
    const texts = stepsOf((request) => core.step(request), { ...call, session: `text-${index}` });
    core.step({ do: 'refresh' });
    const values = stepsOf(stepValue, { ...call, session: `value-${index}` });
    assert.deepEqual(JSON.parse(JSON.stringify(values).replaceAll(`value-${index}`, `text-${index}`)), texts, call.input.command.slice(0, 200));
    if (texts.at(-1).done.verdict === 'redirect') refused += 1;
  }
  assert.ok(refused > 5, `${refused} refused`);
});

test('what is no plain data throws at the value boundary, and the instance judges on', () => {
  const { core } = startCore(wasm());
  assert.throws(() => stepValue({ v: 1, do: 'echo', value: () => 1 }));
  assert.throws(() => stepValue({ v: 1, do: 'echo', value: Symbol('s') }));
  assert.equal(core.selfCheck(), core.step({ do: 'check' }).version);
  assert.deepEqual(stepValue({ v: 1, do: 'echo', value: { 'half a pair': '\ud800', none: undefined, list: [1, -2, 0.5, null, true] } }), {
    v: 1,
    value: { 'half a pair': '\ufffd', none: null, list: [1, -2, 0.5, null, true] },
  });
});

test('the parts that need no client and no cargo run, and keep their raw figures', (t) => {
  const out = scratch(t);
  const done = spawnSync(process.execPath, ['bench/run.mjs', '--tiny', '--only=node,hooks,memory', '--json', `--out=${out}`], { cwd: REPOSITORY, encoding: 'utf8' });
  assert.equal(done.status, 0, done.stderr);
  const { rows, bounds } = JSON.parse(done.stdout);
  for (const key of ['node judge', 'node echoValue', 'node judge, 100 KB', 'full hook, refuses']) assert.ok(rows.some((row) => row.key === key), key);
  assert.ok(bounds.some(({ says }) => says.startsWith('bytes that the wasm memory grows')));
  const [file, ...more] = readdirSync(out);
  assert.deepEqual(more, []);
  const kept = JSON.parse(readFileSync(join(out, file), 'utf8'));
  assert.equal(kept.series['node judge'].groups.flat().length, 20);
  const again = spawnSync(process.execPath, ['bench/run.mjs', `--read=${join(out, file)}`, '--json'], { cwd: REPOSITORY, encoding: 'utf8' });
  assert.equal(again.stdout, done.stdout);
});

test('an unknown part or option is named, and nothing is measured', () => {
  for (const [arg, text] of [['--only=wings', /unknown part `wings`/], ['--quik', /unknown option `--quik`/]]) {
    const { status, stderr, stdout } = spawnSync(process.execPath, ['bench/run.mjs', arg], { cwd: REPOSITORY, encoding: 'utf8' });
    assert.equal(status, 2);
    assert.equal(stdout, '');
    assert.match(stderr, text);
  }
});
