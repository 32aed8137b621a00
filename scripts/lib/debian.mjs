// Debian packages unpacked into the private prefix with `apt-get download` and `dpkg -x`.
// Never installs a package into the system; only `apt-get update` touches it, and only when the lists lack a package.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SetupError, capture, stream, which } from './run.mjs';

// Plain output whatever the person's language is: the lines are read below.
const aptEnv = () => ({ ...process.env, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' });

export const hasDebian = () => Boolean(which('apt-get') && which('apt-cache') && which('dpkg'));

/** Bytes to fetch for each package that apt knows, asked for all at once: apt reads its lists anew for every question, which takes a second. */
function packageBytes(names) {
  const shown = capture('apt-cache', ['show', '--no-all-versions', ...names], { env: aptEnv() }).stdout;
  return new Map([...shown.matchAll(/^Package: (\S+)\n(?:.+\n)*?Size: (\d+)$/gm)].map(([, name, bytes]) => [name, Number(bytes)]));
}

/** Brings apt's lists up to date when one of the packages is unknown, which is the state of a fresh container. */
async function ensureLists(packages) {
  if (packageBytes(packages).size === packages.length) return;
  const command = ['apt-get', 'update', '-q'];
  // `-n`: a script must not stop at a password nobody is there to type.
  if (process.getuid?.() !== 0) command.unshift('sudo', '-n');
  await stream(command[0], command.slice(1), { env: aptEnv(), timeoutMs: 5 * 60_000 });
  const known = packageBytes(packages);
  const unknown = packages.filter((name) => !known.has(name));
  if (unknown.length) {
    throw new SetupError(`this Debian has no package ${unknown.join(', ')}`, `run \`${command.join(' ')}\` yourself, or install the tool in another way and put it on PATH`);
  }
}

/** What apt would have to add to the system for these packages: `[{name, bytes}]`, without what is installed already. */
export function missingPackages(packages, isUseless = () => false) {
  const plan = capture('apt-get', ['-s', '-q', 'install', '--no-install-recommends', ...packages], { env: aptEnv() });
  if (plan.status !== 0) return null;
  const names = [...plan.stdout.matchAll(/^Inst (\S+)/gm)].map((found) => found[1].replace(/:.*/, ''));
  // Named ones come along even when the system has them: the prefix must be whole by itself.
  // A libc works with the loader that it came with, which is the system's.
  const wanted = [...new Set([...packages, ...names])].filter((name) => name !== 'libc6' && !isUseless(name));
  const bytes = packageBytes(wanted);
  return wanted.map((name) => ({ name, bytes: bytes.get(name) ?? 0 }));
}

/**
 * Unpacks the packages and what they lack into `folder`; `finish(staging)` completes it there.
 * The folder gets its name only when all is done, so that a half-made one is never taken for whole.
 */
export async function unpackInto(folder, packages, { isUseless, finish = () => {} } = {}) {
  if (!hasDebian()) throw new SetupError(`no apt-get here to fetch ${packages.join(', ')} with`, 'install the tool in your own way and put it on PATH');
  await ensureLists(packages);
  const wanted = missingPackages(packages, isUseless);
  if (!wanted) throw new SetupError(`apt-get cannot resolve ${packages.join(', ')}`, `see \`apt-get -s install ${packages.join(' ')}\``);

  mkdirSync(dirname(folder), { recursive: true });
  const staging = mkdtempSync(`${folder}.new-`);
  const debs = join(staging, '.debs');
  try {
    mkdirSync(debs);
    const got = await stream('apt-get', ['download', '-q', ...wanted.map((one) => one.name)], { cwd: debs, env: aptEnv(), timeoutMs: 15 * 60_000 });
    if (got.status !== 0) throw new SetupError('apt-get download failed', 'run `apt-get update`, then this again');
    const versions = {};
    for (const deb of readdirSync(debs)) {
      const out = capture('dpkg', ['-x', join(debs, deb), staging]);
      if (out.status !== 0) throw new SetupError(`dpkg cannot unpack ${deb}: ${out.stderr.trim()}`, 'check the free space of the disk');
      const [name, version] = decodeURIComponent(deb).split('_');
      versions[name] = version;
    }
    rmSync(debs, { recursive: true });
    await finish(staging);
    writeFileSync(join(staging, 'packages.json'), `${JSON.stringify(versions, null, 2)}\n`);
    rmSync(folder, { recursive: true, force: true });
    renameSync(staging, folder);
  } catch (error) {
    rmSync(staging, { recursive: true, force: true });
    throw error;
  }
}

/** The versions that were unpacked into the folder, or null when it is not there or not whole. */
export function unpackedVersions(folder) {
  const file = join(folder, 'packages.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

/** Writes `bin/<name>`, which starts a program of the unpacked folder with its own libraries; `home` is where that folder will be. */
export function writeWrapper(root, name, program, home) {
  const libraries = ['lib', 'usr/lib'].filter((one) => existsSync(join(root, one))).flatMap((one) => readdirSync(join(root, one)).flatMap((name) => {
    // PulseAudio keeps a library of its own in a folder of its own.
    if (/-linux-gnu/.test(name)) return [`${one}/${name}`, `${one}/${name}/pulseaudio`];
    return /^llvm-/.test(name) ? [`${one}/${name}/lib`] : [];
  })).filter((one) => existsSync(join(root, one)));
  const text = [
    '#!/bin/sh',
    `root='${home.replaceAll("'", `'\\''`)}'`,
    `LD_LIBRARY_PATH="${libraries.map((one) => `$root/${one}`).join(':')}\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"`,
    'export LD_LIBRARY_PATH',
    `exec "$root/${program}" "$@"`,
    '',
  ];
  mkdirSync(join(root, 'bin'), { recursive: true });
  writeFileSync(join(root, 'bin', name), text.join('\n'), { mode: 0o755 });
}
