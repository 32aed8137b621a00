// The built PowerShell pack in Node: what it reads, that nothing brings it down for good, and that a call passes without it.

import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createPack, packPath, scriptOf } from '../../glue/pack.js';
import { createHost } from '../../node/host.mjs';
import { packOf } from '../../node/packs.mjs';
import { makePlugin } from './support/plugin.mjs';

const argvOf = ({ script }) => script.commands.map(({ argv }) => argv.map(({ text }) => text).join(' '));

test('a text becomes commands with where their output goes', async () => {
  const script = (await packOf('powershell')).read('$c = gc a.cs; $c[10..19] > b.cs');
  const shown = script.commands.map(({ argv, downstream, sink }) => [argv.map(({ text }) => text), downstream.map((stage) => stage.map(({ text }) => text)), sink]);
  assert.deepEqual(shown, [
    [['gc', 'a.cs'], [], 'Captured'],
    [['gc', 'a.cs'], [['Select-Object', '-Skip', '10', '-First', '10']], 'File'],
  ]);
});

test('the host answers for a language that it has a pack for, and for no other', async () => {
  const host = createHost();
  assert.deepEqual(argvOf(await host.answer({ ask: 'script', language: 'powershell', text: 'gc a.cs' })), ['gc a.cs']);
  for (const language of ['cobol', '../trimtab', '__proto__', undefined]) assert.equal(await host.answer({ ask: 'script', language, text: 'gc a.cs' }), null, language);
});

test('deep and endless texts end, and the next text is read as ever', async () => {
  const pack = await packOf('powershell');
  for (const unit of ['(', '$(', '@(', '@{', '& {', '"$(', '$a(', '${', 'if(1){', 'a|', 'a;', '"', '[a[', '(gc ', '%{$_', '`', '\0', '🙂']) {
    for (const length of [1_000, 8_000, 100_000]) {
      const script = pack.read(unit.repeat(length / unit.length));
      assert.ok(length < 100_000 || script.out_of_fuel, `${unit} ${length}`);
      assert.deepEqual(argvOf(scriptOf(pack, 'gc a.cs')), ['gc a.cs'], unit);
    }
  }
});

test('brackets in brackets do not overflow the stack of an instance', async () => {
  const pack = await packOf('powershell');
  for (const [open, close] of [['(', ')'], ['$(', ')'], ['@(', ')'], ['& { ', ' }'], ['"$(', ')"'], ['if (1) { ', ' }'], ['[int](', ')'], ['gc (', ')']]) {
    for (const depth of [30, 59, 61, 200, 1_000]) assert.ok(pack.read(open.repeat(depth) + 'gc a.cs' + close.repeat(depth)), `${open} ${depth}`);
  }
});

test('a pack that traps is "could not tell", and the next text has a new instance', async () => {
  const made = [];
  const { Instance } = WebAssembly;
  // Answers with `{}` and traps at the text `boom`.
  WebAssembly.Instance = function () {
    const memory = new WebAssembly.Memory({ initial: 1 });
    const text = (length) => Buffer.from(memory.buffer, 64, length).toString();
    let length = 0;
    const run = () => {
      if (text(length) === 'boom') throw new WebAssembly.RuntimeError('unreachable');
      Buffer.from(memory.buffer).set([2, 0, 0, 0, 0x7b, 0x7d], 128);
      return 132;
    };
    this.exports = { memory, run, take: (room) => ((length = room), 64) };
    made.push(this);
  };
  try {
    const pack = createPack({});
    assert.equal(pack.read('boom'), null);
    assert.deepEqual([pack.read('x'), pack.read('y')], [{}, {}]);
    assert.equal(made.length, 2);
  } finally {
    WebAssembly.Instance = Instance;
  }
});

test('a name that is no pack\'s leads to no file', () => {
  for (const name of ['../trimtab', 'Rust', 'a/b', '', '__proto__']) assert.throws(() => packPath(name), name);
  assert.equal(packPath('rust'), 'packs/rust.wasm.zlib');
});

const judged = async (plugin, tool, command, facts = { files: { '*': { lines: 600, bytes: 24_000 } } }) => {
  const line = JSON.stringify({ id: '1', tool, input: { command }, cwd: '/repo', root: '/repo', facts });
  const { stdout } = await plugin.cli(['judge'], { input: line });
  return JSON.parse(stdout);
};

test('`trimtab judge` reads PowerShell where the line brings its own facts, in either tool', async (t) => {
  const plugin = makePlugin(t, { isReal: true });
  for (const [tool, command, verdict] of [
    ['PowerShell', 'Get-Content src\\big.cs', 'redirect'],
    ['PowerShell', 'Get-Content src\\big.cs -TotalCount 40', 'pass'],
    ['Bash', "pwsh -NoProfile -c 'Get-Content src/big.cs'", 'redirect'],
    ['Bash', "pwsh -NoProfile -c 'Get-Content src/big.cs' | head -20", 'pass'],
  ]) {
    assert.equal((await judged(plugin, tool, command)).verdict, verdict, command);
  }
});

test('without the pack, or with a damaged one, PowerShell passes, a hook leaves a record, and Bash is judged as ever', async (t) => {
  for (const harm of [(file) => rmSync(file), (file) => writeFileSync(file, readFileSync(file).subarray(0, 1_000))]) {
    const plugin = makePlugin(t, { isReal: true });
    harm(join(plugin.root, 'pkg/packs/powershell.wasm.zlib'));
    const { verdict, why } = await judged(plugin, 'PowerShell', 'Get-Content big.cs');
    assert.deepEqual({ verdict, why }, { verdict: 'pass', why: 'not-concerned' });
    assert.equal((await judged(plugin, 'Bash', 'cat big.cs')).verdict, 'redirect');
    const payload = { session_id: 's', cwd: plugin.project, hook_event_name: 'PreToolUse', tool_name: 'PowerShell', tool_input: { command: 'Get-Content big.cs' } };
    assert.deepEqual(await plugin.hook(JSON.stringify(payload), { tool: 'PowerShell' }), { code: 0, stdout: '', stderr: '' });
    assert.deepEqual(plugin.records().map(({ code, detail }) => [code, detail]), [['no-script', 'powershell']]);
  }
});

test('the command hook refuses a PowerShell call by the words of its entry, in any case', async (t) => {
  const plugin = makePlugin(t, { isReal: true });
  writeFileSync(join(plugin.project, 'big.cs'), 'var order = new Order(1, "a line of ordinary length");\n'.repeat(600));
  const { hooks } = JSON.parse(readFileSync(new URL('../../hooks/hooks.json', import.meta.url), 'utf8'));
  const [, words] = /trimtab_words='([^']+)'/.exec(hooks.PreToolUse.find(({ matcher }) => matcher === 'PowerShell').hooks[0].command);
  const asked = (command, session) =>
    plugin.hook(JSON.stringify({ session_id: session, cwd: plugin.project, hook_event_name: 'PreToolUse', tool_name: 'PowerShell', tool_input: { command } }), {
      tool: 'PowerShell',
      words: words.split(' '),
    });
  for (const [place, command] of ['gc big.cs', 'GET-Content big.cs', 'Get-ChildItem; CAT .\\big.cs'].entries()) {
    const { stdout } = await asked(command, `s${place}`);
    assert.equal(JSON.parse(stdout).hookSpecificOutput.permissionDecision, 'deny', command);
    assert.match(stdout, /Get-Content (\.\/)?big\.cs -TotalCount 120/);
  }
  assert.equal((await asked('Get-Date', 's9')).stdout, '');
});
