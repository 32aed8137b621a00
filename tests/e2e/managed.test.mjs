// What is on where an organisation has its say, or where hooks are switched off. The README's table is what these sessions are held against:
// each of its cells is a test, and what `trimtab doctor` predicts is compared with what happened.

import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ACTIONS } from '../../doctor/data.mjs';
import { ensureClient } from '../../lab/client.mjs';
import { copyOfPlugin } from './support/copy.mjs';
import { doctor, install } from './support/install.mjs';
import { cannotMount, onManagedMachine } from './support/namespace.mjs';
import { createProject } from './support/project.mjs';
import { answeringRoutes, observe, placeOf, requestTexts } from './support/session.mjs';

const WITH_MODULE = '2.1.332';
const WITHOUT_MODS = '2.1.277';

const folder = mkdtempSync(join(tmpdir(), 'trimtab-e2e-'));
const project = createProject(join(folder, 'project'));
const plugin = copyOfPlugin(folder);
after(() => rmSync(folder, { recursive: true, force: true }));

// The rows: what a setting of the table is.
const SETTINGS = {
  'managed settings, whatever they say': { managed: { cleanupPeriodDays: 30 } },
  '`allowManagedModsOnly`': { managed: { pluginConfigs: { 'cc-plugin-sec-default@builtin': { options: { allowManagedModsOnly: true } } } } },
  '`allowManagedHooksOnly`': { managed: { allowManagedHooksOnly: true } },
  "the organisation's `disableAllHooks`": { managed: { disableAllHooks: true } },
  'your own `disableAllHooks`': { own: { disableAllHooks: true } },
  // The client sets the variable for itself; the doctor, which cannot see an option of the client, is told by it.
  '`--bare`': { args: ['--bare'], env: { CLAUDE_CODE_SIMPLE: '1' } },
};
// The columns: how trimtab comes to be there.
const ENABLED = { enabledPlugins: { 'trimtab@trimtab': true } };
const DECLARED = { ...ENABLED, extraKnownMarketplaces: { trimtab: { source: { source: 'directory', path: plugin } } } };
const WAYS = {
  'you installed it': { isInstalled: true },
  'the organisation enabled it': { isInstalled: true, managed: ENABLED },
  'and declared its marketplace': { managed: DECLARED },
};

const read = (name) => ({ tool: 'Read', input: { file_path: `${project.folder}/src/${name}.ts` } });
const bash = (command) => ({ tool: 'Bash', input: { command, description: 'Run it' } });
const CALLS = [[read('orders')], [bash('cat src/invoices.ts')], [bash('cat src/invoices.ts')], [bash('cat src/small.ts')]];
const REFUSED_TURNS = [0, 1];

const skip = cannotMount();
const table = tableOf(readFileSync(join(plugin, 'README.md'), 'utf8'));

test('the table of the README has these rows and columns', () => {
  const rows = [...table.keys()];
  const settings = Object.keys(SETTINGS);
  assert.deepEqual(
    rows,
    settings.flatMap((setting) => [setting, olderRow(setting)]).filter((row) => settings.includes(row) || table.has(row)),
  );
  for (const cells of table.values()) assert.deepEqual([...cells.keys()], Object.keys(WAYS));
});

for (const version of [WITH_MODULE, WITHOUT_MODS]) {
  for (const [setting, machine] of Object.entries(SETTINGS)) {
    for (const [way, there] of Object.entries(WAYS)) {
      // To the older client, what is enabled is the organisation's, declared or not: it is tried where the table has a row for it.
      if (version === WITHOUT_MODS && there.managed === ENABLED && !table.has(olderRow(setting))) continue;
      const expected = expectedOf(version, setting, way);
      test(`${version}, ${setting}, ${way}: ${expected}`, { skip }, async () => {
        const route = { module: 'module', 'command hooks': 'hooks', nothing: 'nobody' }[expected];
        const { session, predicted } = await sessionOf(version, machine, there);
        assert.equal(whatIsOn(session), expected);
        assert.deepEqual(refusalsOf(session), expected === 'nothing' ? [] : REFUSED_TURNS.map((turn) => [turn, route]));
        assert.equal(session.nodeStarts.length > 0, expected === 'command hooks');
        await assertNothingElseIsSaid(version, machine, session);
        assert.deepEqual(session.records, []);
        assert.deepEqual(predicted, Object.fromEntries(ACTIONS.map((action) => [action, route])));
      });
    }
  }
}

