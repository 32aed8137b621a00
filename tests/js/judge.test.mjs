// `trimtab judge` as a filter: one answer a line, in order, whatever the lines are.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makePlugin } from './support/plugin.mjs';

// Says back what it was asked, as the reason; "boom" traps, "wrong" is refused.
const ECHO = `
  if (request.do === 'facts') return { v: 1, done: { verdict: 'pass', why: JSON.stringify(request.facts) } };
  const { call } = request;
  if (call.tool === 'boom') throw new Error('trap');
  if (call.tool === 'wrong') return { v: 1, error: { code: 'bad-call', message: 'the call is wrong' } };
  if (call.asks) return { v: 1, call: 1, need: call.asks };
  return { v: 1, done: { verdict: 'pass', why: JSON.stringify(request) } };`;

async function judged(plugin, lines, ...args) {
  const input = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  const { code, stdout, stderr } = await plugin.cli(['judge', ...args], { input });
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  return stdout === '' ? [] : stdout.trimEnd().split('\n').map((line) => JSON.parse(line));
}

test('lines are answered in order, and a bad one is answered with an error while the rest goes on', async (t) => {
  const answers = await judged(makePlugin(t, { core: ECHO }), [
    { id: '1', tool: 'Bash', input: {} },
    'not json',
    '',
    '[1]',
    'null',
    { id: '5' },
    { id: '6', tool: 7 },
    { id: '7', tool: 'wrong' },
    '{"id":"8","tool":"Bash"',
    { id: '9', tool: 'Read', input: {} },
  ]);
  assert.deepEqual(answers.map(({ id, error, verdict }) => ({ id, ...(error ? { error } : { verdict }) })), [
    { id: '1', verdict: 'pass' },
    { id: null, error: 'not JSON: `not json`; write one object a line' },
    { id: null, error: 'an empty line; write one object a line' },
    { id: null, error: 'not an object: `[1]`; write one object a line' },
    { id: null, error: 'not an object: `null`; write one object a line' },
    { id: '5', error: '`tool` is `missing`; it must be a name such as "Bash"' },
    { id: '6', error: '`tool` is `7`; it must be a name such as "Bash"' },
    { id: '7', error: 'the call is wrong' },
    { id: null, error: 'not JSON: `{"id":"8","tool":"Bash"`; write one object a line' },
    { id: '9', verdict: 'pass' },
  ]);
});

test('an id goes back as it came, of whatever type', async (t) => {
  const ids = ['x', '', 7, -1.5, true, false, null, [1, 'a'], { a: { b: 1 } }, 'ü😀\u2028'];
  const answers = await judged(makePlugin(t, { core: ECHO }), ids.map((id) => ({ id, tool: 'Bash', input: {} })));
  assert.deepEqual(answers.map(({ id }) => id), ids);
  assert.deepEqual((await judged(makePlugin(t, { core: ECHO }), [{ tool: 'Bash' }]))[0].id, null);
});

test('a line that traps the core passes, and the next has a new core', async (t) => {
  const answers = await judged(makePlugin(t, { core: ECHO }), [{ id: 1, tool: 'boom' }, { id: 2, tool: 'Bash' }]);
  assert.deepEqual(answers[0], { id: 1, verdict: 'pass', rule: null, kind: null, why: 'trap' });
  assert.equal(answers[1].verdict, 'pass');
});

test('the call reaches the core whole, but for the id, and intents are wanted', async (t) => {
  const call = { event: 'PreToolUse', tool: 'Bash', input: { command: 'ls' }, cwd: '/repo', root: '/repo', session: 's', agent: null, config: { mode: 'advise' }, facts: { files: {} } };
  const [{ why }] = await judged(makePlugin(t, { core: ECHO }), [{ id: '1', ...call }]);
  assert.deepEqual(JSON.parse(why), { v: 1, do: 'judge', intents: true, call });
});

test('the answer has the fields of the contract and no others, and null where there is no rule', async (t) => {
  const done = { verdict: 'redirect', rule: 'r', kind: 'economy', why: 'w', text: 't', tool: 'x', saves: { tokens: 1, basis: 'measured' }, intents: [], later: 1 };
  const plugin = makePlugin(t, { core: `return { v: 1, done: request.call.tool === 'Bash' ? ${JSON.stringify(done)} : { verdict: 'pass', why: 'w' }, effects: [{ effect: 'record', code: 'x' }] };` });
  const { later, ...fields } = done;
  assert.deepEqual(await judged(plugin, [{ id: 1, tool: 'Bash' }, { id: 2, tool: 'Read' }]), [{ id: 1, ...fields }, { id: 2, verdict: 'pass', rule: null, kind: null, why: 'w' }]);
  assert.equal(existsSync(join(plugin.home, '.trimtab')), false, 'nothing is written');
});

test('`--time` adds whole microseconds, and no line has them otherwise', async (t) => {
  const plugin = makePlugin(t, { core: ECHO });
  const [good, bad] = await judged(plugin, [{ id: 1, tool: 'Bash' }, 'bad'], '--time');
  assert.ok(Number.isInteger(good.micros) && good.micros >= 0);
  assert.equal('micros' in bad, false);
  assert.equal('micros' in (await judged(plugin, [{ id: 1, tool: 'Bash' }]))[0], false);
});

