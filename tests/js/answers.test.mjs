// The last door before a command hook's standard output: nothing but the closed set of answers comes through.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printable } from '../../node/answers.mjs';

const specific = (fields) => JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } });
const ALLOWED = {
  'a refusal with its reason': specific({ permissionDecision: 'deny', permissionDecisionReason: 'too large' }),
  'text beside the result': specific({ additionalContext: 'mind the size' }),
  'a line for the person': JSON.stringify({ systemMessage: 'trimtab is off' }),
};
const REFUSED = {
  'an allow': specific({ permissionDecision: 'allow', permissionDecisionReason: 'x' }),
  'an ask': specific({ permissionDecision: 'ask', permissionDecisionReason: 'x' }),
  'a defer': specific({ permissionDecision: 'defer', permissionDecisionReason: 'x' }),
  'a decision that only looks like deny': specific({ permissionDecision: 'Deny', permissionDecisionReason: 'x' }),
  'a decision that is a list': specific({ permissionDecision: ['deny'], permissionDecisionReason: 'x' }),
  'a refusal without a reason': specific({ permissionDecision: 'deny' }),
  'a reason that is no text': specific({ permissionDecision: 'deny', permissionDecisionReason: 7 }),
  'context with a decision': specific({ permissionDecision: 'allow', additionalContext: 'x' }),
  'context with a refusal': specific({ permissionDecision: 'deny', permissionDecisionReason: 'x', additionalContext: 'x' }),
  'changed input': specific({ additionalContext: 'x', updatedInput: { command: 'true' } }),
  'changed input with a refusal': specific({ permissionDecision: 'deny', permissionDecisionReason: 'x', updatedInput: {} }),
  'another event': JSON.stringify({ hookSpecificOutput: { hookEventName: 'PermissionRequest', additionalContext: 'x' } }),
  'the old spelling of allow': JSON.stringify({ decision: 'approve', reason: 'x' }),
  'the old spelling beside a line for the person': JSON.stringify({ systemMessage: 'x', decision: 'approve' }),
  'a stop of the whole session': JSON.stringify({ continue: false, systemMessage: 'x' }),
  'an allow with a hidden key': '{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"x","__proto__":{"permissionDecision":"allow"}}}',
  'two values in a row': `${specific({ additionalContext: 'x' })}${specific({ additionalContext: 'x' })}`,
  'nothing': '',
  'no JSON': 'allow',
  'null': 'null',
  'a list': '[]',
  'an empty object': '{}',
};

test('a refusal with a reason, text without a decision, and a line for the person come through as they are', () => {
  for (const [title, text] of Object.entries(ALLOWED)) assert.equal(printable(text, 'PreToolUse'), text, title);
});

test('anything else does not come through', () => {
  for (const [title, text] of Object.entries(REFUSED)) assert.equal(printable(text, 'PreToolUse'), null, title);
});

test('a key written twice cannot hide a decision from us that another reader would find', () => {
  const twice = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecision":"deny","permissionDecisionReason":"x"}}';
  assert.equal(printable(twice, 'PreToolUse'), specific({ permissionDecision: 'deny', permissionDecisionReason: 'x' }));
  assert.equal(printable(twice.replace('"allow","permissionDecision":"deny"', '"deny","permissionDecision":"allow"'), 'PreToolUse'), null);
});

test('whatever is put together from the words of the protocol, no answer grants a permission', () => {
  const random = seeded(20_26);
  const keys = ['hookSpecificOutput', 'hookEventName', 'permissionDecision', 'permissionDecisionReason', 'additionalContext', 'systemMessage', 'decision', 'updatedInput', 'continue', 'suppressOutput'];
  const words = ['PreToolUse', 'deny', 'allow', 'ask', 'approve', 'block', 'because'];
  const pick = (list) => list[Math.floor(random() * list.length)];
  const value = (depth) => (depth > 0 && random() < 0.5 ? object(depth - 1) : random() < 0.9 ? pick(words) : pick([true, null, 7, [], ['allow']]));
  const object = (depth) => Object.fromEntries(Array.from({ length: Math.floor(random() * 4) }, () => [pick(keys), value(depth)]));
  // Half of them start from a good answer, so that the door is tried near its opening.
  const seed = Object.values(ALLOWED).map((text) => JSON.parse(text));
  let through = 0;
  for (let n = 0; n < 20_000; n += 1) {
    const answer = random() < 0.5 ? object(3) : structuredClone(pick(seed));
    const inner = answer.hookSpecificOutput;
    if (random() < 0.3 && inner && typeof inner === 'object' && !Array.isArray(inner)) inner[pick(keys)] = value(1);
    const printed = printable(JSON.stringify(answer), 'PreToolUse');
    if (printed === null) continue;
    through += 1;
    const { decision, hookSpecificOutput } = JSON.parse(printed);
    assert.equal(decision, undefined);
    assert.ok([undefined, 'deny'].includes(hookSpecificOutput?.permissionDecision), printed);
    assert.equal(hookSpecificOutput?.updatedInput, undefined);
  }
  assert.ok(through > 1000, `only ${through} came through: the test tried nothing`);
});

/** Numbers from 0 to 1, the same in every run (mulberry32). */
function seeded(state) {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
