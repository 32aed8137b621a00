// The memory of a session on disk: hostile names, homes that cannot be written, and hooks that run side by side.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createSessions, safeName } from '../../node/sessions.mjs';
import { run, scratch } from './support/plugin.mjs';

const UUID = 'b83c0922-48d1-4169-a61e-3688b33797b6';
const MODULE = new URL('../../node/sessions.mjs', import.meta.url);
const SUPPORT = fileURLToPath(new URL('.', import.meta.url));

test('a plain session id names its file, and a hostile one is a hash that stays in the folder', async (t) => {
  const home = scratch(t);
  const hostile = ['', '.', '..', '../../etc/passwd', 'a/b', 'a\\b', 'C:\\x', 'con', 'NUL', 'x'.repeat(5000), 'a\0b', 'ÄÖ', 'A'.repeat(12), '\ud800', '-', '$(touch x)', 'a\nb', null, {}, 7];
  assert.equal(safeName(UUID), UUID);
  for (const id of hostile) {
    assert.match(safeName(id), /^_[0-9a-f]{40}$/, String(id));
    const sessions = createSessions(home);
    assert.equal(sessions.save(id, `of ${String(id)}`), true, String(id));
    assert.equal((await sessions.read(id)).state, Buffer.from(`of ${String(id)}`).toString());
    sessions.release();
  }
  assert.deepEqual(readdirSync(home), ['sessions']);
  assert.equal(safeName('ABCDEFGHIJ') === safeName('abcdefghij'), false, 'file systems that ignore case keep them apart');
});

test('folder and file are the person\'s alone, and no draft or lock stays behind', async (t) => {
  const home = join(scratch(t), 'deep', 'home');
  const sessions = createSessions(home);
  assert.deepEqual(await sessions.read(UUID), { state: null });
  sessions.save(UUID, 'x');
  sessions.release();
  assert.deepEqual(readdirSync(join(home, 'sessions')), [`${UUID}.json`]);
  assert.equal(statSync(join(home, 'sessions')).mode & 0o777, 0o700);
  assert.equal(statSync(join(home, 'sessions', `${UUID}.json`)).mode & 0o777, 0o600);
});

test('a home that cannot be written costs the memory and not the call', async (t) => {
  const folder = scratch(t);
  writeFileSync(join(folder, 'file'), '');
  for (const home of [null, join(folder, 'file'), join(folder, 'file', 'deeper')]) {
    const sessions = createSessions(home);
    assert.equal(await sessions.read(UUID), null);
    assert.equal(sessions.save(UUID, 'x'), false);
    sessions.release();
  }
});

test('processes that run side by side each see what the one before them saved', async (t) => {
  const home = scratch(t);
  const code = `
    const { createSessions } = await import(${JSON.stringify(MODULE.href)});
    const sessions = createSessions(${JSON.stringify(home)});
    const { state } = await sessions.read('${UUID}');
    sessions.save('${UUID}', String(Number(state ?? 0) + 1));
    sessions.release();`;
  const node = () => run([process.execPath, '--input-type=module', '-e', code], { cwd: SUPPORT, env: process.env });
  for (const { code: exit, stderr } of await Promise.all([node(), node(), node(), node()])) assert.equal(exit, 0, stderr);
  assert.equal(readFileSync(join(home, 'sessions', `${UUID}.json`), 'utf8'), '4');
  assert.deepEqual(readdirSync(join(home, 'sessions')), [`${UUID}.json`]);
});

test('a process that dies between reading and saving leaves no lock', async (t) => {
  const home = scratch(t);
  const code = `
    const { createSessions } = await import(${JSON.stringify(MODULE.href)});
    await createSessions(${JSON.stringify(home)}).read('${UUID}');
    process.exit(0);`;
  await run([process.execPath, '--input-type=module', '-e', code], { cwd: SUPPORT, env: process.env });
  assert.deepEqual(readdirSync(join(home, 'sessions')), []);
});

test('a stale lock is taken over, and so is one from a clock that ran ahead', async (t) => {
  for (const offset of [-10, 10, 86_400]) {
    const home = scratch(t);
    const lock = join(home, 'sessions', `${UUID}.lock`);
    mkdirSync(lock, { recursive: true });
    const time = Date.now() / 1000 + offset;
    utimesSync(lock, time, time);
    const sessions = createSessions(home);
    await sessions.read(UUID);
    assert.ok(Math.abs(statSync(lock).mtimeMs / 1000 - Date.now() / 1000) < 5, `${offset} s: taken anew`);
    sessions.release();
    assert.equal(existsSync(lock), false);
  }
});

test('a lock that is held does not keep a call waiting, and is left to its holder', async (t) => {
  const home = scratch(t);
  const [first, second] = [createSessions(home), createSessions(home)];
  await first.read(UUID);
  first.save(UUID, 'first');
  assert.deepEqual(await second.read(UUID), { state: 'first' });
  second.release();
  assert.equal(existsSync(join(home, 'sessions', `${UUID}.lock`)), true);
  first.release();
  assert.equal(existsSync(join(home, 'sessions', `${UUID}.lock`)), false);
});

test('something in the place of the lock that is no folder lets the call go on', async (t) => {
  const home = scratch(t);
  mkdirSync(join(home, 'sessions'));
  writeFileSync(join(home, 'sessions', `${UUID}.lock`), '');
  utimesSync(join(home, 'sessions', `${UUID}.lock`), 1, 1);
  const sessions = createSessions(home);
  assert.deepEqual(await sessions.read(UUID), { state: null });
  assert.equal(sessions.save(UUID, 'x'), true);
  sessions.release();
});

test('a new session clears away the old ones, and files that are not sessions stay', (t) => {
  const home = scratch(t);
  const folder = join(home, 'sessions');
  mkdirSync(folder);
  const put = (name, daysAgo) => {
    writeFileSync(join(folder, name), 'x');
    const time = Date.now() / 1000 - daysAgo * 86_400;
    utimesSync(join(folder, name), time, time);
  };
  put('eight-days-old.json', 8);
  put('eight-days-old.json.1-aa.tmp', 8);
  put('six-days-old.json', 6);
  put('notes.txt', 100);
  const sessions = createSessions(home);
  sessions.save(UUID, 'x');
  assert.deepEqual(readdirSync(folder).sort(), [`${UUID}.json`, 'notes.txt', 'six-days-old.json']);

  for (let n = 0; n < 220; n += 1) put(`session-${String(n).padStart(3, '0')}.json`, n / 100);
  sessions.save('another-session', 'x');
  const left = readdirSync(folder);
  assert.equal(left.filter((name) => name.endsWith('.json')).length, 200);
  assert.ok(left.includes('session-000.json') && !left.includes('session-219.json') && left.includes('another-session.json'));
});
