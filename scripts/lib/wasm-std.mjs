// The standard library for wasm32: rustup's where it can be downloaded, else one built from Debian's sources in the prefix.
// Never changes the rustc of native builds, and never mixes the files of two builds of std: rustc refuses that (E0460).
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { hasDebian } from './debian.mjs';
import { debianRust, debianRustBytes, installDebianRust } from './debian-rust.mjs';
import { WASM, prefix } from './prefix.mjs';
import { SetupError, capture, stream, which } from './run.mjs';

// A machine that cannot reach rustup's server may hang instead of failing; the download itself takes seconds.
const RUSTUP_LIMIT_MS = 3 * 60_000;

/** `debian` or `rustup` in TRIMTAB_WASM_STD takes that way only; unset tries rustup first. */
const forced = () => process.env.TRIMTAB_WASM_STD ?? '';

function rustcHasWasm() {
  const sysroot = capture('rustc', ['--print', 'sysroot']).stdout.trim();
  const folder = join(sysroot, 'lib', 'rustlib', WASM, 'lib');
  return sysroot !== '' && existsSync(folder) && readdirSync(folder).some((name) => /^libstd-.*\.rlib$/.test(name));
}

/** `{from, rustc, linker, id}`: rustc and linker are null where PATH's own serve; null when no std is there yet. */
export function findWasmStd() {
  if (forced() !== 'debian' && rustcHasWasm()) return { from: 'rustup', rustc: null, linker: null, id: '' };
  if (forced() !== 'rustup') return debianRust();
  return null;
}

export const wasmStdPart = {
  name: 'wasm-std',
  title: 'the Rust standard library for wasm32',
  found() {
    const std = findWasmStd();
    return std && (std.rustc ?? 'of the rustc on PATH');
  },
  plan() {
    const debian = { what: `Debian's rustc-web with its sources, from which std is built once (1-2 minutes)`, bytes: debianRustBytes(), where: join(prefix(), 'debian') };
    if (forced() === 'debian') return debian;
    return { what: `rustup target add ${WASM}${hasDebian() ? `, or else ${debian.what}` : ''}`, bytes: 25_000_000, where: 'the folder of rustup' };
  },
  async install() {
    if (!which('cargo') || !which('rustc')) throw new SetupError('no cargo and rustc on PATH', 'install Rust with rustup, or use `npm test -- --quick`, which needs none');
    if (forced() !== 'debian' && which('rustup')) {
      const added = await stream('rustup', ['target', 'add', WASM], { timeoutMs: RUSTUP_LIMIT_MS });
      if (added.status === 0 && rustcHasWasm()) return;
      process.stderr.write(`rustup could not add ${WASM}; taking Debian's sources instead\n`);
    }
    if (forced() === 'rustup') throw new SetupError(`no std for ${WASM}`, 'check that rustup works, or unset TRIMTAB_WASM_STD');
    await installDebianRust();
  },
};
