// A command hook from its standard input to its standard output, with a pretend core and with the built one.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makePlugin } from './support/plugin.mjs';

const PAYLOADS = new URL('../payloads/', import.meta.url);
const SILENT = { code: 0, stdout: '', stderr: '' };
const DENY = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"too large"}}';
const ADVICE = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"mind the size"}}';
const PAYLOAD = JSON.stringify({ session_id: 's1', cwd: '/', hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'cat a.ts' } });

/** A pretend core that ends every call like this. */
const ending = (outcome) => `return { v: 1, call: 1, ...${JSON.stringify(outcome)} };`;
const denying = (more) => ending({ done: { verdict: 'redirect', rule: 'whole-file-read', kind: 'economy', why: 'large-file' }, answer: DENY, ...more });
const codes = (plugin) => plugin.records().map(({ code }) => code);

test('what the core answers is printed, as it is, and nothing else', async (t) => {
  for (const answer of [DENY, ADVICE, '{"systemMessage":"x"}']) {
    const plugin = makePlugin(t, { core: denying({ answer }) });
    assert.deepEqual(await plugin.hook(PAYLOAD), { ...SILENT, stdout: `${answer}\n` });
    assert.deepEqual(plugin.records(), []);
  }
});

test('a call that passes is silence', async (t) => {
  const plugin = makePlugin(t, { core: ending({ done: { verdict: 'pass', why: 'not-concerned' } }) });
  assert.deepEqual(await plugin.hook(PAYLOAD), SILENT);
});

test('the core gets the payload as it came, and the host answers from the project', async (t) => {
  const plugin = makePlugin(t, {
    core: `
      if (request.do === 'hook') { globalThis.hook = request; return { v: 1, call: 3, need: [{ ask: 'place' }, { ask: 'lines', path: 'a.ts' }, { ask: 'state', session: 's1' }] }; }
      const told = { client: hook.client, payload: hook.payload, call: request.call, facts: request.facts };
      return { v: 1, done: { verdict: 'pass', why: 'x' }, answer: JSON.stringify({ systemMessage: JSON.stringify(told) }) };`,
  });
  writeFileSync(join(plugin.project, 'a.ts'), '1\n2\n');
  const odd = ' {"a": "\\ud800", "b": 1e400} \r\n';
  const { stdout } = await plugin.hook(odd);
  assert.deepEqual(JSON.parse(JSON.parse(stdout).systemMessage), {
    client: 'claude',
    payload: odd,
    call: 3,
    facts: [{ cwd: plugin.project, root: plugin.project, home: plugin.home }, { lines: 2 }, { state: null }],
  });
});

test('the next call of a session has the state that this one saved', async (t) => {
  const plugin = makePlugin(t, {
    core: `
      if (request.do === 'hook') return { v: 1, call: 1, need: [{ ask: 'state', session: 's1' }] };
      const count = Number(request.facts[0].state ?? 0) + 1;
      return { v: 1, done: { verdict: 'pass', why: 'x' }, effects: [{ effect: 'save', session: 's1', state: String(count) }], answer: JSON.stringify({ systemMessage: String(count) }) };`,
  });
  const runs = await Promise.all([plugin.hook(PAYLOAD), plugin.hook(PAYLOAD)]);
  assert.deepEqual(runs.map(({ stdout }) => stdout).sort(), ['{"systemMessage":"1"}\n', '{"systemMessage":"2"}\n'], 'hooks of one message');
  assert.equal((await plugin.hook(PAYLOAD)).stdout, '{"systemMessage":"3"}\n');
});

test('an answer that is not one of the shapes is not printed, and recorded', async (t) => {
  const allow = DENY.replace('"deny"', '"allow"');
  for (const answer of [allow, DENY.replace('"deny"', '"ask"'), 'allow', '', '{}', DENY.replace('PreToolUse', 'PostToolUse')]) {
    const plugin = makePlugin(t, { core: denying({ answer }) });
    assert.deepEqual(await plugin.hook(PAYLOAD), SILENT, answer);
    assert.deepEqual(plugin.records().map(({ route, event, code, detail }) => ({ route, event, code, detail })), [
      { route: 'hook', event: 'PreToolUse', code: 'answer-not-printable', detail: 'whole-file-read' },
    ]);
  }
});

test('a refusal that could not be remembered is not given, and a guard\'s is', async (t) => {
  const effects = [{ effect: 'save', session: 's1', state: 'x' }];
  const economy = makePlugin(t, { core: denying({ effects }) });
  const HOME = join(economy.home, 'file');
  writeFileSync(HOME, '');
  const { code, stdout, stderr } = await economy.hook(PAYLOAD, { env: { HOME } });
  assert.deepEqual({ code, stdout }, { code: 0, stdout: '' });
  assert.match(stderr, /^trimtab: the record `state-not-saved` could not be kept \(`\w+`\); is `~\/\.trimtab` writable\?\n$/);
  const guard = makePlugin(t, { core: denying({ effects, done: { verdict: 'redirect', rule: 'x', kind: 'guard', why: 'x' } }) });
  assert.equal((await guard.hook(PAYLOAD, { env: { HOME } })).stdout, `${DENY}\n`);
});

