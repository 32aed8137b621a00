// The command line itself: help from the commands' own tables, suggestions, and errors in one place.

import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseOptions } from '../../cli/lib/options.mjs';
import { didYouMean } from '../../cli/lib/suggest.mjs';
import { makePlugin } from './support/plugin.mjs';

const CLI = new URL('../../cli/', import.meta.url);
const COMMANDS = readdirSync(CLI).filter((file) => file.endsWith('.mjs')).map((file) => file.slice(0, -4));

test('every command says what it is, under the name of its file', async () => {
  for (const file of COMMANDS) {
    const command = await import(new URL(`${file}.mjs`, CLI));
    assert.equal(command.name, file);
    assert.match(command.usage, new RegExp(`^trimtab ${file}\\b`), file);
    assert.match(command.summary, /^[^\n]+[^.\n]$/, `${file}: one line without a full stop`);
    assert.equal(typeof command.run, 'function', file);
    for (const { name, summary } of command.options) assert.ok(/^[a-z][a-z-]*$/.test(name) && summary, `${file} --${name}`);
  }
});

test('help names every command, and a command\'s help every option; the long one says more', async (t) => {
  const plugin = makePlugin(t);
  const help = async (...args) => {
    const { code, stdout, stderr } = await plugin.cli(args);
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' }, args.join(' '));
    return stdout;
  };
  const [short, long, bare] = [await help('-h'), await help('--help'), await help()];
  assert.equal(bare, short);
  for (const name of COMMANDS) for (const text of [short, long]) assert.match(text, new RegExp(`^  ${name} `, 'm'));
  assert.ok(long.length > short.length);
  assert.match(long, /Exit codes/);
  for (const name of COMMANDS) {
    const { options } = await import(new URL(`${name}.mjs`, CLI));
    for (const flag of ['-h', '--help']) {
      const text = await help(name, flag);
      assert.match(text, new RegExp(`^usage: trimtab ${name}`));
      for (const option of options) assert.ok(text.includes(`--${option.name}`), `${name} ${flag}: --${option.name}`);
    }
  }
});

test('the version is the package\'s', async (t) => {
  const { stdout } = await makePlugin(t).cli(['--version']);
  assert.match(stdout, /^trimtab \d+\.\d+\.\d+\n$/);
});

test('a typo is answered with what was probably meant, and anything else with where to look', async (t) => {
  const plugin = makePlugin(t);
  const errors = {
    jugde: 'unknown command `jugde`; did you mean `judge`?',
    frobnicate: 'unknown command `frobnicate`; `trimtab -h` lists the commands',
    'judge --tmie': 'unknown option `--tmie`; did you mean `--time`?',
    'judge --frobnicate': 'unknown option `--frobnicate`; `-h` lists the options',
    'judge --time=5': '`--time` takes no value, got `5`; leave it out',
    'judge calls.jsonl': '`trimtab judge` reads standard input, not `calls.jsonl`; use `trimtab judge < calls.jsonl`',
    '--vresion': 'unknown command `--vresion`; `trimtab -h` lists the commands',
    '../lib/help': 'unknown command `../lib/help`; `trimtab -h` lists the commands',
  };
  for (const [args, error] of Object.entries(errors)) assert.deepEqual(await plugin.cli(args.split(' ')), { code: 2, stdout: '', stderr: `trimtab: ${error}\n` }, args);
});

test('a fault of a command asks for a report and shows no stack', async (t) => {
  const plugin = makePlugin(t);
  writeFileSync(join(plugin.root, 'cli/broken.mjs'), 'export const name = "broken", summary = "x", usage = "trimtab broken", options = []; export async function run() { throw new TypeError("oops"); }');
  assert.deepEqual(await plugin.cli(['broken']), { code: 2, stdout: '', stderr: 'trimtab: unexpected fault `oops`; please report it with the command you ran\n' });
});

test('a command\'s own exit code is the exit code', async (t) => {
  const plugin = makePlugin(t);
  writeFileSync(join(plugin.root, 'cli/found.mjs'), 'export const name = "found", summary = "x", usage = "trimtab found", options = []; export async function run([code]) { return code && Number(code); }');
  assert.equal((await plugin.cli(['found'])).code, 0);
  assert.equal((await plugin.cli(['found', '1'])).code, 1);
});

test('options are read wherever they stand, until `--`', () => {
  const options = [{ name: 'json', summary: 'x' }, { name: 'client', value: 'NAME', summary: 'x' }];
  const cases = [
    [[], {}, []],
    [['a', '--json', 'b'], { json: true }, ['a', 'b']],
    [['--client=x=y', '-'], { client: 'x=y' }, ['-']],
    [['--client', 'x', 'a'], { client: 'x' }, ['a']],
    [['--client='], { client: '' }, []],
    [['--', '--json', '-h'], {}, ['--json', '-h']],
  ];
  for (const [args, values, rest] of cases) assert.deepEqual(parseOptions(options, args), { values, rest }, args.join(' '));
  assert.throws(() => parseOptions(options, ['--client']), { message: '`--client` needs a value: `--client=NAME`' });
  assert.throws(() => parseOptions(options, ['--jsn']), { message: 'unknown option `--jsn`; did you mean `--json`?' });
  assert.throws(() => parseOptions(options, ['-x']), { message: 'unknown option `-x`; `-h` lists the options' });
});

test('a word is suggested when it is near, and none when it is not', () => {
  const known = ['judge', 'hook', 'demo'];
  for (const word of ['jugde', 'judg', 'judges', 'juge']) assert.equal(didYouMean(word, known), '; did you mean `judge`?', word);
  for (const word of ['x', 'replay', 'judgement-day', '']) assert.equal(didYouMean(word, known), '', word);
  assert.equal(didYouMean('word', []), '');
});