/** What the README says, by row and column. */
function tableOf(text) {
  const [, section] = text.split('\n## On managed machines\n');
  const lines = section.split('\n## ')[0].split('\n');
  const [head, , ...rows] = lines.filter((line) => line.startsWith('|')).map((line) => line.split('|').slice(1, -1).map((cell) => cell.trim()));
  return new Map(rows.map(([row, ...cells]) => [row, new Map(cells.map((cell, at) => [head[at + 1], cell]))]));
}

function olderRow(setting) {
  return `${setting}, before 2.1.326`;
}

function expectedOf(version, setting, way) {
  const said = (row) => table.get(row)?.get(way);
  if (version === WITH_MODULE) return said(setting);
  const cell = said(olderRow(setting)) ?? said(setting);
  return cell === 'module' ? 'command hooks' : cell;
}

/** A whole session, and who answers as the doctor predicts it; with trimtab `there` in one of the ways, or without it. */
async function sessionOf(version, { managed, own, args = [], env = {} }, there = {}) {
  const client = await ensureClient(version);
  const home = there.isInstalled ? installedHome(version, client) : mkdtempSync(join(folder, 'home-'));
  if (own) addSettings(home, own);
  const settings = managed || there.managed ? { ...managed, ...there.managed } : null;
  const onMachine = (program) => (settings ? onManagedMachine(folder, program, settings) : program);
  const { report } = doctor(client, { plugin, home, cwd: project.folder, env, node: onMachine(process.execPath) });
  const session = await observe({ client: onMachine(client), home, cwd: project.folder, args, script: { main: CALLS } });
  assert.deepEqual({ exitCode: session.exitCode, stderr: session.stderr }, { exitCode: 0, stderr: '' });
  assert.equal(session.results.length, CALLS.length);
  return { session, predicted: Object.fromEntries(Object.entries(report.routes).map(([action, { route }]) => [action, route])) };
}

/** A home of its own in which that client has installed trimtab; it is installed once and copied. */
const homes = new Map();
function installedHome(version, client) {
  if (!homes.has(version)) {
    const first = mkdtempSync(join(folder, 'installed-'));
    install(client, { plugin, home: first, cwd: project.folder });
    homes.set(version, first);
  }
  const home = mkdtempSync(join(folder, 'home-'));
  cpSync(homes.get(version), home, { recursive: true });
  return home;
}

function addSettings(home, more) {
  const file = join(home, '.claude/settings.json');
  mkdirSync(join(home, '.claude'), { recursive: true });
  let settings = {};
  try {
    settings = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // Nothing was installed here.
  }
  writeFileSync(file, JSON.stringify({ ...settings, ...more }));
}

/** Seen from the client's side: the module was admitted, and whether a hook was started for a call. */
function whatIsOn({ debug, events }) {
  const isModuleOn = /hooks module trimtab@\w+ loaded/.test(debug) && !/trimtab.*hooks module left out/.test(debug);
  const areHooksOn = events.some(({ subtype, hook_event }) => subtype === 'hook_response' && hook_event === 'PreToolUse');
  if (isModuleOn) return areHooksOn ? 'module' : 'the module without command hooks';
  return areHooksOn ? 'command hooks' : 'nothing';
}

function refusalsOf(session) {
  const routes = answeringRoutes(session);
  return session.results.filter((result) => routes.has(placeOf(result))).map((result) => [result.turn, routes.get(placeOf(result)).join()]);
}

/** Every request is what it is without trimtab and without managed settings, but for the results that were refused. */
const plain = new Map();
async function assertNothingElseIsSaid(version, { args, env }, session) {
  const name = [version, args].join(' ');
  if (!plain.has(name)) plain.set(name, (await sessionOf(version, { args, env })).session);
  const refused = REFUSED_TURNS.map((turn) => session.results.find((result) => result.turn === turn)).filter(({ isError }) => isError);
  const blanked = new Set(refused.map(({ id }) => id));
  const [before, now] = [plain.get(name), session].map((each) => requestTexts(each, blanked));
  assert.equal(now.length, before.length);
  now.forEach(({ turn, text }, index) => assert.equal(text, before[index].text, `request ${turn}`));
}
