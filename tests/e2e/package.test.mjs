// The package as npm makes it, installed into an empty home without a network, and fired once on each route: the module, the command hooks,
// the command line. And the same folder as a marketplace, installed by the client itself.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { ACTIONS } from '../../doctor/data.mjs';
import { fileURLToPath } from 'node:url';
import { ensureClient } from '../../lab/client.mjs';
import { doctor, install } from './support/install.mjs';
import { createProject } from './support/project.mjs';
import { answeringRoutes, observe, placeOf } from './support/session.mjs';

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));
const WITH_MODULE = '2.1.332';
const WITHOUT_MODS = '2.1.277';

const folder = mkdtempSync(join(tmpdir(), 'trimtab-e2e-'));
const project = createProject(join(folder, 'project'));
const prefix = join(folder, 'prefix');
const plugin = join(prefix, 'lib/node_modules/trimtab');
after(() => rmSync(folder, { recursive: true, force: true }));

const READ = { tool: 'Read', input: { file_path: `${project.folder}/src/orders.ts` } };
const CALLS = [
  [READ],
  [{ tool: 'Bash', input: { command: 'cat src/invoices.ts', description: 'Show it' } }],
  [{ tool: 'Bash', input: { command: 'cat src/small.ts', description: 'Show it' } }],
];

before(() => {
  const home = newHome();
  const npm = (...args) =>
    execFileSync('npm', [...args, '--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier'], {
      cwd: REPOSITORY,
      env: { PATH: process.env.PATH, HOME: home },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const [{ filename }] = JSON.parse(npm('pack', '--json', '--pack-destination', folder));
  npm('install', '--global', '--offline', '--prefix', prefix, join(folder, filename));
});

test('it brings nothing along, and none of what a client writes into a checkout', () => {
  assert.equal(existsSync(join(plugin, 'node_modules')), false);
  assert.deepEqual(readdirSync(join(plugin, '.claude-plugin')).sort(), ['icon.png', 'icon.svg', 'marketplace.json', 'plugin.json']);
});

test('the command line judges', () => {
  const { stdout, home } = trimtab(['judge'], JSON.stringify({ id: '1', ...READ, cwd: project.folder, root: project.folder }));
  const { verdict, rule } = JSON.parse(stdout);
  assert.deepEqual({ verdict, rule }, { verdict: 'redirect', rule: 'whole-file-read' });
  assert.deepEqual(readdirSync(home), []);
});

test('the command line answers a hook, and keeps what it said in the home folder', () => {
  const payload = { session_id: '00000000-0000-4000-8000-000000000000', cwd: project.folder, hook_event_name: 'PreToolUse' };
  const { stdout, home } = trimtab(['hook', 'PreToolUse'], JSON.stringify({ ...payload, tool_name: READ.tool, tool_input: READ.input }));
  assert.equal(JSON.parse(stdout).hookSpecificOutput.permissionDecision, 'deny');
  assert.deepEqual(readdirSync(home), ['.trimtab']);
  assert.deepEqual(readdirSync(join(home, '.trimtab')), ['sessions']);
});

for (const [version, route] of [
  [WITH_MODULE, 'module'],
  [WITHOUT_MODS, 'hooks'],
]) {
  test(`${version}, the package as the plugin's folder: answered by the ${route}`, async () => {
    await assertAnswers(version, route, { home: newHome(), plugins: [plugin] });
  });

  test(`${version}, installed from the package as a marketplace: the doctor says ${route}, and so it is`, async () => {
    const client = await ensureClient(version);
    const home = newHome();
    install(client, { plugin, home, cwd: project.folder });
    const { status, report } = doctor(client, { plugin, home, cwd: project.folder });
    const predicted = Object.values(report.routes).map((found) => found.route);
    assert.deepEqual({ status, predicted }, { status: 0, predicted: ACTIONS.map(() => route) });
    await assertAnswers(version, route, { home });
  });

  test(`${version}, the copy that the client keeps of what it installed: whole, and answered by the ${route}`, async () => {
    const home = newHome();
    install(await ensureClient(version), { plugin, home, cwd: project.folder });
    const list = JSON.parse(readFileSync(join(home, '.claude/plugins/installed_plugins.json'), 'utf8'));
    const [{ installPath }] = list.plugins['trimtab@trimtab'];
    assert.deepEqual(filesIn(installPath), filesIn(plugin));
    await assertAnswers(version, route, { home: newHome(), plugins: [installPath] });
  });
}

async function assertAnswers(version, route, options) {
  const session = await observe({ client: await ensureClient(version), cwd: project.folder, script: { main: CALLS }, ...options });
  assert.deepEqual({ exitCode: session.exitCode, stderr: session.stderr }, { exitCode: 0, stderr: '' });
  const routes = answeringRoutes(session);
  assert.deepEqual(
    session.results.map((result) => routes.get(placeOf(result))?.join()),
    [route, route, undefined],
  );
  assert.deepEqual(session.records, []);
}

/** The installed program, with nothing around it but Node and an empty home. */
function trimtab(args, input) {
  const home = newHome();
  // In the default mode a Read runs, and becomes an outline afterwards.
  const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: home, TRIMTAB_MODE: 'redirect' };
  return { home, stdout: execFileSync(join(prefix, 'bin/trimtab'), args, { cwd: project.folder, env, input, encoding: 'utf8' }) };
}

function newHome() {
  return mkdtempSync(join(folder, 'home-'));
}

/** Paths, and what is in them. */
function filesIn(root) {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .map((path) => [path.slice(root.length), createHash('sha256').update(readFileSync(path)).digest('hex')])
    .sort();
}