test('a core that is missing, broken, unwell or trapping is silence and a record', async (t) => {
  const missing = makePlugin(t);
  const broken = makePlugin(t, { core: denying() });
  writeFileSync(join(broken.root, 'pkg/trimtab_bg.wasm'), 'no wasm');
  const unwell = makePlugin(t, { core: denying() });
  writeFileSync(join(unwell.root, 'pkg/trimtab.js'), 'export const initSync = () => {}; export const step = () => \'{"v":1,"ok":false}\';');
  const trapping = makePlugin(t, { core: 'throw new WebAssembly.RuntimeError("unreachable");' });
  const confused = makePlugin(t, { core: ending({ error: { code: 'unknown-request', message: 'x' } }) });
  for (const [plugin, code] of [[missing, 'core-missing'], [broken, 'core-broken'], [unwell, 'core-broken'], [trapping, 'trap'], [confused, 'unknown-request']]) {
    assert.deepEqual(await plugin.hook(PAYLOAD), SILENT, code);
    assert.deepEqual(codes(plugin), [code]);
  }
});

test('a fault outside every promise is silence and a record', async (t) => {
  const plugin = makePlugin(t, {
    core: `setTimeout(() => { throw new RangeError('late'); });
      return { v: 1, call: 1, need: [{ ask: 'measure', argv: ['sleep', '1'], chars: 10 }] };`,
  });
  assert.deepEqual(await plugin.hook(PAYLOAD), SILENT);
  assert.deepEqual(plugin.records().map(({ code, detail }) => [code, detail]), [['crash', 'RangeError']]);
});

test('a plugin half of which is missing is silence and a record', async (t) => {
  const plugin = makePlugin(t, { core: denying() });
  writeFileSync(join(plugin.root, 'node/host.mjs'), 'syntax error');
  assert.deepEqual(await plugin.hook(PAYLOAD), SILENT);
  assert.deepEqual(codes(plugin), ['hook-not-loaded']);
});

test('an input that never ends is given up with a record', async (t) => {
  const plugin = makePlugin(t, { core: denying() });
  const code = `const { serveHook } = await import(${JSON.stringify(join(plugin.root, 'node/hook.mjs'))}); serveHook({ event: 'PreToolUse', maxMs: 50 });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { env: { HOME: plugin.home }, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.write('{');
  const exit = await new Promise((resolve) => child.on('exit', resolve));
  child.stdin.destroy();
  assert.equal(exit, 0);
  assert.deepEqual(codes(plugin), ['timeout']);
});

test('an input larger than any call is not judged', async (t) => {
  const plugin = makePlugin(t, { core: denying() });
  assert.deepEqual(await plugin.hook(JSON.stringify({ command: 'x'.repeat(9 * 1024 * 1024) })), SILENT);
  assert.deepEqual(codes(plugin), ['payload-too-large']);
});

test('a reader that has gone away is no failure', async (t) => {
  const plugin = makePlugin(t, { core: denying({ answer: JSON.stringify({ systemMessage: 'x'.repeat(1_000_000) }) }) });
  const child = spawn(process.execPath, [join(plugin.root, 'hooks/hook.mjs')], { env: { HOME: plugin.home }, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdout.destroy();
  child.stdin.end(PAYLOAD);
  assert.equal(await new Promise((resolve) => child.on('exit', resolve)), 0);
});

test('`trimtab hook` answers as the plugin\'s own hook does, and steps aside as it does', async (t) => {
  const plugin = makePlugin(t, { core: denying() });
  assert.deepEqual(await plugin.cli(['hook', 'PreToolUse'], { input: PAYLOAD }), { ...SILENT, stdout: `${DENY}\n` });
  assert.deepEqual(await plugin.cli(['hook', 'PreToolUse'], { input: PAYLOAD, env: { TRIMTAB_HOOKS: 'off' } }), SILENT);
  const env = { TRIMTAB_MOD: 'PreToolUse:Bash', TRIMTAB_MOD_SESSION: 's1', TRIMTAB_MOD_TURN: 't1' };
  assert.deepEqual(await plugin.cli(['hook', 'PreToolUse'], { input: PAYLOAD, env }), SILENT);
  assert.equal((await plugin.cli(['hook', 'PreToolUse'], { input: PAYLOAD, env: { ...env, TRIMTAB_NO_MOD: '1' } })).stdout, `${DENY}\n`);
});

test('a wrong call of `trimtab hook` says so and does not block the call', async (t) => {
  const plugin = makePlugin(t, { core: denying() });
  for (const args of [['hook'], ['hook', 'A', 'B'], ['hook', 'PreToolUse', '--client=other'], ['hook', 'PreToolUse', '--cleint=claude']]) {
    const { code, stdout, stderr } = await plugin.cli(args, { input: PAYLOAD });
    assert.deepEqual({ code, stdout }, { code: 0, stdout: '' }, args.join(' '));
    assert.match(stderr, /^trimtab: .*`.*\n$/, args.join(' '));
  }
});

