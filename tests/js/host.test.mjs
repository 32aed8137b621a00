// The Node host: every ask of the wire, on good ground and on bad.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createHost } from '../../node/host.mjs';
import { scratch } from './support/plugin.mjs';

const PATH = { PATH: process.env.PATH };

function world(test, { env = {}, ...more } = {}) {
  const folder = scratch(test);
  const [project, home] = ['project', 'home'].map((name) => join(folder, name));
  mkdirSync(project);
  const put = (path, text) => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  return { folder, project, home, put, host: createHost({ cwd: project, home, env: { ...PATH, ...env }, ...more }) };
}

test('an ask of a later wire, or one that lacks its fields, is "could not tell"', async (t) => {
  const { host } = world(t);
  for (const ask of [{ ask: 'weather' }, { ask: 'toString' }, {}, { ask: 'stat' }, { ask: 'stat', path: 7 }, { ask: 'lines' }, { ask: 'measure' }, { ask: 'measure', argv: [] }, { ask: 'measure', argv: ['a\0b'] }]) {
    assert.equal(await host.answer(ask), null, JSON.stringify(ask));
  }
});

test('a file, a folder and what is not there each have their kind', async (t) => {
  const { host, project, put } = world(t);
  put('project/a b.ts', 'one\ntwo\n');
  const { mtime, ...told } = await host.answer({ ask: 'stat', path: 'a b.ts' });
  assert.deepEqual(told, { kind: 'file', bytes: 8, real: join(project, 'a b.ts') });
  assert.ok(Math.abs(mtime - Date.now()) < 600_000, `${mtime} ms since 1970`);
  assert.equal((await host.answer({ ask: 'stat', path: project })).kind, 'dir');
  assert.equal((await host.answer({ ask: 'stat', path: '/dev/null' })).kind, 'other');
  for (const path of ['nothing.ts', 'a b.ts/inside', 'no/such/folder.ts']) assert.deepEqual(await host.answer({ ask: 'stat', path }), { kind: 'none', bytes: 0, real: join(project, path) }, path);
});

test('what the file system refuses to say is "could not tell", not "not there"', async (t) => {
  const { host, project } = world(t);
  symlinkSync('loop', join(project, 'loop'));
  for (const path of ['loop', 'a\0b', 'n'.repeat(5000)]) assert.equal(await host.answer({ ask: 'stat', path }), null, path.slice(0, 20));
});

test('a symlink out of the project shows where it leads, and one into nowhere is not there', async (t) => {
  const { host, folder, project, put } = world(t);
  put('outside/secret.txt', 'x\n');
  symlinkSync(join(folder, 'outside'), join(project, 'inside'));
  symlinkSync(join(folder, 'gone'), join(project, 'dangling'));
  assert.equal((await host.answer({ ask: 'stat', path: 'inside/secret.txt' })).real, join(folder, 'outside/secret.txt'));
  assert.equal((await host.answer({ ask: 'stat', path: 'dangling' })).kind, 'none');
});

test('lines are newline characters, whatever the size of the pieces that are read', async (t) => {
  const { host, put } = world(t);
  const cases = { empty: '', 'no end': 'a', 'one line': 'a\n', 'no last end': 'a\nb', crlf: 'a\r\nb\r\n', 'many lines': 'x\n'.repeat(70_000), 'one long line': `${'y'.repeat(200_000)}\n` };
  for (const [name, text] of Object.entries(cases)) {
    put(`project/${name}`, text);
    assert.deepEqual(await host.answer({ ask: 'lines', path: name }), { lines: text.split('\n').length - 1 }, name);
  }
});

test('lines of what is no file cannot be told, and a named pipe does not hold the call', async (t) => {
  const { host, project } = world(t);
  execFileSync('mkfifo', [join(project, 'pipe')]);
  for (const path of ['pipe', '.', '/dev/zero', 'missing']) assert.equal(await host.answer({ ask: 'lines', path }), null, path);
});

