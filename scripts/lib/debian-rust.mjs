// Debian's rustc with a wasm32 std built from its own sources, for machines that cannot reach rustup's server.
// Never used for native builds: those stay with the rustc on PATH.
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasDebian, missingPackages, unpackInto, unpackedVersions, writeWrapper } from './debian.mjs';
import { WASM, prefix } from './prefix.mjs';
import { SetupError, capture, stream, which } from './run.mjs';

// The `-web` packages are the recent Rust that Debian carries for its browsers.
const PACKAGES = ['rustc-web', 'libstd-rust-web-dev', 'rust-web-src'];
const folder = () => join(prefix(), 'debian', 'rust-web');

export function debianRust() {
  if (!unpackedVersions(folder())) return null;
  // The libraries with their sizes: cargo itself does not notice that std was built anew.
  const libraries = join(folder(), 'usr/lib/rustlib', WASM, 'lib');
  const id = readdirSync(libraries).sort().map((name) => `${name} ${statSync(join(libraries, name)).size}`).join();
  return { from: 'debian', rustc: join(folder(), 'bin/rustc'), linker: rustLld(), id };
}

export const debianRustBytes = () => (hasDebian() ? missingPackages(PACKAGES)?.reduce((sum, one) => sum + one.bytes, 0) : undefined);

/** rustup's rust-lld, or wasm-ld: Debian's rustc brings no linker of its own. */
function rustLld() {
  const sysroot = capture('rustc', ['--print', 'sysroot']).stdout.trim();
  const host = capture('rustc', ['-vV']).stdout.match(/^host: (.+)$/m)?.[1] ?? '';
  const own = join(sysroot, 'lib', 'rustlib', host, 'bin', 'rust-lld');
  // rust-lld itself: the wrapper `gcc-ld/wasm-ld` fails on `-flavor`.
  if (existsSync(own)) return own;
  return ['wasm-ld', ...Array.from({ length: 15 }, (_, i) => `wasm-ld-${28 - i}`)].map((name) => which(name)).find(Boolean) ?? null;
}

export async function installDebianRust() {
  await unpackInto(folder(), PACKAGES, {
    async finish(root) {
      writeWrapper(root, 'rustc', 'usr/bin/rustc', root);
      await buildStd(root);
      // Written again for the name that the folder gets in the end.
      writeWrapper(root, 'rustc', 'usr/bin/rustc', folder());
    },
  });
}

/** Builds std for an empty crate and lays its libraries where rustc looks for those of a target. */
async function buildStd(root) {
  const sources = readdirSync(join(root, 'usr/src')).find((name) => name.startsWith('rustc-'));
  if (!sources) throw new SetupError('rust-web-src has no sources in usr/src', 'report this with the version that `apt-cache policy rust-web-src` shows');
  // The package's own link is absolute and points outside of the prefix.
  const link = join(root, 'usr/lib/rustlib/src/rust');
  rmSync(link, { recursive: true, force: true });
  mkdirSync(join(root, 'usr/lib/rustlib/src'), { recursive: true });
  symlinkSync(join('../../../src', sources), link);

  const work = mkdtempSync(join(tmpdir(), 'trimtab-std-'));
  try {
    mkdirSync(join(work, 'src'));
    writeFileSync(join(work, 'Cargo.toml'), '[package]\nname = "empty"\nversion = "0.0.0"\nedition = "2021"\n\n[workspace]\n\n[profile.release]\npanic = "abort"\n');
    writeFileSync(join(work, 'src/lib.rs'), '#![no_std]\n');
    const env = { ...process.env, RUSTC: join(root, 'bin/rustc'), RUSTC_BOOTSTRAP: '1', CARGO_TARGET_DIR: join(work, 'target') };
    // std's panic messages name its files: neither this machine's folders nor a staging folder's random name belong in there.
    const cargoHome = process.env.CARGO_HOME ?? join(homedir(), '.cargo');
    const maps = [[cargoHome, '/cargo'], [join(root, 'usr/lib/rustlib/src/rust'), '/rustc'], [join(root, 'usr/src', sources), '/rustc']];
    env.CARGO_ENCODED_RUSTFLAGS = [
      // Without the bitcode a test in the release profile, which has LTO, does not link ("Can't find section .llvmbc").
      '-Cembed-bitcode=yes',
      ...maps.map(([from, to]) => `--remap-path-prefix=${from}=${to}`),
    ].join('\x1f');
    const built = await stream('cargo', ['build', '--release', '-Zbuild-std=std,panic_abort,test', '--target', WASM], { cwd: work, env, timeoutMs: 20 * 60_000 });
    if (built.status !== 0) throw new SetupError(`std for ${WASM} did not build from Debian's sources`, 'see the error above; `rustup target add` on a machine that can reach it avoids this way');
    const to = join(root, 'usr/lib/rustlib', WASM, 'lib');
    mkdirSync(to, { recursive: true });
    const deps = join(work, 'target', WASM, 'release/deps');
    for (const name of readdirSync(deps)) {
      if (name.endsWith('.rlib') && !name.startsWith('libempty-')) copyFileSync(join(deps, name), join(to, name));
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
