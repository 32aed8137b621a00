// The five published packages that the recorded sessions work in, pinned, and how each is fetched by the ordinary client of its registry.
// Runs no line of a package and no install script; keeps the sources in the cache and never in the repository.

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createProject, ensureSources } from '../../demo/project.mjs';

const npm = (packedBytes, unpackedBytes) => ({ from: 'npm', packedBytes, unpackedBytes });

/**
 * `keeps`: what of the package the project holds, its `licence` among it; `big`, `mid`, `small`: sources of some 500, 300 and under 100 lines; `huge`: one over
 * 30 KB; `folder`: where they are; `common`, `rare`: words in them; `edit`: a line to change.
 */
export const PACKAGES = {
  commander: {
    ...npm(47_780, 180_000), name: 'commander', version: '12.1.0', language: 'JavaScript',
    licence: 'LICENSE', keeps: ['LICENSE', 'Readme.md', 'package.json', 'index.js', 'lib', 'typings'],
    folder: 'lib', glob: '*.js', big: 'lib/help.js', mid: 'lib/option.js', small: 'lib/suggestSimilar.js', huge: 'lib/command.js', readme: 'Readme.md',
    common: 'option', rare: 'conflictsWith', edit: ['lib/option.js', 'this.mandatory = false;', 'this.mandatory = Boolean(false);'],
    test: 'node --test test/made-up.test.mjs',
    testFile: ['test/made-up.test.mjs', "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { Option } from '../index.js';\n\ntest('an option knows its name', () => assert.equal(new Option('-p, --port <n>').long, '--port'));\ntest('a wrong guess', () => assert.equal(new Option('-p').short, '--p'));\n"],
  },
  immer: {
    ...npm(162_732, 650_000), name: 'immer', version: '10.1.1', language: 'TypeScript',
    licence: 'LICENSE', keeps: ['LICENSE', 'readme.md', 'package.json', 'src', 'dist/immer.legacy-esm.js'],
    folder: 'src', glob: '*.ts', big: 'src/plugins/mapset.ts', mid: 'src/plugins/patches.ts', small: 'src/utils/env.ts', huge: 'dist/immer.legacy-esm.js', readme: 'readme.md',
    common: 'state', rare: 'isDraftable', edit: ['src/plugins/patches.ts', 'const REMOVE = "remove"', 'const REMOVE = "remove" as const'],
    test: 'npm test --silent',
    testFile: ['test/made-up.test.ts', 'import {produce} from "../src/immer"\n\nconst next = produce({a: 1}, draft => {\n\tdraft.a = 2\n})\nif (next.a !== 2) throw new Error("not changed")\n'],
  },
  click: {
    from: 'pypi', name: 'click', version: '8.1.7', language: 'Python',
    licence: 'click-8.1.7.dist-info/LICENSE.rst', keeps: ['click', 'click-8.1.7.dist-info'],
    folder: 'click', glob: '*.py', big: 'click/utils.py', mid: 'click/formatting.py', small: 'click/globals.py', huge: 'click/types.py', readme: 'click-8.1.7.dist-info/METADATA',
    common: 'self', rare: 'make_default_short_help', edit: ['click/formatting.py', 'FORCED_WIDTH: t.Optional[int] = None', 'FORCED_WIDTH: t.Optional[int] = 80'],
    test: 'python3 -m unittest tests/test_made_up.py',
    testFile: ['tests/test_made_up.py', 'import unittest\n\nfrom click.formatting import HelpFormatter\n\n\nclass MadeUp(unittest.TestCase):\n    def test_width(self):\n        self.assertEqual(HelpFormatter(width=40).width, 40)\n\n    def test_wrong_guess(self):\n        self.assertEqual(HelpFormatter().width, 7)\n'],
  },
  semver: {
    from: 'crates', name: 'semver', version: '1.0.23', language: 'Rust',
    licence: 'LICENSE-MIT', keeps: ['LICENSE-MIT', 'README.md', 'Cargo.toml', 'build.rs', 'src', 'tests'],
    folder: 'src', glob: '*.rs', big: 'src/lib.rs', mid: 'src/parse.rs', small: 'src/eval.rs', huge: 'src/identifier.rs', readme: 'README.md',
    common: 'Version', rare: 'BuildMetadata', edit: ['src/parse.rs', 'if pos == Position::Pre', 'if matches!(pos, Position::Pre)'],
    test: 'cargo test --offline',
    testFile: ['tests/test_made_up.rs', 'use semver::Version;\n\n#[test]\nfn a_version_is_read() {\n    assert_eq!(Version::parse("1.2.3").unwrap().minor, 2);\n}\n'],
  },
  capacitor: {
    ...npm(87_648, 420_000), name: '@capacitor/android', version: '6.1.2', language: 'Java',
    licence: 'LICENSE', keeps: ['LICENSE', 'package.json', 'capacitor/build.gradle', 'capacitor/src/main/java'],
    folder: 'capacitor/src/main/java', glob: '*.java', in: 'capacitor/src/main/java/com/getcapacitor/',
    common: 'call', rare: 'getCallbackId', test: './gradlew test',
    get big() { return `${this.in}CapConfig.java`; },
    get mid() { return `${this.in}PluginCall.java`; },
    get small() { return `${this.in}PluginResult.java`; },
    get huge() { return `${this.in}Plugin.java`; },
    readme: 'capacitor/build.gradle',
    get edit() { return [`${this.in}PluginCall.java`, 'public static final String CALLBACK_ID_DANGLING = "-1";', 'public static final String CALLBACK_ID_DANGLING = "-2";']; },
    testFile: ['capacitor/src/test/java/MadeUpTest.java', 'import org.junit.Test;\n\npublic class MadeUpTest {\n    @Test\n    public void nothing() {}\n}\n'],
  },
};

