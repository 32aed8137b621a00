// `trimtab doctor` beside real clients: it knows them by their answer to `--version`, and what it predicts is what a session then does.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { ensureClient } from '../../lab/client.mjs';
import { copyOfPlugin } from './support/copy.mjs';
import { doctor, install } from './support/install.mjs';
import { createProject } from './support/project.mjs';
import { pretendPwsh } from './support/pwsh.mjs';
import { answeringRoutes, observe, placeOf } from './support/session.mjs';

// What each action of the doctor's list is tried with: a call that every route refuses.
const TRIED = {
  'PreToolUse:Read': { tool: 'Read', input: { file_path: 'src/orders.ts' } },
  'PreToolUse:PowerShell': { tool: 'PowerShell', input: { command: 'Get-Content src/stock.ts', description: 'Show it' } },
  'PreToolUse:Bash': { tool: 'Bash', input: { command: 'cat src/invoices.ts', description: 'Show it' } },
};

const folder = mkdtempSync(join(tmpdir(), 'trimtab-e2e-'));
const project = createProject(join(folder, 'project'));
const plugin = copyOfPlugin(folder);
after(() => rmSync(folder, { recursive: true, force: true }));

for (const [version, kind] of [
  ['2.1.332', 'wasm'],
  ['2.1.287', 'mods'],
  ['2.1.277', 'none'],
]) {
  test(`${version} is known by what it says, and nothing is written to find out`, async () => {
    const home = mkdtempSync(join(folder, 'home-'));
    const { report } = doctor(await ensureClient(version), { plugin, home, cwd: project.folder });
    assert.deepEqual(report.client, { version, kind });
    assert.equal(existsSync(join(home, '.claude.json')) || existsSync(join(home, '.claude')) || existsSync(join(home, '.trimtab')), false);
  });
}

for (const { what, version, env = {}, local, route, why } of [
  { what: 'a client with wasm', version: '2.1.332', route: 'module', why: [] },
  { what: 'TRIMTAB_NO_MOD=1', version: '2.1.332', env: { TRIMTAB_NO_MOD: '1' }, route: 'hooks', why: ['no-mod'] },
  { what: 'a client without wasm', version: '2.1.287', route: 'hooks', why: ['client-without-wasm'] },
  {
    what: 'disableAllHooks in a settings file of the project',
    version: '2.1.332',
    local: { disableAllHooks: true },
    route: 'nobody',
    why: ['hooks-disabled'],
  },
]) {
  test(`${what} (${version}): predicted ${route}, and so it is`, async () => {
    const client = await ensureClient(version);
    const home = installed(client);
    const settings = join(project.folder, '.claude/settings.local.json');
    try {
      if (local) {
        mkdirSync(dirname(settings), { recursive: true });
        writeFileSync(settings, JSON.stringify(local));
      }
      const { status, report } = doctor(client, { plugin, home, cwd: project.folder, env });
      const problems = report.findings.filter(({ level }) => level === 'problem').map(({ code }) => code);
      assert.deepEqual({ status, problems }, route === 'nobody' ? { status: 1, problems: why } : { status: 0, problems: [] });
      assert.deepEqual(report.routes, Object.fromEntries(Object.keys(TRIED).map((action) => [action, { route, why }])));

      const script = {
        main: Object.values(TRIED).map(({ tool, input }) => [
          { tool, input: input.file_path ? { file_path: join(project.folder, input.file_path) } : input },
        ]),
      };
      const session = await observe({ client, home, env: { ...pretendPwsh(folder), ...env }, script, cwd: project.folder });
      assert.deepEqual({ exitCode: session.exitCode, stderr: session.stderr }, { exitCode: 0, stderr: '' });
      const routes = answeringRoutes(session);
      const happened = session.results.map((result) => [
        `PreToolUse:${result.tool}`,
        { route: routes.get(placeOf(result))?.join() ?? 'nobody', why },
      ]);
      assert.deepEqual(report.routes, Object.fromEntries(happened));
    } finally {
      rmSync(dirname(settings), { recursive: true, force: true });
    }
  });
}

/** A home in which the client itself has installed the plugin. */
function installed(client) {
  const home = mkdtempSync(join(folder, 'home-'));
  install(client, { plugin, home, cwd: project.folder });
  return home;
}
