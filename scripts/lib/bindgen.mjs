// wasm-bindgen-cli at exactly the version of the `wasm-bindgen` crate: the two refuse to work together otherwise.
// Never touches a wasm-bindgen of the person's own.
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lockedVersion, prefix } from './prefix.mjs';
import { SetupError, capture, stream, which } from './run.mjs';

const folder = (version) => join(prefix(), 'tools', `wasm-bindgen-${version}`);

/** `{bindgen, testRunner, version}` or null. */
export function findBindgen() {
  const version = lockedVersion('wasm-bindgen');
  const bin = join(folder(version), 'bin');
  const [bindgen, testRunner] = [join(bin, 'wasm-bindgen'), join(bin, 'wasm-bindgen-test-runner')];
  if (!existsSync(testRunner)) return null;
  return capture(bindgen, ['--version']).stdout.trim() === `wasm-bindgen ${version}` ? { bindgen, testRunner, version } : null;
}

export const bindgenPart = {
  name: 'wasm-bindgen',
  title: 'wasm-bindgen-cli of the version in Cargo.lock',
  found: () => findBindgen()?.bindgen ?? null,
  plan() {
    const version = lockedVersion('wasm-bindgen');
    return { what: `cargo install wasm-bindgen-cli ${version}, built from source (3-10 minutes on 2 cores)`, where: folder(version) };
  },
  async install() {
    if (!which('cargo')) throw new SetupError('no cargo on PATH', 'install Rust with rustup, or use `npm test -- --quick`, which needs none');
    const version = lockedVersion('wasm-bindgen');
    const to = folder(version);
    const staging = `${to}.new-${process.pid}`;
    mkdirSync(dirname(to), { recursive: true });
    try {
      const install = ['install', 'wasm-bindgen-cli', '--version', version, '--root', staging, '--force', '--no-track'];
      let done = await stream('cargo', [...install, '--locked']);
      if (done.status !== 0) {
        // A registry that lacks one of the locked versions can still serve a compatible one.
        process.stderr.write('the locked versions could not be had; trying compatible ones\n');
        done = await stream('cargo', install);
      }
      if (done.status !== 0) throw new SetupError(`wasm-bindgen-cli ${version} did not build`, 'see the error above');
      rmSync(to, { recursive: true, force: true });
      renameSync(staging, to);
    } finally {
      rmSync(staging, { recursive: true, force: true });
    }
  },
};
