// Sessions in which something is broken: the plugin's own files, the person's configuration, the home folder, another mod.
// The session must go on, each call answered by one route or by none, and what went wrong must be on record.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ensureClient } from '../../lab/client.mjs';
import { copyOfPlugin } from './support/copy.mjs';
import { cannotMount, inNamespace } from './support/namespace.mjs';
import { createProject } from './support/project.mjs';
import { answeringRoutes, observe, placeOf, steady } from './support/session.mjs';

const PLUGIN = fileURLToPath(new URL('../../', import.meta.url));
const WITH_MODULE = '2.1.332';
const WITHOUT_MODS = '2.1.277';

const folder = mkdtempSync(join(tmpdir(), 'trimtab-e2e-'));
const project = createProject(join(folder, 'project'));
after(() => rmSync(folder, { recursive: true, force: true }));

const bash = (command) => ({ tool: 'Bash', input: { command, description: 'Run it' } });
const read = (name) => ({ tool: 'Read', input: { file_path: `${project.folder}/src/${name}.ts` } });
const CALLS = [
  [read('orders')],
  [read('orders')],
  [bash('cat src/invoices.ts')],
  [bash('cat src/invoices.ts')],
  [bash('cat src/small.ts')],
  [bash('git log')],
  [bash('cat src/customers.ts'), bash('cat src/customers.ts')],
  [bash('touch src/new.ts')],
];
// What a route refuses of these: turn 6 holds the same call twice in one message, and one of the two comes through.
const REFUSED_TURNS = [0, 2, 5, 6];

test('a module whose core does not start leaves the same session to the command hooks', async () => {
  const session = await sessionOf(WITH_MODULE, {
    plugins: [
      copyOfPlugin(folder, (copy) => {
        const file = join(copy, 'mod/register.ts');
        const source = readFileSync(file, 'utf8');
        assert.ok(source.includes("'../pkg/trimtab_bg.wasm'"));
        writeFileSync(file, source.replace("'../pkg/trimtab_bg.wasm'", "'../pkg/damaged.wasm'"));
        writeFileSync(join(copy, 'pkg/damaged.wasm'), readFileSync(join(PLUGIN, 'pkg/trimtab_bg.wasm')).subarray(0, 100_000));
      }),
    ],
  });
  assertRefuses(session, 'hooks');
  assert.deepEqual(codesOf(session), ['mod core-broken compile']);
});

for (const [what, damage, code] of [
  ['damaged', (copy) => truncateSync(join(copy, 'pkg/trimtab_bg.wasm'), 100_000), 'core-broken'],
  ['missing', (copy) => rmSync(join(copy, 'pkg/trimtab_bg.wasm')), 'core-missing'],
]) {
  for (const version of [WITH_MODULE, WITHOUT_MODS]) {
    test(`${version}: with the core ${what}, the command hooks judge with their second copy, and it is on record`, async () => {
      const session = await sessionOf(version, { plugins: [copyOfPlugin(folder, damage)] });
      assertRefuses(session, 'hooks');
      const codes = [...new Set(session.records.map((record) => `${record.route} ${record.code}`))].sort();
      assert.deepEqual(codes, version === WITH_MODULE ? [`hook ${code}`, 'mod core-broken'] : [`hook ${code}`]);
    });
  }
}

for (const version of [WITH_MODULE, WITHOUT_MODS]) {
  test(`${version}: with no core at all, everything is as without trimtab, and on record`, async () => {
    const session = await sessionOf(version, { plugins: [copyOfPlugin(folder, (copy) => rmSync(join(copy, 'pkg'), { recursive: true }))] });
    await assertSameAsWithout(version, session);
    assert.ok(session.records.some(({ route, code }) => route === 'hook' && code === 'core-missing'));
  });
}

