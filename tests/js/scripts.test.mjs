// The scripts that build and test: what they count, what they leave running, and what they would install.
// Installs and builds nothing.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { countTests } from '../../scripts/lib/counts.mjs';
import { lockedVersion, prefix } from '../../scripts/lib/prefix.mjs';
import { capture, stream } from '../../scripts/lib/run.mjs';
import { buildRecord, parts } from '../../scripts/lib/sources.mjs';

const REPO = fileURLToPath(new URL('../..', import.meta.url));

test('the closing lines of all runners are added up, and other text that looks like them is not', () => {
  const cargo = 'test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.1s\n';
  const wasm = 'test result: \x1b[31mFAILED\x1b[0m. 3 passed; 2 failed; 0 ignored; 0 filtered out; finished in 0.10s\r\n';
  assert.deepEqual(countTests(cargo + wasm), { passed: 15, failed: 2 });
  assert.deepEqual(countTests('ℹ tests 5\nℹ pass 3\nℹ fail 1\nℹ cancelled 1\n'), { passed: 3, failed: 2 });
  assert.deepEqual(countTests('# pass 3\n# fail 0\n'), { passed: 3, failed: 0 });
  assert.deepEqual(countTests('(pass) a > b [1ms]\n\n 67 pass\n 1 fail\n 80 expect() calls\nRan 68 tests across 3 files. [24.74s]\n'), { passed: 67, failed: 1 });
  assert.deepEqual(countTests('  # pass 3\nsaid: test result: ok. 1 passed; 0 failed;\n12 passed, 0 failed\n'), { passed: 0, failed: 0 });
});

test('a program over its limit is ended with all that it has started', { skip: process.platform === 'win32' }, async () => {
  const start = performance.now();
  const { status, output } = await stream('sh', ['-c', 'sleep 60 & wait'], { timeoutMs: 200 });
  assert.notEqual(status, 0);
  assert.match(output, /was ended/);
  // The sleep holds the pipe: had it lived on, this would have taken its minute.
  assert.ok(performance.now() - start < 30_000);
});

test('a program that does not exist is a status, not an exception', async () => {
  assert.equal(capture('trimtab-no-such-program').status, 127);
  assert.equal((await stream('trimtab-no-such-program')).status, 127);
});

test('the prefix follows TRIMTAB_CACHE, then an absolute XDG_CACHE_HOME', () => {
  assert.equal(prefix({ TRIMTAB_CACHE: '/a/b', XDG_CACHE_HOME: '/c' }), '/a/b');
  assert.equal(prefix({ XDG_CACHE_HOME: '/c' }), join('/c', 'trimtab'));
  assert.match(prefix({ XDG_CACHE_HOME: 'relative' }), /\.cache.trimtab$/);
});

