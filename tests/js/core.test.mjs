// The glue every host shares: the loop over the wire, and what it does when the core breaks.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createCore, drive } from '../../glue/core.js';
import { ACROSS_TRAP, TRAPPING, acrossTrap } from '../browser/core.mjs';

const MODULE = new WebAssembly.Module(TRAPPING);
const TRAPPED = { done: { verdict: 'pass', why: 'trap' }, effects: [{ effect: 'record', code: 'trap' }] };

/** Bindings over a pretend core: `answer(request, trap)` gives the wire's answer as an object, or as the text itself. */
function bindingsOf(answer) {
  const made = { instances: 0 };
  const start = () => {
    made.instances += 1;
    made.trap = new WebAssembly.Instance(MODULE).exports.trap;
  };
  return {
    made,
    initSync: start,
    __wbg_reset_state: start,
    step(text) {
      const answered = answer(JSON.parse(text), made.trap);
      return typeof answered === 'string' ? answered : JSON.stringify(answered);
    },
  };
}

const coreOf = (answer) => createCore(MODULE, bindingsOf(answer));
const passing = { v: 1, call: 1, done: { verdict: 'pass', why: 'quiet' } };

test('a call that needs nothing ends with the first answer', async () => {
  const core = coreOf((request) => (request.do === 'judge' && request.v === 1 ? passing : {}));
  assert.deepEqual(await drive(core, { do: 'judge', call: {} }, () => assert.fail('nothing was asked')), passing);
});

test('asks are answered side by side and handed back in the order they were asked', async () => {
  const core = coreOf((request) => (request.do === 'facts' ? { ...passing, got: request } : { v: 1, call: 7, need: [{ ask: 'slow' }, { ask: 'quick' }] }));
  const order = [];
  let release;
  const slow = new Promise((resolve) => (release = resolve));
  const outcome = await drive(core, { do: 'judge' }, async ({ ask }) => {
    order.push(`asked ${ask}`);
    if (ask === 'slow') await slow;
    else release();
    order.push(`knows ${ask}`);
    return { name: ask };
  });
  assert.deepEqual(order, ['asked slow', 'asked quick', 'knows quick', 'knows slow']);
  assert.deepEqual(outcome.got, { v: 1, do: 'facts', call: 7, facts: [{ name: 'slow' }, { name: 'quick' }] });
});

test('an answer that throws, rejects or says nothing counts as "could not tell"', async () => {
  const core = coreOf((request) => (request.do === 'facts' ? { ...passing, facts: request.facts } : { v: 1, call: 1, need: [{ ask: 'throws' }, { ask: 'rejects' }, { ask: 'silent' }] }));
  const outcome = await drive(core, { do: 'judge' }, ({ ask }) => {
    if (ask === 'throws') throw new Error('no');
    return ask === 'rejects' ? Promise.reject(new Error('no')) : undefined;
  });
  assert.deepEqual(outcome.facts, [null, null, null]);
});

test('a trap lets the call pass, leaves a record, and the next call has a new instance', async () => {
  const bindings = bindingsOf((request, trap) => (request.boom ? trap() : passing));
  const core = createCore(MODULE, bindings);
  assert.deepEqual(await drive(core, { do: 'judge', boom: true }, () => null), TRAPPED);
  assert.equal(bindings.made.instances, 2);
  assert.equal(core.isDead, false);
  assert.deepEqual(await drive(core, { do: 'judge' }, () => null), passing);
  assert.equal(bindings.made.instances, 2, 'a healthy instance is kept');
});

test('an answer nobody can read is treated like a trap', async () => {
  for (const unreadable of ['', 'not json', 'null', '7', '{"need":5}', '{"done":null}', '{"done":{}}', '{"done":{"verdict":"pass","why":"x"},"effects":{}}']) {
    const core = coreOf(() => unreadable);
    assert.deepEqual(await drive(core, { do: 'judge' }, () => null), TRAPPED, unreadable);
    assert.equal(core.life, 2, unreadable);
  }
});

