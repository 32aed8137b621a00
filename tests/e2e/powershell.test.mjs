// The PowerShell tool of the real client, on every route: what is refused, in whose words, and what runs.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ensureClient } from '../../lab/client.mjs';
import { PRETENDED, pretendPwsh } from './support/pwsh.mjs';
import { answeringRoutes, observe, unwrapped } from './support/session.mjs';

const PLUGIN = fileURLToPath(new URL('../../', import.meta.url));
const ROUTES = [
  { version: '2.1.332', route: 'module', env: {} },
  { version: '2.1.332', route: 'hooks', env: { TRIMTAB_NO_MOD: '1' } },
  { version: '2.1.287', route: 'hooks', env: {} },
  { version: '2.1.277', route: 'hooks', env: {} },
];
const WAY = /`Get-Content big\.cs -TotalCount 120`/;
const powershell = (command) => ({ tool: 'PowerShell', input: { command, description: 'Run it' } });
const CALLS = [
  { name: 'a whole file', call: powershell('Get-Content big.cs'), refused: WAY },
  { name: 'the same again', call: powershell('Get-Content big.cs') },
  { name: 'a bound', call: powershell('Get-Content other.cs -TotalCount 40') },
  { name: 'another file by its alias', call: powershell('gc .\\other.cs'), refused: /other\.cs/ },
  { name: 'a small file', call: powershell('Get-Content small.cs') },
  { name: 'nothing of concern', call: powershell('Get-Date') },
  { name: 'PowerShell in Bash', call: { tool: 'Bash', input: { command: "pwsh -c 'Get-Content third.cs'", description: 'Run it' } }, refused: /third\.cs/ },
];

const folder = mkdtempSync(join(tmpdir(), 'trimtab-e2e-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const project = join(folder, 'project');
mkdirSync(project);
for (const name of ['big.cs', 'other.cs', 'third.cs']) writeFileSync(join(project, name), 'var order = new Order(1, "a line of ordinary length");\n'.repeat(500));
writeFileSync(join(project, 'small.cs'), 'var order = 1;\n');

for (const { version, route, env } of ROUTES) {
  describe(`${version}, answered by the ${route}`, () => {
    let session;
    before(async () => {
      session = await observe({
        client: await ensureClient(version),
        cwd: project,
        plugins: [PLUGIN],
        script: { main: CALLS.map(({ call }) => [call]), agents: {} },
        env: { ...pretendPwsh(folder), ...env },
      });
    });

    test('large reads are refused once, with a way on in PowerShell, and everything else runs', () => {
      assert.deepEqual({ exitCode: session.exitCode, stderr: session.stderr }, { exitCode: 0, stderr: '' });
      CALLS.forEach(({ name, refused }, turn) => {
        const { text, isError } = session.byCall.get(`main ${turn} 0`);
        assert.equal(isError, refused !== undefined, `${name}: ${text}`);
        if (refused) assert.match(unwrapped(text), refused, name);
        else assert.equal(text.trim(), PRETENDED, name);
      });
    });

    test('exactly one route answers each call, and nothing went wrong', () => {
      const routes = answeringRoutes(session);
      CALLS.forEach(({ name, refused }, turn) => assert.deepEqual(routes.get(`main ${turn} 0`), refused && [route], name));
      assert.deepEqual(session.records, []);
    });
  });
}