test('each part of pkg/ is made from its own crate, those that it names, and the build', () => {
  const all = parts();
  const of = (crate) => Object.keys(all.find((part) => part.crate === crate).sources);
  const own = (crate) => of(crate).filter((path) => /^(packs|src)\/.+(?<!Cargo\.toml)$/.test(path));
  for (const { crate } of all) for (const path of ['scripts/build.mjs', 'scripts/lib/lexer.h', 'scripts/lib/toolchain.mjs', `Cargo.lock: ${crate}`]) assert.ok(of(crate).includes(path), `${crate} ${path}`);
  assert.ok(own('trimtab').every((path) => path.startsWith('src/')));
  // It takes one file of the core in by its path.
  assert.deepEqual(own('trimtab-powershell').filter((path) => !path.startsWith('packs/powershell/')), ['packs/abi/src/lib.rs', 'src/shell/script.rs']);
  assert.ok(own('trimtab-language-rust').every((path) => /^packs\/(abi|language|languages\/rust)\//.test(path)));
});

test('a feature that one pack wants of a crate changes the bytes of all, because they are built together: each is stale then', () => {
  const manifests = readdirSync(join(REPO, 'packs'), { recursive: true }).filter((path) => /(^|\/)Cargo\.toml$/.test(path)).map((path) => `packs/${path}`);
  assert.ok(manifests.includes('packs/languages/rust/Cargo.toml'));
  for (const { crate, isCore, sources } of parts()) if (!isCore) assert.deepEqual(manifests.filter((path) => !sources[path]), [], crate);
});

const part = (crate) => ({ crate, outputs: [`${crate}.wasm`] });
const built = (tools, ...crates) => ({
  tools,
  sources: Object.fromEntries(crates.map((crate) => [crate, `hash of ${crate}`])),
  outputs: Object.fromEntries(crates.map((crate) => [`${crate}.wasm`, { sha256: crate, bytes: 1 }])),
});

test('after `--only` with other tools the packs that were not built were taken for built with them: now they are stale', () => {
  const said = buildRecord(built({ rustc: '2' }, 'a'), built({ rustc: '1' }, 'a', 'b'), ['a', 'b'].map(part));
  assert.deepEqual(said, built({ rustc: '2' }, 'a'));
});

test('after `--only` with the same tools the other packs are as stale as before', () => {
  const said = buildRecord(built({ rustc: '1' }, 'a'), built({ rustc: '1' }, 'b', 'gone'), ['a', 'b', 'new'].map(part));
  assert.deepEqual(said, built({ rustc: '1' }, 'a', 'b'));
});

test('`--only` without a build.json ended in a TypeError: it writes what it built', () => {
  assert.deepEqual(buildRecord(built({ rustc: '1' }, 'a'), {}, ['a', 'b'].map(part)), built({ rustc: '1' }, 'a'));
});

test('the crate and the tool of wasm-bindgen are pinned to one version', () => {
  assert.match(readFileSync(join(REPO, 'Cargo.toml'), 'utf8'), new RegExp(`wasm-bindgen = "=${lockedVersion('wasm-bindgen').replaceAll('.', '\\.')}"`));
});

test('`setup --list` names what is missing and where it would go, and writes nothing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-setup-'));
  try {
    const { status, stdout } = capture(process.execPath, [join(REPO, 'scripts/setup.mjs'), '--list', '--no-rust', '--no-modules', '--no-browser'], { env: { ...process.env, TRIMTAB_CACHE: folder } });
    assert.equal(status, 0);
    assert.ok(stdout.includes(`MB to fetch, into ${join(folder, 'clients')}`), stdout);
    assert.deepEqual(readdirSync(folder), []);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('where no browser can be had, setup says so and goes on', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-setup-'));
  try {
    // A PATH without apt-get and without a browser.
    const { status, stdout } = capture(process.execPath, [join(REPO, 'scripts/setup.mjs'), '--yes', '--no-rust', '--no-modules', '--no-clients'], { env: { PATH: folder, TRIMTAB_CACHE: folder } });
    assert.equal(status, 0);
    assert.match(stdout, /^  lack  Chromium .*PATH$/m);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a browser counts only with a driver of its own version', { skip: process.platform === 'win32' }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-setup-'));
  const listed = (browser, driver) => {
    writeFileSync(join(folder, 'chromium'), `#!/bin/sh\necho 'Chromium ${browser} built on Debian'\n`, { mode: 0o755 });
    writeFileSync(join(folder, 'chromedriver'), `#!/bin/sh\necho 'ChromeDriver ${driver} (0f1e)'\n`, { mode: 0o755 });
    return capture(process.execPath, [join(REPO, 'scripts/setup.mjs'), '--list', '--no-rust', '--no-modules', '--no-clients'], { env: { PATH: folder, TRIMTAB_CACHE: folder } }).stdout;
  };
  try {
    assert.match(listed('150.0.7871.100', '150.0.7871.114'), /^  have  Chromium .*chromium \(150\.0\.7871\.100\)$/m);
    assert.match(listed('150.0.7871.100', '156.0.8078.114'), /^  lack  Chromium /m);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a wrong option is exit code 2 with the next step', () => {
  for (const script of ['setup.mjs', 'build.mjs', 'test.mjs']) {
    const { status, stderr } = capture(process.execPath, [join(REPO, 'scripts', script), '--nonsense']);
    assert.equal(status, 2, script);
    assert.match(stderr, /--nonsense[^]*next: /, script);
  }
});