test('a core that cannot be started again is dead, and everything passes', async () => {
  const bindings = bindingsOf((request, trap) => trap());
  bindings.__wbg_reset_state = () => {
    throw new Error('no memory left');
  };
  const core = createCore(MODULE, bindings);
  assert.deepEqual(await drive(core, { do: 'judge' }, () => null), TRAPPED);
  assert.equal(core.isDead, true);
  assert.deepEqual(await drive(core, { do: 'judge' }, () => null), { done: { verdict: 'pass', why: 'dead' } });
  assert.throws(() => core.selfCheck(), /self-check/);
});

test('a call that was waiting while another one trapped passes, and its facts reach no stranger', async () => {
  const seen = [];
  const core = coreOf((request, trap) => {
    seen.push(request.do);
    if (request.do === 'trap') trap();
    return { v: 1, call: 1, need: [{ ask: 'stat' }] };
  });
  const outcome = await drive(core, { do: 'judge' }, async () => core.step({ do: 'trap' }) && {});
  assert.deepEqual(outcome, { done: { verdict: 'pass', why: 'trap' } });
  assert.deepEqual(seen, ['judge', 'trap']);
});

test('a core that never stops asking is left after a few rounds', async () => {
  let asked = 0;
  const outcome = await drive(coreOf(() => ({ v: 1, call: 1, need: [{ ask: 'stat' }] })), { do: 'judge' }, () => (asked += 1));
  assert.deepEqual(outcome, { done: { verdict: 'pass', why: 'rounds' }, effects: [{ effect: 'record', code: 'rounds' }] });
  assert.ok(asked < 20, `${asked} asks`);
});

test('a request the core does not understand passes, with the error for the record', async () => {
  const error = { code: 'unknown-request', message: 'unknown request `x`' };
  const outcome = await drive(coreOf(() => ({ v: 1, error })), { do: 'x' }, () => null);
  assert.deepEqual(outcome, { done: { verdict: 'pass', why: 'wire' }, effects: [{ effect: 'record', code: 'unknown-request' }], error });
});

test('a request that is no JSON passes and costs no instance', async () => {
  const core = coreOf(() => passing);
  const circular = {};
  circular.self = circular;
  for (const input of [circular, 10n]) assert.equal((await drive(core, { do: 'judge', input }, () => null)).done.why, 'request-not-json');
  assert.equal(core.life, 1);
});

test('a lone surrogate crosses as U+FFFD, and an escape that is itself text stays text', async () => {
  const echo = coreOf((request) => ({ ...passing, text: request.text }));
  const cases = [
    ['a\ud800b', 'a\ufffdb'],
    ['\udfff', '\ufffd'],
    ['\ud83d\ude00', '\ud83d\ude00'],
    ['\\ud800', '\\ud800'],
    ['\\\ud800', '\\\ufffd'],
    ['\\\\udcff "quoted"\n', '\\\\udcff "quoted"\n'],
  ];
  for (const [text, crossed] of cases) assert.equal((await drive(echo, { do: 'judge', text }, () => null)).text, crossed, JSON.stringify(text));
  const key = coreOf((request) => ({ ...passing, keys: Object.keys(request.input) }));
  assert.deepEqual((await drive(key, { do: 'judge', input: { 'k\ud801': 1 } }, () => null)).keys, ['k\ufffd']);
});

test('the self-check takes a core that says it is well, and no other', () => {
  assert.equal(coreOf(() => ({ v: 1, ok: true, version: '9.9.9' })).selfCheck(), '9.9.9');
  for (const answer of [{ v: 1, ok: false }, { v: 1 }, { v: 1, ok: 'yes' }, 'not json']) assert.throws(() => coreOf(() => answer).selfCheck(), /self-check/, JSON.stringify(answer));
});

test('the built core goes on after a trap, in an instance that knows nothing of the one before', async () => {
  const module = new WebAssembly.Module(readFileSync(new URL('../../pkg/trimtab_bg.wasm', import.meta.url)));
  assert.deepEqual(await acrossTrap(module), ACROSS_TRAP);
});