for (const [version, route] of [
  [WITH_MODULE, 'module'],
  [WITHOUT_MODS, 'hooks'],
]) {
  const recorded = route === 'module' ? 'mod' : 'hook';

  test(`${version}: a configuration that cannot be read is left out, and on record`, async () => {
    const session = await sessionOf(version, { home: homeWith((home) => mkdirSync(join(home, '.trimtab/config.json'), { recursive: true })) });
    assertRefuses(session, route);
    assert.deepEqual(
      session.records.map((record) => [record.route, record.code]),
      [[recorded, 'config']],
    );
  });

  test(`${version}: a configuration that is no JSON is left out, and on record`, async () => {
    const session = await sessionOf(version, { home: homeWith((home) => configure(home, '{ not json')) });
    assertRefuses(session, route);
    assert.deepEqual(
      session.records.map((record) => [record.route, record.code]),
      [[recorded, 'config']],
    );
  });

  test(`${version}: advice leaves every result and every permission as it was`, async () => {
    const session = await sessionOf(version, { home: homeWith((home) => configure(home, '{"mode":"advise"}')), env: { TRIMTAB_MODE: undefined } });
    await assertSameAsWithout(version, session);
    const notes = session.results
      .filter(({ turn }) => turn === 0)
      .flatMap(({ notes }) => notes)
      .join('\n');
    assert.match(
      notes,
      route === 'module'
        ? /Note from the trimtab plugin[^]*`orders\.ts` has 620 lines/
        : /PreToolUse:Read hook additional context: `orders\.ts` has 620 lines/,
    );
    assert.deepEqual(session.records, []);
  });

  test(`${version}: switched off, nothing is different and no process is started`, async () => {
    const session = await sessionOf(version, { env: { TRIMTAB_HOOKS: 'off' } });
    await assertSameAsWithout(version, session);
    assert.deepEqual([session.nodeStarts, session.records], [[], []]);
    assert.equal(existsSync(join(session.home, '.trimtab')), false);
  });
}

// Root may write anywhere, so the folder is closed by a file in its place, by a file system that is read-only, and by one that is full.
for (const [what, close, skip] of [
  ['a file stands in its place', async (client) => ({ client, home: homeWith((home) => writeFileSync(join(home, '.trimtab'), '')) }), false],
  [
    'its file system is read-only',
    async (client) => {
      const home = homeWith((made) => mkdirSync(join(made, '.trimtab')));
      return { home, client: inNamespace(folder, client, `mount -t tmpfs -o ro none '${home}/.trimtab'`) };
    },
    cannotMount(),
  ],
  [
    'its disk is full',
    async (client) => {
      const home = homeWith((made) => mkdirSync(join(made, '.trimtab')));
      const fill = `dd if=/dev/zero of='${home}/.trimtab/full' bs=4096 count=1 2>/dev/null`;
      return { home, client: inNamespace(folder, client, `mount -t tmpfs -o size=4k none '${home}/.trimtab' && ${fill}`) };
    },
    cannotMount(),
  ],
]) {
  test(`~/.trimtab cannot be written to (${what}): the module goes on from its own memory`, { skip }, async () => {
    const session = await sessionOf(WITH_MODULE, await close(await ensureClient(WITH_MODULE)));
    assertRefuses(session, 'module');
  });

  test(`~/.trimtab cannot be written to (${what}): the hooks refuse nothing that they could not remember, and say so`, { skip }, async () => {
    const session = await sessionOf(WITHOUT_MODS, await close(await ensureClient(WITHOUT_MODS)));
    await assertSameAsWithout(WITHOUT_MODS, session);
    const complaints = session.events
      .filter(({ subtype }) => subtype === 'hook_response')
      .map(({ stderr }) => stderr)
      .join('');
    assert.match(complaints, /^trimtab: the record `[a-z-]+` could not be kept/);
  });
}