test('without facts the disk under the root answers, and neither configuration nor old sessions do', async (t) => {
  const plugin = makePlugin(t, { core: ECHO });
  const root = join(plugin.project, 'repo');
  mkdirSync(join(root, 'src'), { recursive: true });
  mkdirSync(join(plugin.home, '.trimtab/sessions'), { recursive: true });
  writeFileSync(join(root, 'src/a.ts'), '1\n2\n');
  writeFileSync(join(root, '.trimtab.json'), '{"mode":"off"}');
  writeFileSync(join(plugin.home, '.trimtab/config.json'), '{"mode":"off"}');
  const asks = [{ ask: 'place' }, { ask: 'config', root }, { ask: 'state', session: 's' }, { ask: 'lines', path: 'a.ts' }, { ask: 'measure', argv: ['echo', 'a'], cwd: '.', chars: 9 }];
  const [{ why }] = await judged(plugin, [{ tool: 'Bash', cwd: join(root, 'src'), root, asks }]);
  assert.deepEqual(JSON.parse(why), [{ cwd: join(root, 'src'), root, home: plugin.home }, { layers: [] }, { state: null }, { lines: 2 }, { chars: 2, lines: 1, complete: true, exit: 0 }]);
  const places = await judged(plugin, [{ tool: 'Bash', root, asks: [asks[0]] }, { tool: 'Bash', asks: [asks[0]] }, { tool: 'Bash', cwd: 7, root: {}, asks: [asks[0]] }]);
  assert.deepEqual(places.map((place) => JSON.parse(place.why)[0]), [{ cwd: root, root, home: plugin.home }, { cwd: plugin.project, root: plugin.project, home: plugin.home }, null]);
});

test('lines with the same session share what was saved', async (t) => {
  const plugin = makePlugin(t, {
    core: `
      if (request.do === 'judge') { globalThis.session = request.call.session; return { v: 1, call: 1, need: [{ ask: 'state', session }] }; }
      const state = (request.facts[0].state ?? '') + 'x';
      return { v: 1, done: { verdict: 'pass', why: state }, effects: [{ effect: 'save', session, state }] };`,
  });
  const answers = await judged(plugin, ['a', 'b', 'a', 'a'].map((session) => ({ tool: 'Bash', session })));
  assert.deepEqual(answers.map(({ why }) => why), ['x', 'x', 'xx', 'xxx']);
});

test('an answer comes when its line is complete, not when the input ends', async (t) => {
  const plugin = makePlugin(t, { core: ECHO });
  const child = spawn(process.execPath, [join(plugin.root, 'bin/trimtab.mjs'), 'judge'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const answers = child.stdout.setEncoding('utf8')[Symbol.asyncIterator]();
  child.stdin.write('{"id":1,"to');
  child.stdin.write('ol":"Bash"}\n{"id":2,');
  assert.equal(JSON.parse((await answers.next()).value).id, 1);
  child.stdin.end('"tool":"Bash"}');
  assert.equal(JSON.parse((await answers.next()).value).id, 2);
});

test('no input is no output, and line ends of Windows and characters that end lines elsewhere do no harm', async (t) => {
  const plugin = makePlugin(t, { core: ECHO });
  assert.deepEqual(await judged(plugin, []), []);
  const answers = await judged(plugin, ['\ufeff{"id":"a\u2028b","tool":"Bash"}\r', '{"id":2,"tool":"Bash"}\r', '']);
  assert.deepEqual(answers.map(({ id }) => id), ['a\u2028b', 2]);
});

test('long lines and many lines come through whole', async (t) => {
  const command = 'é'.repeat(700_000);
  const [{ why }] = await judged(makePlugin(t, { core: ECHO }), [{ tool: 'Bash', input: { command } }]);
  assert.equal(JSON.parse(why).call.input.command, command);
  const many = Array.from({ length: 5000 }, (_, id) => ({ id, tool: 'Bash' }));
  assert.deepEqual((await judged(makePlugin(t, { core: ECHO }), many)).map(({ id }) => id), many.map(({ id }) => id));
});

test('a filter that cannot start says why on standard error and ends with 2', async (t) => {
  const { code, stdout, stderr } = await makePlugin(t).cli(['judge'], { input: '{}' });
  assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
  assert.equal(stderr, 'trimtab: the built core is missing from `pkg/`; reinstall trimtab, or in a checkout run `npm run build`\n');
});

test('a reader that has seen enough is no failure', async (t) => {
  const plugin = makePlugin(t, { core: ECHO });
  const child = spawn(process.execPath, [join(plugin.root, 'bin/trimtab.mjs'), 'judge'], { stdio: ['pipe', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
  child.stdin.on('error', () => {});
  child.stdout.once('data', () => child.stdout.destroy());
  const line = `${JSON.stringify({ tool: 'Bash', input: 'x'.repeat(1000) })}\n`;
  child.stdin.end(line.repeat(2000));
  assert.equal(await new Promise((resolve) => child.on('exit', resolve)), 0);
  assert.equal(stderr, '');
});

test('the built core judges a large file, with facts and from the disk', async (t) => {
  const plugin = makePlugin(t, { isReal: true });
  writeFileSync(join(plugin.project, 'big.ts'), 'export const line = 1;\n'.repeat(900));
  const call = { tool: 'Bash', input: { command: 'cat big.ts' }, root: plugin.project };
  const facts = { files: { 'big.ts': { lines: 900, bytes: 20_700 } } };
  const answers = await judged(plugin, [{ id: 'disk', ...call, session: 'a' }, { id: 'facts', ...call, session: 'b', facts }, { id: 'again', ...call, session: 'b', facts }, { id: 'bound', ...call, input: { command: 'head -5 big.ts' } }]);
  assert.deepEqual(answers.map(({ id, verdict }) => [id, verdict]), [['disk', 'redirect'], ['facts', 'redirect'], ['again', 'pass'], ['bound', 'pass']]);
  assert.deepEqual(answers[3].intents, [{ kind: 'read', path: 'big.ts', from: 1, to: 5, whole: false, piped: false, writes: false }]);
});
