// The shell that the module writes a session's memory with, as mod/memory.ts holds it: its files must be those of node/sessions.mjs.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createSessions } from '../../node/sessions.mjs';
import { run, scratch } from './support/plugin.mjs';

const UUID = 'b83c0922-48d1-4169-a61e-3688b33797b6';
const SOURCE = readFileSync(new URL('../../mod/memory.ts', import.meta.url), 'utf8');
const [, LINES] = /const WRITE_STATE = (\[[^]*?\n\])\.join/.exec(SOURCE);
const SCRIPT = new Function(`return ${LINES}`)().join('\n');
const SHELLS = ['sh', 'dash', 'bash', 'busybox', 'ksh', 'zsh'].filter((shell) => pathOf(shell) !== '');

function pathOf(program) {
  return spawnSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).stdout.trim();
}

for (const shell of SHELLS) {
  const command = [pathOf(shell), ...(shell === 'busybox' ? ['sh'] : []), '-c', SCRIPT, 'sh'];
  // SHLVL, because bash takes an input that is a socket for a login from afar.
  const write = (home, text, { cwd = home, path = process.env.PATH } = {}) =>
    run([...command, `${home}/.trimtab/sessions/${UUID}.json`], { input: text, cwd, env: { PATH: path, SHLVL: '2' } });

  test(`${shell}: what the module wrote the command hooks read, and the other way round`, async (t) => {
    for (const name of ['home', "it's $HOME", '-n', 'ä b']) {
      const home = join(scratch(t), name);
      mkdirSync(home);
      const text = `{"a":"%s \\\\n 'x' $HOME"}${'x'.repeat(300_000)}`;
      assert.deepEqual(await write(home, text), { code: 0, stdout: '', stderr: '' }, name);
      const sessions = createSessions(join(home, '.trimtab'));
      assert.deepEqual(await sessions.read(UUID), { state: text }, name);
      assert.equal(sessions.save(UUID, 'of the hooks'), true);
      sessions.release();
      assert.equal((await write(home, 'of the module')).code, 0);
      assert.deepEqual(await sessions.read(UUID), { state: 'of the module' });
      sessions.release();
      assert.deepEqual(readdirSync(join(home, '.trimtab/sessions')), [`${UUID}.json`], 'no draft');
    }
  });

  test(`${shell}: folders and file are the person's alone, whatever she usually allows`, async (t) => {
    const home = scratch(t);
    await write(home, 'x');
    chmodSync(join(home, '.trimtab/sessions', `${UUID}.json`), 0o644);
    await write(home, 'y');
    for (const [path, mode] of [['.trimtab', 0o700], ['.trimtab/sessions', 0o700], [`.trimtab/sessions/${UUID}.json`, 0o600]]) assert.equal(statSync(join(home, path)).mode & 0o777, mode, path);
  });

  test(`${shell}: a home that cannot be written is a failure, and leaves nothing`, async (t) => {
    const home = scratch(t);
    writeFileSync(join(home, '.trimtab'), '');
    assert.notEqual((await write(home, 'x')).code, 0);
    assert.deepEqual(readdirSync(home), ['.trimtab']);
    assert.notEqual((await write(join(home, '.trimtab'), 'x', { cwd: home })).code, 0);
    const other = scratch(t);
    assert.notEqual((await write(other, 'x', { path: '/nowhere' })).code, 0, 'no tools');
  });

  test(`${shell}: the first save of a session clears away what is a week old, and what is not of the sessions stays`, async (t) => {
    const home = scratch(t);
    const folder = join(home, '.trimtab/sessions');
    mkdirSync(join(folder, 'deeper.json'), { recursive: true });
    const put = (name, days) => {
      writeFileSync(join(folder, name), 'x');
      utimesSync(join(folder, name), Date.now() / 1000 - days * 86_400, Date.now() / 1000 - days * 86_400);
    };
    const old = ['old.json', 'old.json.1.tmp', 'old.7.gone', 'deeper.json/old.json', 'notes.txt'];
    for (const name of old) put(name, 8);
    put('new.json', 6);
    await write(home, 'x');
    assert.deepEqual(readdirSync(folder).sort(), [`${UUID}.json`, 'deeper.json', 'new.json', 'notes.txt']);
    assert.deepEqual(readdirSync(join(folder, 'deeper.json')), ['old.json']);
    put('old.json', 8);
    await write(home, 'y');
    assert.ok(readdirSync(folder).includes('old.json'), 'not at every save');
  });
}
