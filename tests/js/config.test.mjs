// `trimtab config`, and the schema: what is written in the documents is valid for it, and is what the core understands.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import Ajv from 'ajv';
import { loadCore } from '../../node/core.mjs';
import { run, scratch } from './support/plugin.mjs';

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));
const text = (path) => readFileSync(join(REPOSITORY, path), 'utf8');
const isValid = new Ajv({ allowUnionTypes: true }).compile(JSON.parse(text('schema/config.schema.json')));

/** A person's machine with a project, and `trimtab config` in it. */
function machine(t, { user, project, local, settings } = {}) {
  const folder = scratch(t);
  const files = { 'home/.trimtab/config.json': user, 'project/.trimtab.json': project, 'project/.trimtab.local.json': local, 'home/.claude/settings.json': settings };
  for (const name of ['home/.trimtab', 'home/.claude', 'project/.git']) mkdirSync(join(folder, name), { recursive: true });
  for (const [name, value] of Object.entries(files))
    if (value !== undefined) writeFileSync(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value));
  return (args = [], env = {}) =>
    run([process.execPath, join(REPOSITORY, 'bin/trimtab.mjs'), 'config', ...args], {
      cwd: join(folder, 'project'),
      env: { PATH: '/usr/bin:/bin', HOME: join(folder, 'home'), ...env },
    });
}

test('every configuration in the documents is valid, and the core finds no mistake in it', async () => {
  const { core } = await loadCore({ isOnce: true });
  const examples = ['README.md', 'docs/configuration.md']
    .flatMap((path) => [...text(path).matchAll(/```json\n([^]*?)```|`(\{"[^`]*\})`/g)])
    .map(([, block, inline]) => block ?? inline)
    // The README shows calls of `trimtab judge` and the client's own settings too.
    .filter((example) => !/"tool"|"statusLine"/.test(example));
  assert.ok(examples.length >= 3, examples.join('\n'));
  for (const example of examples) {
    assert.ok(isValid(JSON.parse(example)), `${example}: ${JSON.stringify(isValid.errors)}`);
    assert.deepEqual(core.step({ do: 'config', layers: [{ from: 'user', text: example }] }).warnings, [], example);
  }
});

test('the schema refuses what the core complains of', async () => {
  const { core } = await loadCore({ isOnce: true });
  for (const wrong of [
    [],
    { mood: 'off' },
    { mode: 'stirct' },
    { enabled: 'yes' },
    { large: 300 },
    { large: { lines: 10 } },
    { large: { lines: '300' } },
    { giveUpAfter: 0 },
    { maxPerSession: -1 },
    { ignore: 'gen' },
    { ignore: ['{a,b}'] },
    { ignore: [7] },
    { rules: { 'unbounded-lgo': 'off' } },
    { rules: { 'unbounded-log': 'loud' } },
    { rules: { 'unbounded-log': { giveUpAfter: 1 } } },
    { preset: 'codelupe' },
  ]) {
    assert.equal(isValid(wrong), false, JSON.stringify(wrong));
    assert.equal(core.step({ do: 'config', layers: [{ from: 'user', value: wrong }] }).warnings.length, 1, JSON.stringify(wrong));
  }
});

test('each value is shown with its origin, and what is wrong behind them', async (t) => {
  const config = machine(t, {
    user: { preset: 'codeloupe', giveUpAfter: 9, lagre: {} },
    project: { mode: 'strict', rules: { 'unbounded-log': 'off' } },
    local: '{',
    settings: { enabledPlugins: { 'trimtab@trimtab': true } },
  });
  const { code, stdout, stderr } = await config([], { TRIMTAB_MODE: 'redirect' });
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  const rows = stdout.split('\n').map((line) => line.split(/ {2,}/));
  const row = (key) => rows.find(([name]) => name === key);
  assert.deepEqual(rows[0], ['KEY', 'VALUE', 'FROM']);
  assert.deepEqual(row('large.lines'), ['large.lines', '150', 'preset codeloupe']);
  assert.deepEqual(row('giveUpAfter'), ['giveUpAfter', '9', '~/.trimtab/config.json']);
  assert.deepEqual(row('mode'), ['mode', 'redirect', 'TRIMTAB_MODE in the environment']);
  assert.deepEqual(row('enabled'), ['enabled', 'true', 'default']);
  assert.deepEqual(row('ignore'), ['ignore', 'none', 'default']);
  assert.deepEqual(row('rules.unbounded-log'), ['rules.unbounded-log', 'off', '.trimtab.json']);
  const mistakes = stdout.slice(stdout.indexOf('Left out'));
  assert.match(mistakes, /`~\/\.trimtab\/config\.json`: unknown key `lagre`; did you mean `large`\?/);
  assert.match(mistakes, /`\.trimtab\.json`: `mode` is `strict`: a repository's file can only make it milder, keeping `advise`/);
  assert.match(mistakes, /`\.trimtab\.local\.json`: is not JSON/);
});

test('as JSON it is the same, whole', async (t) => {
  const { code, stdout } = await machine(t, { user: { ignore: ['gen/**'], mood: 1 } })(['--json']);
  const { keys, mistakes } = JSON.parse(stdout);
  assert.equal(code, 0);
  assert.deepEqual(keys.find(({ key }) => key === 'ignore'), { key: 'ignore', value: ['gen/**'], from: 'user' });
  assert.deepEqual(keys.find(({ key }) => key === 'maxPerSession'), { key: 'maxPerSession', value: 40, from: 'default' });
  assert.deepEqual(mistakes, ['`~/.trimtab/config.json`: unknown key `mood`; did you mean `mode`?']);
});

test('a word that it does not take is told', async (t) => {
  const { code, stderr } = await machine(t)(['large.lines']);
  assert.equal(code, 2);
  assert.equal(stderr, 'trimtab: `trimtab config` takes no `large.lines`; `trimtab config -h` lists the options\n');
});