for (const [what, close] of [
  ['', () => {}],
  [', where the disk does not take it', (home) => writeFileSync(join(home, '.trimtab'), '')],
]) {
  test(`another mod that wedges the worker took the memory along${what}: what was refused before passes, and trimtab answers on its own route`, async () => {
    const session = await observe({
      client: await ensureClient(WITH_MODULE),
      cwd: project.folder,
      home: homeWith(close),
      plugins: [wedge(), PLUGIN],
      script: {
        main: [
          [read('orders')],
          [bash('echo wedge')],
          [read('orders')],
          [read('orders')],
          [bash('cat src/invoices.ts')],
          [bash('cat src/invoices.ts')],
        ],
      },
    });
    const routes = answeringRoutes(session);
    const refused = session.results.map((result) => [result.turn, routes.get(placeOf(result))?.join()]);
    assert.deepEqual(refused, [
      [0, 'module'],
      [1, undefined],
      [2, undefined],
      [3, undefined],
      [4, 'module'],
      [5, undefined],
    ]);
    assert.match(session.debug, /hooks worker: respawning for trimtab/);
    assert.deepEqual(session.nodeStarts, []);
    if (what === '') assert.deepEqual(codesOf(session), ['mod crash throw']);
  });
}

async function sessionOf(version, options) {
  const session = await observe({ client: await ensureClient(version), cwd: project.folder, plugins: [PLUGIN], script: { main: CALLS }, ...options });
  assert.deepEqual({ exitCode: session.exitCode, stderr: session.stderr }, { exitCode: 0, stderr: '' });
  assert.equal(session.results.length, CALLS.flat().length);
  assert.equal(execFileSync('git', ['status', '--short'], { cwd: project.folder, encoding: 'utf8' }), ' M packages.lock\n M src/small.ts\n');
  return session;
}

const plain = new Map();
async function assertSameAsWithout(version, session) {
  if (!plain.has(version)) plain.set(version, await sessionOf(version, { plugins: [] }));
  const seen = ({ results }) => results.map(({ id, text, isError }) => ({ id, text: steady(text), isError })).sort((a, b) => (a.id < b.id ? -1 : 1));
  assert.deepEqual(seen(session), seen(plain.get(version)));
}

function assertRefuses(session, route) {
  const routes = answeringRoutes(session);
  const refused = session.results.filter((result) => routes.has(placeOf(result)));
  assert.deepEqual(
    refused.map(({ turn }) => turn).sort((a, b) => a - b),
    REFUSED_TURNS,
  );
  for (const result of refused) assert.deepEqual(routes.get(placeOf(result)), [route]);
  if (route === 'module') assert.deepEqual(session.nodeStarts, []);
}

function codesOf({ records }) {
  return records.map(({ route, code, detail }) => [route, code, detail].join(' ').trim());
}

/**
 * A mod that holds the worker for longer than the client waits. It looks every five seconds and wants an answer within five, but three of
 * eighteen sessions came through 14 s (2.1.332).
 */
function wedge() {
  const plugin = join(mkdtempSync(join(folder, 'wedge-')), 'wedge');
  mkdirSync(join(plugin, '.claude-plugin'), { recursive: true });
  mkdirSync(join(plugin, 'hooks'));
  writeFileSync(join(plugin, '.claude-plugin/plugin.json'), '{"name":"wedge","version":"0.1.0","description":"Spins","author":{"name":"lab"}}');
  writeFileSync(join(plugin, 'hooks/hooks.json'), '{"modules":["./register.js"]}');
  writeFileSync(
    join(plugin, 'hooks/register.js'),
    `export const register = on => {
      on('tool.check', { tool: 'Bash' }, ($, e, next) => {
        if (e.input.command === 'echo wedge') for (const end = Date.now() + 30_000; Date.now() < end;);
        return next(e)
      })
    }`,
  );
  return plugin;
}

function homeWith(prepare) {
  const home = mkdtempSync(join(folder, 'home-'));
  prepare(home);
  return home;
}

function configure(home, text) {
  mkdirSync(join(home, '.trimtab'));
  writeFileSync(join(home, '.trimtab/config.json'), text);
}
