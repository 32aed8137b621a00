// Brings published packages and universal-ctags into the private folder, with the registries' own clients.
// Never builds or runs anything of a package, and installs nothing into the system.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { unpackInto, unpackedVersions, writeWrapper } from '../../scripts/lib/debian.mjs';
import { prefix } from '../../scripts/lib/prefix.mjs';
import { SetupError, capture } from '../../scripts/lib/run.mjs';

const home = () => join(prefix(), 'oracle');

/** The folder of a package's sources, fetched if it is not there. */
export function sourcesOf(source) {
  const folder = join(home(), 'sources', `${source.from}-${source.name.replace('/', '+')}-${source.version}`);
  if (existsSync(folder)) return folder;
  mkdirSync(dirname(folder), { recursive: true });
  const staging = mkdtempSync(`${folder}.new-`);
  try {
    const out = join(staging, 'out');
    mkdirSync(out);
    FETCH[source.from](source, staging, out);
    renameSync(out, folder);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
  return folder;
}

const FETCH = {
  npm({ name, version }, staging, out) {
    run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', staging, `${name}@${version}`], staging);
    unpack(onlyFile(staging, /\.tgz$/), out);
  },
  // A wheel: pip would run the build of a source archive only to learn its name.
  pypi({ name, version }, staging, out) {
    run('python3', ['-m', 'pip', 'download', '--quiet', '--no-deps', '--only-binary', ':all:', '--dest', staging, `${name}==${version}`], staging);
    run('python3', ['-m', 'zipfile', '-e', onlyFile(staging, /\.whl$/), out], staging);
  },
  crates({ name, version }, staging, out) {
    mkdirSync(join(staging, 'src'));
    writeFileSync(join(staging, 'src/lib.rs'), '');
    writeFileSync(join(staging, 'Cargo.toml'), `[package]\nname = "nothing"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\n${name} = "=${version}"\n[workspace]\n`);
    run('cargo', ['vendor', '--quiet', '--versioned-dirs', 'vendor'], staging);
    renameSync(join(staging, 'vendor', `${name}-${version}`), out);
  },
  debian({ name, version }, staging, out) {
    const apt = debianSources();
    run('apt-get', [...apt, 'source', '--quiet', '--download-only', '--tar-only', name], staging);
    const archive = onlyFile(staging, /\.orig\.tar\.\w+$/);
    // A later point release may carry another upstream version; the comparison would then be on other files.
    if (!archive.slice(staging.length + 1).startsWith(`${name}_${version}`)) {
      throw new SetupError(`Debian now has ${archive.slice(staging.length + 1)} where ${name} ${version} is wanted`, 'bring tests/oracle/corpora.mjs up to date and run the comparison anew');
    }
    unpack(archive, out);
  },
};

/** Options that make apt use lists of its own for the sources of Debian 12, beside the system's. */
function debianSources() {
  const root = join(home(), 'apt');
  const options = { 'Dir::Etc::sourcelist': join(root, 'sources.list'), 'Dir::Etc::sourceparts': '/dev/null', 'Dir::State::lists': join(root, 'lists'), 'Dir::Cache': join(root, 'cache') };
  const apt = Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  if (existsSync(join(root, 'ready'))) return apt;
  mkdirSync(join(root, 'lists/partial'), { recursive: true });
  mkdirSync(join(root, 'cache/archives/partial'), { recursive: true });
  writeFileSync(options['Dir::Etc::sourcelist'], 'deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian bookworm main\n');
  run('apt-get', [...apt, 'update', '-q'], root);
  writeFileSync(join(root, 'ready'), '');
  return apt;
}

/** Debian's universal-ctags, unpacked beside the system: `{program, version}`. */
export async function ctags() {
  const folder = join(home(), 'ctags');
  if (!unpackedVersions(folder)) {
    await unpackInto(folder, ['universal-ctags'], { finish: (root) => writeWrapper(root, 'ctags', 'usr/bin/ctags-universal', folder) });
  }
  return { program: join(folder, 'bin/ctags'), version: unpackedVersions(folder)['universal-ctags'] };
}

function onlyFile(folder, pattern) {
  const found = readdirSync(folder).filter((name) => pattern.test(name));
  if (found.length !== 1) throw new SetupError(`${found.length} files like ${pattern} were fetched where one was expected`);
  return join(folder, found[0]);
}

/** Without the folder that the archives wrap everything in. */
const unpack = (archive, out) => run('tar', ['-xf', archive, '-C', out, '--strip-components=1', '--no-same-owner'], out);

function run(command, args, cwd) {
  const done = capture(command, args, { cwd, env: { ...process.env, LC_ALL: 'C' }, timeoutMs: 10 * 60_000 });
  if (done.status !== 0) throw new SetupError(`\`${command} ${args.join(' ')}\` failed: ${done.stderr.trim()}`);
}