test('the project folder is the one the client names, else the nearest repository, else the directory itself', async (t) => {
  const { folder, project, host, home } = world(t);
  // The person's own home, which is where the tests run and not where they write.
  const folders = (place) => place && (({ home: person, ...rest }) => (assert.equal(person, homedir()), rest))(place);
  const at = async (cwd, env = {}, root) => folders(await createHost({ cwd, root, env, home }).answer({ ask: 'place' }));
  const sub = join(project, 'packages/one');
  mkdirSync(sub, { recursive: true });
  assert.deepEqual(folders(await host.answer({ ask: 'place' })), { cwd: project, root: project });
  assert.deepEqual(await at(sub), { cwd: sub, root: sub });
  writeFileSync(join(project, '.git'), 'gitdir: elsewhere\n');
  assert.deepEqual(await at(sub), { cwd: sub, root: project }, 'a worktree has a file there');
  assert.deepEqual(await at(sub, { CLAUDE_PROJECT_DIR: folder }), { cwd: sub, root: folder });
  assert.deepEqual(await at(sub, { CLAUDE_PROJECT_DIR: join(folder, 'gone') }), { cwd: sub, root: project });
  assert.deepEqual(await at(sub, { CLAUDE_PROJECT_DIR: folder }, sub), { cwd: sub, root: sub }, 'the caller knows best');
  symlinkSync(project, join(folder, 'link'));
  assert.deepEqual(await at(join(folder, 'link/packages/one')), { cwd: sub, root: project });
  assert.equal(await at(join(folder, 'gone')), null);
  assert.equal(await at(null), null);
});

test('the layers of the configuration come in order, and what is not set is left out', async (t) => {
  const { host, folder, project, home, put } = world(t);
  const ask = { ask: 'config' };
  assert.deepEqual(await host.answer(ask), { layers: [] });
  put('home/config.json', '{"mode":"off"}');
  put('project/.trimtab.json', 'not json: the core says so');
  put('project/.trimtab.local.json', '{}');
  const env = { CLAUDE_PLUGIN_OPTION_MODE: 'advise', CLAUDE_PLUGIN_OPTION_EMPTY: '', TRIMTAB_MODE: 'strict', TRIMTAB_EMPTY: '', OTHER: 'x' };
  assert.deepEqual(await createHost({ cwd: folder, home, env }).answer({ ask: 'config', root: project }), {
    layers: [
      { from: 'user', text: '{"mode":"off"}' },
      { from: 'project', text: 'not json: the core says so' },
      { from: 'local', text: '{}' },
      { from: 'options', value: { mode: 'advise' } },
      { from: 'env', value: { TRIMTAB_MODE: 'strict' } },
    ],
  });
});

test('a configuration that cannot be read is named with its error and hides no other layer', async (t) => {
  const { host, project, put } = world(t);
  put('home/config.json', '{}');
  mkdirSync(join(project, '.trimtab.json'));
  put('project/.trimtab.local.json', ' '.repeat(300_000));
  assert.deepEqual(await host.answer({ ask: 'config', root: project }), {
    layers: [
      { from: 'user', text: '{}' },
      { from: 'project', error: 'EISDIR' },
      { from: 'local', error: 'EFBIG' },
    ],
  });
  rmSync(join(project, '.trimtab.json'), { recursive: true });
  symlinkSync('.trimtab.json', join(project, '.trimtab.json'));
  assert.deepEqual((await host.answer({ ask: 'config', root: project })).layers[1], { from: 'project', error: 'ELOOP' });
});

test('a command is measured by its standard output alone, without a shell and without input', async (t) => {
  const { host, project } = world(t);
  const node = (code, chars = 1000) => host.answer({ ask: 'measure', argv: [process.execPath, '-e', code], cwd: project, chars });
  assert.deepEqual(await node('console.log("ab\\nä😀"); console.error("not this")'), { chars: 7, lines: 2, complete: true, exit: 0 });
  assert.deepEqual(await node('process.exit(3)'), { chars: 0, lines: 0, complete: true, exit: 3 });
  assert.deepEqual(await node('process.stdin.on("data", () => {}).on("end", () => process.exit(4))'), { chars: 0, lines: 0, complete: true, exit: 4 });
  assert.deepEqual(await node('process.stdout.write(process.env.GIT_OPTIONAL_LOCKS + process.env.GIT_PAGER)'), { chars: 4, lines: 0, complete: true, exit: 0 });
  assert.deepEqual(await host.answer({ ask: 'measure', argv: ['printf', '%s', '$HOME; ls'], cwd: '.', chars: 1000 }), { chars: 9, lines: 0, complete: true, exit: 0 });
});

