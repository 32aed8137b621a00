// What a session remembers: over prompts, for each session on its own, and when a session is taken up again, by this process or by another.
// What the module and the command hooks each do for themselves they must also do for each other.

import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ensureClient } from '../../lab/client.mjs';
import { copyOfPlugin } from './support/copy.mjs';
import { createProject } from './support/project.mjs';
import { answeringRoutes, countingNode, observe, placeOf, unwrapped } from './support/session.mjs';
import { noTerminal, typeInto } from './support/terminal.mjs';

const PLUGIN = fileURLToPath(new URL('../../', import.meta.url));
const WITHOUT_MODULE = { TRIMTAB_NO_MOD: '1' };
const folder = mkdtempSync(join(tmpdir(), 'trimtab-e2e-'));
const project = createProject(join(folder, 'project'));
after(() => rmSync(folder, { recursive: true, force: true }));

const cat = (name) => [{ tool: 'Bash', input: { command: `cat src/${name}.ts`, description: 'Show it' } }];
const say = (text) => [{ text }];

for (const [version, route] of [
  ['2.1.332', 'module'],
  ['2.1.277', 'hooks'],
]) {
  test(`${version}: the next prompt knows what the one before was refused, and so does another process; another session does not`, async () => {
    const home = newHome();
    const run = (options) => runIn({ home, version, ...options });

    const long = `Two. ${'x'.repeat(200_000)}`; // More than a pipe holds, and more than a hook reads of it.
    const first = await run({
      prompt: ['One.', long],
      script: { main: [cat('orders'), say('One.'), cat('orders'), cat('stock'), say('Two.')] },
    });
    assert.deepEqual(routesOf(first), [route, null, route]);

    const second = await run({ script: { main: [cat('orders'), cat('stock')] } });
    assert.deepEqual(routesOf(second), [route, route]);

    const resumed = await run({ args: ['--resume', sessionOf(first)], script: { mark: 'again', main: [cat('orders'), cat('stock'), cat('taxes')] } });
    assert.deepEqual(routesOf(resumed), [null, null, route]);

    // One file for each session, for the person alone; no draft, no lock, and no doubt in a module that lives.
    const files = [first, second].map((session) => `${sessionOf(session)}.json`);
    assert.deepEqual(readdirSync(join(home, '.trimtab/sessions')).sort(), files.sort());
    for (const [path, mode] of [['.trimtab', 0o700], ['.trimtab/sessions', 0o700], [`.trimtab/sessions/${files[0]}`, 0o600]])
      assert.equal(statSync(join(home, path)).mode & 0o777, mode, path);
  });
}

for (const [from, to, before, then] of [
  ['module', 'hooks', {}, WITHOUT_MODULE],
  ['hooks', 'module', WITHOUT_MODULE, {}],
]) {
  test(`what the ${from} refused, the ${to} let pass when they take the session up`, async () => {
    const home = newHome();
    const first = await runIn({ home, env: before, script: { main: [cat('orders')] } });
    assert.deepEqual(routesOf(first), [from]);
    const args = ['--resume', sessionOf(first)];
    const resumed = await runIn({ home, env: then, args, script: { mark: 'again', main: [cat('orders'), cat('stock'), cat('stock')] } });
    assert.deepEqual(routesOf(resumed), [null, to, null]);
  });
}

for (const [route, env] of [
  ['module', {}],
  ['hooks', WITHOUT_MODULE],
]) {
  test(`answered by the ${route}: what was refused before /clear is refused once more after it, and passes after /resume`, { skip: noTerminal() }, async () => {
    const home = newHome();
    const counted = countingNode(mkdtempSync(join(folder, 'node-')));
    const session = await typeInto({
      client: await ensureClient('2.1.332'),
      cwd: project.folder,
      home,
      // A client in a terminal writes its declarations into a plugin that it loads from a folder.
      plugins: [copyOfPlugin(folder)],
      env: { TRIMTAB_MODE: 'redirect', ...counted.env, ...env },
      script: {
        main: [cat('orders'), cat('orders'), say('One.'), cat('orders'), cat('stock'), say('Two.'), cat('orders'), cat('stock'), say('Three.')],
      },
      lines: [
        { type: 'One.', until: 'turn 1 end' },
        { type: '/clear', until: 'Cleared all session hooks' },
        { type: 'Two.', until: 'turn 2 end' },
        { type: (debug) => `/resume ${clearedIn(debug)}`, until: 'resuming with same session id' },
        { type: 'Three.', until: 'turn 3 end' },
      ],
    });
    const said = (result) => (/^`\w+\.ts` has 620 lines/.test(unwrapped(result.text)) ? 'refused' : 'shown');
    assert.deepEqual(session.results.map(said), ['refused', 'shown', 'refused', 'refused', 'shown', 'refused']);

    // The module refuses above the hooks, and no other process looks; without it each call starts one.
    const byModule = session.debug.match(/^.*tool\.check Bash \S+: \w+ -> deny by plugins? [^:]*\btrimtab\b/gm) ?? [];
    assert.deepEqual([byModule.length, counted.starts().length], route === 'module' ? [4, 0] : [0, 6]);
    const files = readdirSync(join(home, '.trimtab/sessions'));
    assert.equal(files.length, 2);
    for (const file of files) assert.match(file, /^[0-9a-f-]{36}\.json$/);
  });
}

async function runIn({ version = '2.1.332', ...options }) {
  const session = await observe({ client: await ensureClient(version), cwd: project.folder, plugins: [PLUGIN], ...options });
  assert.deepEqual({ exitCode: session.exitCode, stderr: session.stderr, records: session.records }, { exitCode: 0, stderr: '', records: [] });
  return session;
}

function newHome() {
  return mkdtempSync(join(folder, 'home-'));
}

function sessionOf({ events }) {
  return events.find(({ subtype }) => subtype === 'init').session_id;
}

function clearedIn(debug) {
  return /Cleared all session hooks for session (\S+)/.exec(debug)[1];
}

function routesOf(session) {
  const routes = answeringRoutes(session);
  return session.results.map((result) => routes.get(placeOf(result))?.join() ?? null);
}
