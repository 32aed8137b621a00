// What a session remembers: over prompts, for each session on its own, and when a session is taken up again by another process.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ensureClient } from '../../lab/client.mjs';
import { createProject } from './support/project.mjs';
import { answeringRoutes, observe, placeOf } from './support/session.mjs';

const PLUGIN = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'trimtab-e2e-'));
const project = createProject(join(folder, 'project'));
after(() => rmSync(folder, { recursive: true, force: true }));

const cat = (name) => [{ tool: 'Bash', input: { command: `cat src/${name}.ts`, description: 'Show it' } }];

for (const [version, route] of [
  ['2.1.332', 'module'],
  ['2.1.277', 'hooks'],
]) {
  test(`${version}: the next prompt knows what the one before was refused; another session does not`, async () => {
    const home = mkdtempSync(join(folder, 'home-'));
    const run = async (options) => {
      const session = await observe({ client: await ensureClient(version), cwd: project.folder, home, plugins: [PLUGIN], ...options });
      assert.deepEqual({ exitCode: session.exitCode, stderr: session.stderr, records: session.records }, { exitCode: 0, stderr: '', records: [] });
      return session;
    };

    const first = await run({
      prompt: ['One.', 'Two.'],
      script: { main: [cat('orders'), [{ text: 'One.' }], cat('orders'), cat('stock'), [{ text: 'Two.' }]] },
    });
    assert.deepEqual(routesOf(first), [route, null, route]);

    const second = await run({ script: { main: [cat('orders'), cat('stock')] } });
    assert.deepEqual(routesOf(second), [route, route]);

    const { session_id } = first.events.find(({ subtype }) => subtype === 'init');
    const resumed = await run({ args: ['--resume', session_id], script: { main: [cat('orders'), cat('stock')] } });
    // The hooks keep it on the disk; the module keeps it in its process, so it says everything once more.
    assert.deepEqual(routesOf(resumed), route === 'hooks' ? [null, null] : [route, route]);
  });
}

function routesOf(session) {
  const routes = answeringRoutes(session);
  return session.results.map((result) => routes.get(placeOf(result))?.join() ?? null);
}