test('a command that says too much, or goes on for too long, is stopped and called incomplete', async (t) => {
  const { host } = world(t);
  const node = (code, chars) => host.answer({ ask: 'measure', argv: [process.execPath, '-e', code], chars });
  const much = await node('for (;;) process.stdout.write("x".repeat(100) + "\\n")', 5000);
  assert.deepEqual(much, { chars: 5000, lines: 49, complete: false, exit: null });
  assert.deepEqual(await node('setInterval(() => {}, 1000)', 5000), { chars: 0, lines: 0, complete: false, exit: null });
  assert.deepEqual(await node('process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)', 5000), { chars: 0, lines: 0, complete: false, exit: null });
});

test('a command that cannot be started is "could not tell"', async (t) => {
  const { host } = world(t);
  assert.equal(await host.answer({ ask: 'measure', argv: ['no-such-program-here'], cwd: '.', chars: 10 }), null);
  assert.equal(await host.answer({ ask: 'measure', argv: ['git', 'log'], cwd: 'no/such/folder', chars: 10 }), null);
});

test('what was saved for a session is there at its next call, and not for another session', async (t) => {
  const { host, home } = world(t);
  assert.deepEqual(await host.answer({ ask: 'state', session: 's1' }), { state: null });
  assert.equal(host.carryOut([{ effect: 'save', session: 's1', state: 'memory ä' }]), true);
  const next = createHost({ cwd: home, home, env: {} });
  assert.deepEqual(await next.answer({ ask: 'state', session: 's1' }), { state: 'memory ä' });
  assert.deepEqual(await next.answer({ ask: 'state', session: 's2' }), { state: null });
  next.carryOut();
});

test('records are rows of closed words, in a file for the person alone', (t) => {
  const { home } = world(t);
  createHost({ home, route: 'hook', event: 'PreToolUse' }).carryOut([{ effect: 'record', code: 'payload-not-json', detail: 'x'.repeat(500) }, { effect: 'record', code: 'trap' }, { effect: 'later' }]);
  const rows = readFileSync(join(home, 'errors.jsonl'), 'utf8').trimEnd().split('\n').map((row) => JSON.parse(row));
  assert.deepEqual(rows.map(({ time, version, ...row }) => row), [
    { route: 'hook', event: 'PreToolUse', code: 'payload-not-json', detail: 'x'.repeat(200) },
    { route: 'hook', event: 'PreToolUse', code: 'trap' },
  ]);
  for (const { time, version } of rows) {
    assert.equal(new Date(time).toISOString(), time);
    assert.match(version, /^\d+\.\d+\.\d+/);
  }
  assert.equal(statSync(join(home, 'errors.jsonl')).mode & 0o777, 0o600);
  assert.equal(statSync(home).mode & 0o777, 0o700);
});

test('the records start anew when they are long, and one older file is kept', (t) => {
  const { home, put, host } = world(t);
  put('home/errors.1.jsonl', 'oldest\n');
  put('home/errors.jsonl', 'old\n'.repeat(70_000));
  host.record('trap');
  assert.equal(readFileSync(join(home, 'errors.jsonl'), 'utf8').split('\n').length, 2);
  assert.match(readFileSync(join(home, 'errors.1.jsonl'), 'utf8'), /^old\n/);
});

test('nothing is created in a project, and nothing at all by asking about files', async (t) => {
  const { host, project, home } = world(t);
  for (const ask of [{ ask: 'place' }, { ask: 'config', root: project }, { ask: 'stat', path: 'x' }, { ask: 'lines', path: 'x' }]) await host.answer(ask);
  host.carryOut();
  assert.equal(existsSync(home), false);
  assert.equal(existsSync(join(project, '.trimtab')), false);
});
