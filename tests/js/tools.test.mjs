// The code tools at the command line, on a small repository with the built packs; and the list of them that the module has.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { callTool, createAnswers } from '../../glue/answers.js';
import { drive } from '../../glue/core.js';
import { createHost } from '../../node/host.mjs';
import { packOf } from '../../node/packs.mjs';
import { run, scratch } from './support/plugin.mjs';

const PROGRAM = new URL('../../bin/trimtab.mjs', import.meta.url).pathname;
const FILES = {
  'src/lib.rs': '/// Parses.\npub fn parse(text: &str) -> u32 {\n    inner(text)\n}\nfn inner(text: &str) -> u32 {\n    1\n}\n',
  'src/main.rs': 'fn main() {\n    parse("x");\n}\n',
  'src/new.rs': 'struct New;\nimpl New {\n    fn parse(&self) {}\n}\n',
  'target/out.rs': 'fn parse() {}\n',
  '.gitignore': 'target/\n',
  '-e.rs': 'fn dashed() {}\n',
  'notes.md': 'Call parse.\n',
};

/** A repository of which `src/new.rs` is not tracked yet, and the command line in it. */
function repository(t, { isRepository = true, path = process.env.PATH } = {}) {
  const root = scratch(t);
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const git = (...args) => execFileSync('git', args, { cwd: root, env: { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null', HOME: root } });
  if (isRepository) {
    git('init', '--quiet');
    git('add', '.', ':!src/new.rs');
  }
  const cli = (args, { cwd = root } = {}) => run([process.execPath, PROGRAM, ...args], { cwd, env: { PATH: path, HOME: root } });
  return { root, git, cli };
}

test('each command answers, and says by its exit code whether there was something', async (t) => {
  const { cli } = repository(t);
  const expected = {
    'outline src/lib.rs': 'src/lib.rs (7 lines)\n  2-4 pub fn parse(text: &str) -> u32\n  5-7 fn inner(text: &str) -> u32\n',
    'symbol New.parse': 'src/new.rs:3 method New.parse\n3\t    fn parse(&self) {}\n',
    'symbol parse --file=src/lib.rs': 'src/lib.rs:2-4 function parse\n1\t/// Parses.\n2\tpub fn parse(text: &str) -> u32 {\n3\t    inner(text)\n4\t}\n',
    'find par*': 'src/lib.rs\n  2-4 pub fn parse(text: &str) -> u32\nsrc/new.rs\n  3 fn parse(&self)  (in New)\n',
    'find parse --kind=method': 'src/new.rs\n  3 fn parse(&self)  (in New)\n',
    'usages inner': 'Definitions: 1 in 1 file\nsrc/lib.rs\n  5-7 fn inner(text: &str) -> u32\nReferences: 1 in 1 file\nsrc/lib.rs\n  pub fn parse(text: &str) -> u32 (2-4)\n    3  inner(text)\n',
    'grep Parse( --ignore-case --path=src/main.rs': 'src/main.rs\n  fn main() (1-3)\n    2  parse("x");\n',
    'grep dash\\w+ --regex': '-e.rs\n    1  fn dashed() {}\n',
    'outline -- -e.rs': '-e.rs (1 line)\n  1 fn dashed()\n',
  };
  for (const [line, stdout] of Object.entries(expected)) assert.deepEqual(await cli(line.split(' ')), { code: 0, stdout, stderr: '' }, line);
  for (const line of ['find nowhere', 'usages nowhere', 'grep nowhere', 'symbol nowhere']) {
    const { code, stdout, stderr } = await cli(line.split(' '));
    assert.deepEqual({ code, stderr }, { code: 1, stderr: '' }, line);
    assert.match(stdout, /^No .*`nowhere`/, line);
  }
});

test('JSON holds everything that was found', async (t) => {
  const { cli } = repository(t);
  const json = async (line) => JSON.parse((await cli([...line.split(' '), '--json'])).stdout);
  assert.deepEqual(await json('find parse'), [
    { path: 'src/lib.rs', kind: 'function', name: 'parse', from: 2, to: 4, head: 'pub fn parse(text: &str) -> u32' },
    { path: 'src/new.rs', kind: 'method', name: 'New.parse', from: 3, to: 3, head: 'fn parse(&self)' },
  ]);
  assert.deepEqual(
    (await json('outline src/lib.rs')).declarations.map(({ kind, name, lead, from, to }) => [kind, name, lead, from, to]),
    [['function', 'parse', 1, 2, 4], ['function', 'inner', 5, 5, 7]],
  );
  assert.deepEqual(await json('find nowhere'), []);
});

test('a wrong call is an error with the next step, and ends with 2', async (t) => {
  const { cli } = repository(t);
  const errors = {
    symbol: '`trimtab symbol` needs what it is to look for: `trimtab symbol NAME [--file=PATH] [--budget=TOKENS] [--json]`',
    'find a b': '`trimtab find` takes one thing to look for, not 2: `trimtab find NAME [--kind=KIND] [--path=PATH] [--budget=TOKENS] [--json]`',
    'find a --kind=clas': '`kind` is `clas`, which is no kind; did you mean `class`?',
    'find a --budget=many': '`--budget` is `many`; it must be a number of tokens, such as 2000',
    'outline src/lib.rs --bugdet=9': 'unknown option `--bugdet`; did you mean `--budget`?',
    'grep ( --regex': 'git could not search for `(`; is it a regular expression?',
  };
  for (const [line, text] of Object.entries(errors)) assert.deepEqual(await cli(line.split(' ')), { code: 2, stdout: '', stderr: `trimtab: ${text}\n` }, line);
  const { stderr } = await cli(['outline', 'src/lost.rs']);
  assert.match(stderr, /^trimtab: there is no `src\/lost.rs` in /);
});

test('where there is no repository, and where there is no git, the same is found', async (t) => {
  const tracked = await repository(t).cli(['find', 'parse']);
  for (const how of [{ isRepository: false }, { path: '/nonexistent' }, { isRepository: false, path: '/nonexistent' }]) {
    assert.deepEqual(await repository(t, how).cli(['find', 'parse']), tracked, JSON.stringify(how));
  }
});

test('a sibling worktree is looked into by its path, and nothing else outside', async (t) => {
  const { root, git, cli } = repository(t);
  git('-c', 'user.name=Lab', '-c', 'user.email=lab@example.invalid', 'commit', '--quiet', '-m', 'one');
  const sibling = join(scratch(t), 'sibling');
  git('worktree', 'add', '--quiet', sibling);
  writeFileSync(join(sibling, 'only.rs'), 'fn only_there() {}\n');
  assert.deepEqual(await cli(['find', 'only_there', `--path=${sibling}`]), { code: 0, stdout: `${sibling}/only.rs\n  1 fn only_there()\n`, stderr: '' });
  const elsewhere = scratch(t);
  writeFileSync(join(elsewhere, 'a.rs'), 'fn a() {}\n');
  symlinkSync(join(elsewhere, 'a.rs'), join(root, 'src/link.rs'));
  for (const path of [elsewhere, '../..', 'src/link.rs']) {
    assert.deepEqual(await cli(['outline', path]), { code: 2, stdout: '', stderr: `trimtab: \`${path}\` is outside of this checkout, ${root}\n` });
  }
  assert.equal((await cli(['find', 'a*'])).code, 1, 'a link out of the checkout');
});

test('git runs no program of a configuration, and changes nothing', async (t) => {
  const { root, git, cli } = repository(t);
  const traps = ['fsmonitor', 'pager', 'textconv', 'filter'].map((name) => join(root, `${name}-ran`));
  const script = (at) => {
    writeFileSync(`${traps[at]}.sh`, `#!/bin/sh\ntouch '${traps[at]}'\ncat\n`);
    chmodSync(`${traps[at]}.sh`, 0o755);
    return `${traps[at]}.sh`;
  };
  git('config', 'core.fsmonitor', script(0));
  git('config', 'core.pager', script(1));
  git('config', 'diff.trap.textconv', script(2));
  git('config', 'filter.trap.clean', script(3));
  for (const [key, value] of [['color.ui', 'always'], ['grep.lineNumber', 'false'], ['grep.column', 'true'], ['grep.fullName', 'true'], ['grep.patternType', 'perl'], ['submodule.recurse', 'true']]) git('config', key, value);
  writeFileSync(join(root, '.gitattributes'), '*.rs diff=trap filter=trap\n');
  const index = readFileSync(join(root, '.git/index'));
  for (const line of ['find parse', 'usages parse', 'grep parse', 'outline .']) assert.equal((await cli(line.split(' '))).code, 0, line);
  const left = execFileSync('sh', ['-c', 'ls *-ran 2>/dev/null || true'], { cwd: root, encoding: 'utf8' });
  assert.equal(left, '');
  assert.deepEqual(readFileSync(join(root, '.git/index')), index);
});

test('what is no source behind the suffix of one does no harm', async (t) => {
  const { root, cli } = repository(t);
  const files = {
    'src/bytes.rs': Buffer.from([0x66, 0x6e, 0x20, 0, 1, 2, 0xff]),
    'src/utf16.rs': Buffer.from('\ufefffn parse_wide() {}\n', 'utf16le'),
    'src/latin.rs': Buffer.from('fn parse_latin() { "\xe9"; }\n', 'latin1'),
    'src/mark.rs': Buffer.from('\ufefffn parse_mark() {\r\n}\r\n'),
    'src/broken.rs': Buffer.from('fn parse_broken( {{{\nfn parse_after() {}\n'),
    'src/one-line.rs': Buffer.from(`fn parse_line() { ${'one(); '.repeat(40_000)} }\n`),
    'src/empty.rs': Buffer.from(''),
  };
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(root, name), bytes);
  const { code, stdout } = await cli(['find', 'parse_*']);
  assert.equal(code, 0);
  for (const name of ['parse_latin', 'parse_mark', 'parse_line']) assert.match(stdout, new RegExp(`fn ${name}\\(\\)`));
  assert.equal((await cli(['symbol', 'parse_mark'])).stdout, 'src/mark.rs:1-2 function parse_mark\n1\tfn parse_mark() {\n2\t}\n');
  const grep = await cli(['grep', 'parse_line']);
  assert.ok(grep.stdout.length < 400, 'a long line is shown by its beginning');
  for (const name of ['src/bytes.rs', 'src/utf16.rs']) assert.deepEqual(await cli(['outline', name]), { code: 2, stdout: '', stderr: `trimtab: \`${name}\` could not be read as rust\n` });
  assert.equal((await cli(['outline', 'src/empty.rs'])).code, 1);
});

test('a file that goes between two steps is named', async (t) => {
  const { root } = repository(t);
  const host = createHost({ cwd: root });
  const answer = (ask) => {
    if (ask.ask === 'declarations') rmSync(join(root, 'src/new.rs'), { force: true });
    return ask.ask === 'may-read' ? { allowed: ask.paths.map(() => true) } : host.answer(ask);
  };
  const { text } = await callTool(drive, createAnswers(await packOf('answers')), { tool: 'find', args: { name: 'parse' } }, answer);
  assert.equal(text, 'src/lib.rs\n  2-4 pub fn parse(text: &str) -> u32\nCould not be read: `src/new.rs`.');
});

test('when time is up, what was found is given and marked', async (t) => {
  const { root } = repository(t);
  const host = createHost({ cwd: root });
  let now = 0;
  const answer = (ask) => {
    if (ask.ask === 'run') now += 3000;
    return ask.ask === 'may-read' ? { allowed: ask.paths.map(() => true) } : host.answer(ask);
  };
  const { text } = await callTool(drive, createAnswers(await packOf('answers')), { tool: 'find', args: { name: 'parse' } }, answer, () => now);
  assert.match(text, /^Not complete: not every file was looked at; `path` narrows\.$/m);
});

test('the list of tools in the module is that of the pack', async () => {
  const { tools } = (await packOf('answers')).read(JSON.stringify({ v: 1, do: 'tools' }));
  // The module's list is TypeScript, of which only this literal is taken.
  const source = readFileSync(new URL('../../mod/tools.ts', import.meta.url), 'utf8');
  const [, consts, list] = /(const TEXT = [^]*?)\n\n\/\*\*[^]*?export const TOOLS[^=]*= (\[[^]*?\n\])/.exec(source.replace(/type Tool = .*\n\n/, ''));
  assert.deepEqual(new Function(`${consts}; return ${list}`)(), tools);
});
