// Programs that are built from crates.io, each version in a folder of its own in the prefix.
// Never touches one that the person has installed.
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { prefix } from './prefix.mjs';
import { SetupError, capture, stream, which } from './run.mjs';

export const toolFolder = (name, version) => join(prefix(), 'tools', `${name}-${version}`);

/** The folder of the programs, or null when they are not there or not of that version. */
export function findTool(name, version) {
  const bin = join(toolFolder(name, version), 'bin');
  if (!existsSync(bin)) return null;
  return capture(join(bin, name), ['--version']).stdout.trim() === `${name} ${version}` ? bin : null;
}

export async function installTool(name, version, crate = name) {
  if (!which('cargo')) throw new SetupError('no cargo on PATH', 'install Rust with rustup, or use `npm test -- --quick`, which needs none');
  const to = toolFolder(name, version);
  const staging = `${to}.new-${process.pid}`;
  mkdirSync(dirname(to), { recursive: true });
  try {
    const install = ['install', crate, '--version', version, '--root', staging, '--force', '--no-track'];
    let done = await stream('cargo', [...install, '--locked']);
    if (done.status !== 0) {
      // A registry that lacks one of the locked versions can still serve a compatible one.
      process.stderr.write('the locked versions could not be had; trying compatible ones\n');
      done = await stream('cargo', install);
    }
    if (done.status !== 0) throw new SetupError(`${crate} ${version} did not build`, 'see the error above');
    rmSync(to, { recursive: true, force: true });
    renameSync(staging, to);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}
