// Tools of other servers in whole sessions of the real client: what the server is asked where the session works in another checkout, what
// the model reads, and that the client asks the person as ever. The rules are in tests/cases/mcp.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ensureClient } from '../../lab/client.mjs';
import { GIT_ENV } from './support/project.mjs';
import { observe } from './support/session.mjs';

const PLUGIN = fileURLToPath(new URL('../../', import.meta.url));
const SERVER = fileURLToPath(new URL('support/mcp-server.mjs', import.meta.url));
const NAMED = { pluginConfigs: { 'trimtab@inline': { options: { mcp: 'mcp__codes__smart_read, mcp__codes__smart_log mcp__codes__dump' } } } };
const ALLOWED = { permissions: { allow: ['mcp__codes'] } };

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'trimtab-e2e-')));
const project = join(folder, 'project');
const tree = join(project, 'trees/f');
after(() => rmSync(folder, { recursive: true, force: true }));

before(() => {
  const git = (...args) => execFileSync('git', args, { cwd: project, env: { PATH: process.env.PATH, ...GIT_ENV }, stdio: 'pipe' });
  mkdirSync(join(project, 'src'), { recursive: true });
  writeFileSync(join(project, 'src/a.ts'), 'export const a = 1\n');
  git('init', '--quiet', '.');
  git('add', '.');
  git('commit', '--quiet', '-m', 'first');
  git('worktree', 'add', '--quiet', tree);
  writeFileSync(join(folder, 'mcp.json'), JSON.stringify({ mcpServers: { codes: { command: process.execPath, args: [SERVER] } } }));
});

const call = (tool, input) => [{ tool: `mcp__codes__${tool}`, input }];
const FROM_START = [call('smart_read', { path: 'src/a.ts' }), call('dump', {}), call('dump', {})];
const FROM_TREE = [[{ tool: 'Bash', input: { command: 'cd trees/f', description: 'go there' } }], call('smart_read', { path: 'src/a.ts', deep: { more: [1] } }), call('smart_log', { path: 'src' })];

async function session(script, { settings, ...options } = {}) {
  return observe({
    client: await ensureClient('2.1.332'),
    cwd: project,
    plugins: [PLUGIN],
    args: ['--mcp-config', join(folder, 'mcp.json')],
    settings: { ...ALLOWED, ...settings },
    env: { TRIMTAB_MODE: undefined },
    script: { main: script },
    ...options,
  });
}
const texts = ({ results }) => results.map(({ text }) => text);

test('in another checkout the server is asked for the file of that checkout, and a tool on more than a file is noted', async () => {
  const seen = await session(FROM_TREE, { settings: NAMED });
  const [, read, log] = seen.results;
  assert.deepEqual(JSON.parse(read.text), { path: join(tree, 'src/a.ts'), deep: { more: [1] } });
  assert.deepEqual(JSON.parse(log.text), { path: join(tree, 'src') });
  assert.ok(log.notes.some((note) => note.includes(`\`smart_log\` answers from \`${project}\``)), log.notes.join('\n'));
  assert.deepEqual(read.notes.filter((note) => note.includes('answers from')), []);
  assert.deepEqual(seen.records, []);
});

test('where the session began nothing is changed, and a large result is made smaller once', async () => {
  const [read, first, second] = texts(await session(FROM_START, { settings: NAMED }));
  const plain = texts(await session(FROM_START, { plugins: [] }));
  assert.equal(read, plain[0]);
  assert.ok(first.length * 3 < plain[1].length * 2 && first.includes('row 0'), `${first.length} of ${plain[1].length} characters`);
  assert.equal(second, plain[2]);
});

test('tools that the person did not name are called and answered as without the plugin', async () => {
  const [, read, log] = texts(await session(FROM_TREE));
  assert.deepEqual([read, log].map((text) => JSON.parse(text).path), ['src/a.ts', 'src']);
  assert.deepEqual(texts(await session(FROM_START)), texts(await session(FROM_START, { plugins: [] })));
});

test('the client asks the person as ever', async () => {
  const [, read] = (await session(FROM_TREE, { settings: { ...NAMED, permissions: {} } })).results;
  assert.equal(read.isError, true);
  assert.match(read.text, /permission/i);
});

test('a name that is no tool of a server is recorded once', async () => {
  const { records } = await session(FROM_START, { settings: { pluginConfigs: { 'trimtab@inline': { options: { mcp: 'smart_read mcp__codes__smart_read' } } } } });
  assert.deepEqual(records.map(({ code, detail }) => [code, detail]), [['config', 'options configuration: `mcp` names `smart_read`, expected `mcp__<server>__<tool>`']]);
});