/** The sources of a package, from the cache or fetched into it. */
async function sourcesOf({ from, name, version, packedBytes, unpackedBytes }, { cache, log }) {
  if (from === 'npm') return ensureSources({ name, version, packedBytes, unpackedBytes }, { cache, log });
  const prefix = join(cache, 'packages', `${name}-${version}`);
  const folder = from === 'pypi' ? join(prefix, 'unpacked') : crateFolder(prefix, `${name}-${version}`);
  if (folder && existsSync(folder)) return folder;
  log(`downloading the sources of ${name} ${version}: about 100 KB, once, into ${prefix}`);
  rmSync(prefix, { recursive: true, force: true });
  mkdirSync(join(prefix, 'src'), { recursive: true });
  if (from === 'pypi') {
    // A wheel, because building a source package to look at it would run its code.
    run('python3', ['-m', 'pip', 'download', '--quiet', '--no-deps', '--only-binary', ':all:', '--dest', prefix, `${name}==${version}`]);
    run('python3', ['-m', 'zipfile', '-e', join(prefix, readdirSync(prefix).find((file) => file.endsWith('.whl'))), folder]);
    return folder;
  }
  writeFileSync(join(prefix, 'Cargo.toml'), `[package]\nname = "fetch"\nversion = "0.0.0"\nedition = "2021"\n\n[dependencies]\n${name} = "=${version}"\n`);
  writeFileSync(join(prefix, 'src/lib.rs'), '');
  run('cargo', ['fetch', '--quiet'], { cwd: prefix, env: { ...process.env, CARGO_HOME: join(prefix, 'home') } });
  return crateFolder(prefix, `${name}-${version}`);
}

function crateFolder(prefix, crate) {
  const sources = join(prefix, 'home/registry/src');
  return existsSync(sources) ? join(sources, readdirSync(sources)[0], crate) : null;
}

/** A git repository of what is kept of the package, in `folder`, with a made-up history. */
export async function makeProject(wanted, folder, options) {
  const sources = await sourcesOf(wanted, options);
  const kept = `${folder}-kept`;
  for (const path of wanted.keeps) cpSync(join(sources, path), join(kept, path), { recursive: true });
  const { hasGit } = await createProject(kept, folder);
  if (!hasGit) throw new Error('the recorded sessions need git');
  rmSync(kept, { recursive: true });
}

function run(program, args, options) {
  execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'], ...options });
}
