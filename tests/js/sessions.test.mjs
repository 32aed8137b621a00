// The memory of a session on disk: hostile names, homes that cannot be written, and hooks that run side by side.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createSessions, safeName } from '../../node/sessions.mjs';
import { makePlugin, run, scratch } from './support/plugin.mjs';

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

test('a process that was killed while it held the lock does not stop the ones after it, and its lock is taken over once it is stale', async (t) => {
  const home = scratch(t);
  const code = `
    const { createSessions } = await import(${JSON.stringify(MODULE.href)});
    const sessions = createSessions(${JSON.stringify(home)});
    await sessions.read('${UUID}');
    sessions.save('${UUID}', 'before');
    process.kill(process.pid, 'SIGKILL');`;
  const { code: exit } = await run([process.execPath, '--input-type=module', '-e', code], { cwd: SUPPORT, env: process.env });
  assert.equal(exit, null);
  const lock = join(home, 'sessions', `${UUID}.lock`);
  assert.ok(existsSync(lock));

  const next = createSessions(home);
  assert.deepEqual(await next.read(UUID), { state: 'before' });
  assert.equal(next.save(UUID, 'next'), true);
  next.release();
  assert.ok(existsSync(lock), 'not its own, and not stale yet');

  utimesSync(lock, 1, 1);
  const later = createSessions(home);
  assert.deepEqual(await later.read(UUID), { state: 'next' });
  later.release();
  assert.equal(existsSync(lock), false);
});

test('a process that was killed while it wrote leaves the text of before', async (t) => {
  const home = scratch(t);
  const sessions = createSessions(home);
  sessions.save(UUID, 'before');
  writeFileSync(join(home, 'sessions', `${UUID}.json.1-aa.tmp`), 'hal');
  assert.deepEqual(await sessions.read(UUID), { state: 'before' });
  sessions.release();
});

test('a stale lock that cannot be taken away does not stop the call', async (t) => {
  const home = scratch(t);
  const lock = join(home, 'sessions', `${UUID}.lock`);
  mkdirSync(join(lock, 'something'), { recursive: true });
  utimesSync(lock, Date.now() / 1000 - 10, Date.now() / 1000 - 10);
  for (const text of ['one', 'two']) {
    const sessions = createSessions(home);
    await sessions.read(UUID);
    assert.equal(sessions.save(UUID, text), true);
    assert.deepEqual(await sessions.read(UUID), { state: text });
    sessions.release();
  }
  assert.ok(existsSync(lock));
});

for (const [what, mount] of [
  ['full', 'mount -t tmpfs -o size=8k none "$1" && mkdir "$1/sessions" && printf before >"$1/sessions/$2.json" && dd if=/dev/zero of="$1/full" bs=4096 count=1 2>/dev/null'],
  ['read-only', 'mount -t tmpfs none "$1" && mkdir "$1/sessions" && printf before >"$1/sessions/$2.json" && mount -o remount,ro "$1"'],
]) {
  test(`a disk that is ${what} costs the memory of this call, and not the one of before`, { skip: cannotMount() }, async (t) => {
    const home = scratch(t);
    const code = `
      const { createSessions } = await import(${JSON.stringify(MODULE.href)});
      const { readdirSync } = await import('node:fs');
      const sessions = createSessions(${JSON.stringify(home)});
      const seen = [await sessions.read('${UUID}'), sessions.save('${UUID}', 'x'.repeat(5000)), await sessions.read('${UUID}')];
      sessions.release();
      console.log(JSON.stringify([...seen, readdirSync(${JSON.stringify(join(home, 'sessions'))})]));`;
    const inside = ['unshare', '-m', '--propagation', 'private', 'sh', '-c', `${mount} && exec "$3" --input-type=module -e "$4"`, 'sh', home, UUID, process.execPath, code];
    const { stdout, stderr } = await run(inside, { cwd: SUPPORT, env: process.env });
    assert.equal(stderr, '');
    assert.deepEqual(JSON.parse(stdout), [{ state: 'before' }, false, { state: 'before' }, [`${UUID}.json`]]);
  });
}

test('a text of another version, or a damaged one, is an empty memory, and the next one takes its place', async (t) => {
  for (const text of ['{"form":99,"agents":{"":{"refused":[1]}}}', '{"form":1,"age', '', 'null']) {
    const { hook, home, file } = bigProject(t);
    mkdirSync(join(home, '.trimtab/sessions'), { recursive: true });
    writeFileSync(file, text);
    assert.match((await hook()).stdout, /"deny"/, text);
    assert.deepEqual(await hook(), { code: 0, stdout: '', stderr: '' }, text);
    assert.match(readFileSync(file, 'utf8'), /^\{"form":\d/);
  }
});

test('two clients that make the same call in one session at once: it is refused once', async (t) => {
  const { hook, records } = bigProject(t);
  const answers = await Promise.all([hook(), hook(), hook()]);
  assert.equal(answers.filter(({ stdout }) => /"deny"/.test(stdout)).length, 1);
  assert.deepEqual(records(), []);
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

/** The real plugin and core on a file that is refused once. */
function bigProject(t) {
  const plugin = makePlugin(t, { isReal: true });
  writeFileSync(join(plugin.project, 'big.ts'), 'export const line = 1;\n'.repeat(900));
  const call = { cwd: plugin.project, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'cat big.ts' } };
  const payload = JSON.stringify({ session_id: UUID, ...call });
  return { ...plugin, hook: () => plugin.hook(payload), file: join(plugin.home, '.trimtab/sessions', `${UUID}.json`) };
}

function cannotMount() {
  const tried = spawnSync('unshare', ['-m', '--propagation', 'private', 'mount', '-t', 'tmpfs', 'none', '/mnt'], { stdio: 'ignore' });
  return tried.status === 0 ? false : 'this user cannot have a mount namespace';
}