// From here on the built core answers.

const BIG = 'export const line = 1;\n'.repeat(900);
// A whole code file of 900 lines is refused; a range, and a line with a bound, are nobody's business.
const REFUSED = { 'bash.json': true, 'bash-in-subagent.json': true, 'read.json': true, 'read-in-subagent.json': true, 'bash-many-lines.json': false, 'read-range.json': false };

for (const version of readdirSync(PAYLOADS).filter((name) => /^\d/.test(name))) {
  test(`the payloads of ${version} are answered: what is large is refused, what is bounded passes`, async (t) => {
    for (const file of readdirSync(new URL(`${version}/`, PAYLOADS))) {
      const plugin = makePlugin(t, { isReal: true });
      writeFileSync(join(plugin.project, 'big.ts'), BIG);
      const env = { TRIMTAB_MODE: 'redirect' };
      const payload = readFileSync(new URL(`${version}/${file}`, PAYLOADS), 'utf8').replaceAll('/home/dev/project', plugin.project);
      const tool = JSON.parse(payload).tool_name;
      const { code, stdout, stderr } = await plugin.hook(payload, { tool, env });
      assert.deepEqual({ code, stderr, records: plugin.records() }, { code: 0, stderr: '', records: [] }, file);
      if (REFUSED[file]) {
        const { permissionDecision, permissionDecisionReason } = JSON.parse(stdout).hookSpecificOutput;
        assert.equal(permissionDecision, 'deny', file);
        assert.match(permissionDecisionReason, /big\.ts/, file);
        assert.deepEqual(await plugin.hook(payload, { tool, env }), SILENT, `${file}: the same call again runs`);
      } else {
        assert.equal(stdout, '', file);
      }
    }
  });
}

test('a broken payload is silence and a record, or not worth one where no rule could concern it', async (t) => {
  const good = JSON.parse(PAYLOAD);
  const broken = {
    'nothing': '',
    'white space': ' \n',
    'no JSON': '{"session_id":',
    'bytes that are no text': Buffer.from([0xff, 0xfe, 0x00, 0x7b]),
    'null': 'null',
    'a list': '[]',
    'a number': '7',
    'no fields': '{}',
    'no session': JSON.stringify({ ...good, session_id: undefined }),
    'a session that is no text': JSON.stringify({ ...good, session_id: 7 }),
    'no event': JSON.stringify({ ...good, hook_event_name: undefined }),
    'no tool': JSON.stringify({ ...good, tool_name: undefined }),
    'no input': JSON.stringify({ ...good, tool_input: undefined }),
    'an input that is a list': JSON.stringify({ ...good, tool_input: [] }),
    'a command that is no text': JSON.stringify({ ...good, tool_input: { command: { a: 1 } } }),
    'a Read without a path': JSON.stringify({ ...good, tool_name: 'Read', tool_input: {} }),
  };
  const plugin = makePlugin(t, { isReal: true });
  for (const [title, payload] of Object.entries(broken)) {
    const before = plugin.records().length;
    assert.deepEqual(await plugin.hook(payload), SILENT, title);
    assert.equal(plugin.records().length, before + 1, `${title}: a record`);
    assert.match(plugin.records().at(-1).code, /^payload-/, title);
  }
});

test('an odd payload that can be read is judged, without a record', async (t) => {
  const good = JSON.parse(PAYLOAD);
  const odd = {
    'a lone surrogate': PAYLOAD.replace('a.ts', 'a\\ud800.ts'),
    'a NUL': JSON.stringify({ ...good, tool_input: { command: 'cat a\0b' } }),
    'a folder that is gone': JSON.stringify({ ...good, cwd: '/no/such/folder' }),
    'fields of a later client': JSON.stringify({ ...good, later: { a: [1] }, tool_input: { command: 'true', later: 1 } }),
    'a hostile session': JSON.stringify({ ...good, session_id: '../../x'.repeat(100) }),
    'a command of a megabyte': JSON.stringify({ ...good, tool_input: { command: `echo ${'x'.repeat(1_000_000)}` } }),
    'a tool that no rule concerns': JSON.stringify({ ...good, tool_name: 'Write', tool_input: { file_path: 'x' } }),
  };
  const plugin = makePlugin(t, { isReal: true });
  for (const [title, payload] of Object.entries(odd)) {
    assert.deepEqual(await plugin.hook(payload), SILENT, title);
    assert.deepEqual(plugin.records().filter(({ code }) => code !== 'out-of-fuel'), [], title);
  }
});
