// What a person installs: the files of the package, and their sizes. Installs and starts nothing.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inflateSync } from 'node:zlib';

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));
const sizeOf = (path) => statSync(join(REPOSITORY, path)).size;
const json = (path) => JSON.parse(readFileSync(join(REPOSITORY, path), 'utf8'));

test('the core is at most 2 MB, and the code that the client scans under 110 KB', () => {
  assert.ok(sizeOf('pkg/trimtab_bg.wasm') <= 2_010_000);
  const scanned = ['pkg/trimtab.js', 'glue/core.js', 'glue/pack.js', 'glue/answers.js', 'glue/weight.js', ...readdirSync(join(REPOSITORY, 'mod')).filter((name) => /(?<!\.d)\.ts$/.test(name)).map((name) => `mod/${name}`)];
  const bytes = scanned.reduce((sum, path) => sum + sizeOf(path), 0);
  assert.ok(bytes < 110_000, `${bytes} bytes in ${scanned.join(', ')}`);
});

test('the versions agree', () => {
  const version = json('package.json').version;
  assert.equal(json('.claude-plugin/plugin.json').version, version);
  assert.match(readFileSync(join(REPOSITORY, 'Cargo.toml'), 'utf8'), new RegExp(`^version = "${version}"$`, 'm'));
  assert.match(readFileSync(join(REPOSITORY, 'mod/host.ts'), 'utf8'), new RegExp(`VERSION = '${version}'`));
});

test('plugin.json has no default for an option, which would hide every file, and pins no client', () => {
  const { userConfig, engines } = json('.claude-plugin/plugin.json');
  assert.deepEqual(Object.keys(userConfig), ['mode', 'preset', 'mcp']);
  for (const option of Object.values(userConfig)) assert.equal('default' in option, false);
  assert.equal(engines, undefined);
});

test('the package holds what every route needs, and no tests or sources', () => {
  const [{ files }] = JSON.parse(execFileSync('npm', ['pack', '--dry-run', '--json'], { cwd: REPOSITORY, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  const paths = files.map(({ path }) => path);
  for (const needed of [
    '.claude-plugin/plugin.json', '.claude-plugin/marketplace.json', '.claude-plugin/icon.png', 'hooks/hooks.json', 'hooks/hook.sh', 'hooks/prompt.sh', 'hooks/record.sh', 'hooks/hook.mjs', 'mod/register.ts', 'mod/host.ts', 'mod/memory.ts', 'mod/weight.ts', 'mod/ui.ts', 'glue/weight.js', 'node/tally.mjs', 'cli/statusline.mjs', 'commands/handoff.md', 'commands/resume.md', 'pkg/packs/weight.wasm.zlib', 'types/index.d.ts', 'glue/core.js', 'node/hook.mjs',
    'pkg/packs/inflate.wasm', 'pkg/packs/powershell.wasm.zlib', 'pkg/packs/rust.wasm.zlib', 'pkg/trimtab.js', 'pkg/trimtab_bg.wasm', 'pkg/trimtab_bg.wasm.br', 'bin/trimtab.mjs', 'cli/judge.mjs', 'cli/demo.mjs', 'demo/run.mjs', 'cli/doctor.mjs', 'doctor/run.mjs', 'lab/client.mjs', 'schema/config.schema.json', 'README.md', 'LICENSE',
  ]) {
    assert.ok(paths.includes(needed), needed);
  }
  assert.deepEqual(paths.filter((path) => /^((mod\/)?tests|src|scripts|target|node_modules)\//.test(path)), []);
});

test('no file names a path of the machine that built it, and no lockfile an address', () => {
  const packs = readdirSync(join(REPOSITORY, 'pkg/packs')).map((name) => `pkg/packs/${name}`);
  for (const path of [...packs, 'pkg/trimtab.js', 'pkg/trimtab_bg.wasm', 'pkg/build.json', 'package-lock.json']) {
    const bytes = readFileSync(join(REPOSITORY, path));
    const text = (path.endsWith('.zlib') ? inflateSync(bytes) : bytes).toString('latin1');
    assert.doesNotMatch(text, /\/(root|home|work|Users)\/[a-z.]/i, path);
    assert.doesNotMatch(text, /"resolved": "http/, path);
  }
  assert.ok(existsSync(join(REPOSITORY, 'pkg/build.json')));
});
