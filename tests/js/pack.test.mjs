// The built PowerShell pack in Node: what it reads, that nothing brings it down for good, and that a call passes without it.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { deflateSync, inflateSync } from 'node:zlib';
import { createPack, packPath, scriptOf } from '../../glue/pack.js';
import { createHost } from '../../node/host.mjs';
import { packOf } from '../../node/packs.mjs';
import { makePlugin } from './support/plugin.mjs';

const { Instance } = WebAssembly;

// A word that is only its text comes as a string.
const textsOf = (words) => words.map((word) => word.text ?? word);
const argvOf = ({ script }) => script.commands.map(({ argv }) => textsOf(argv).join(' '));

test('a text becomes commands with where their output goes', async () => {
  const script = (await packOf('powershell')).read('$c = gc a.cs; $c[10..19] > b.cs');
  const shown = script.commands.map(({ argv, downstream = [], sink = 'Model' }) => [textsOf(argv), downstream.map(textsOf), sink]);
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

/** Instances that answer with `{}`, trap at the text `boom` and take more than 64 MiB at `grow`; gives those that are made, and what they heard. */
function pretend(t, heard = []) {
  const made = [];
  t.after(() => (WebAssembly.Instance = Instance));
  WebAssembly.Instance = function () {
    const memory = new WebAssembly.Memory({ initial: 1 });
    const text = (length) => Buffer.from(memory.buffer, 64, length).toString();
    let length = 0;
    const run = () => {
      heard.push(text(length));
      if (text(length) === 'boom') throw new WebAssembly.RuntimeError('unreachable');
      if (text(length) === 'grow') memory.grow(1024);
      Buffer.from(memory.buffer).set([2, 0, 0, 0, 0x7b, 0x7d], 128);
      return 132;
    };
    this.exports = { memory, run, take: (room) => ((length = room), 64) };
    made.push(this);
  };
  return made;
}

test('a pack that traps is "could not tell", and the next text has a new instance', (t) => {
  const made = pretend(t);
  const pack = createPack({});
  assert.equal(pack.read('boom'), null);
  assert.deepEqual([pack.read('x'), pack.read('y')], [{}, {}]);
  assert.equal(made.length, 2);
});

test('bytes behind a text reach the pack as one request', (t) => {
  const heard = [];
  pretend(t, heard);
  const pack = createPack({});
  pack.read('é', Buffer.from('x\0\n'));
  pack.read('y');
  assert.deepEqual(heard, ['éx\0\n', 'y']);
});

test('a large text lost the calls that waited in the answers pack, and what the weight pack knew: they keep their instance', (t) => {
  for (const [name, instances] of [['answers', 1], ['weight', 1], ['rust', 2], ['powershell', 2], [undefined, 2]]) {
    const made = pretend(t);
    const pack = createPack({}, name);
    assert.deepEqual([pack.read('grow'), pack.read('x')], [{}, {}]);
    assert.equal(made.length, instances, name);
  }
});

const PACKS = new URL('../../pkg/packs/', import.meta.url);
const inflate = async () => createPack(await WebAssembly.compile(readFileSync(new URL('inflate.wasm', PACKS))));

test('inflate gives of every pack what zlib gives', async () => {
  const unpacker = await inflate();
  const packed = readdirSync(PACKS).filter((name) => name.endsWith('.zlib'));
  assert.ok(packed.length > 0);
  for (const name of packed) {
    const bytes = readFileSync(new URL(name, PACKS));
    assert.ok(inflateSync(bytes).equals(unpacker.run(bytes)), name);
  }
});

test('inflate gives nothing for what is cut, changed, of another kind or larger than a pack may be', async () => {
  const unpacker = await inflate();
  const good = readFileSync(new URL('json.wasm.zlib', PACKS));
  const changed = Buffer.from(good);
  changed[good.length >> 1] ^= 0xff;
  const limit = 4_000_000;
  for (const [what, bytes] of Object.entries({ cut: good.subarray(0, -1), 'cut to its head': good.subarray(0, 2), changed, empty: Buffer.alloc(0), 'no zlib': Buffer.from('PK'), 'too large': deflateSync(Buffer.alloc(limit + 1)) })) {
    assert.equal(unpacker.run(bytes)?.length, 0, what);
  }
  assert.equal(unpacker.run(deflateSync(Buffer.alloc(limit))).length, limit);
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
