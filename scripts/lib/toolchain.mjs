// The environment that makes cargo build for wasm32 with what setup found or installed.
// Never lets a folder of this machine into the wasm: each one that could is mapped to a fixed name.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { findBindgen } from './bindgen.mjs';
import { findClang } from './clang.mjs';
import { REPO, WASM, prefix } from './prefix.mjs';
import { SetupError, capture } from './run.mjs';
import { findWasmStd } from './wasm-std.mjs';

const SETUP_NEXT = 'run `npm run setup`';

/** The variable with the flags of C for wasm32. */
export const CFLAGS = `CFLAGS_${WASM.replaceAll('-', '_')}`;

/** A copy of `base` with RUSTC, CC, AR, CFLAGS, RUSTFLAGS, the linker and the test runner set for wasm32. */
export function toolchainEnv(base = process.env) {
  const clang = findClang();
  if (!clang) throw new SetupError('no clang here can compile for wasm32', SETUP_NEXT);
  const std = findWasmStd();
  if (!std) throw new SetupError(`rustc has no standard library for ${WASM}`, SETUP_NEXT);
  if (std.rustc && !std.linker) throw new SetupError('neither rust-lld nor wasm-ld is here to link with', 'install Rust with rustup, or Debian\'s lld, and run this again');

  const language = crateFolder('tree-sitter-language');
  // At a place that does not differ from clone to clone, for the same reason as below (`pathMaps`); its name changes with it, because
  // cargo compiles the grammars anew only where their flags change.
  const text = readFileSync(join(REPO, 'scripts/lib/lexer.h'));
  const lexer = join(prefix(), `lexer-${createHash('sha256').update(text).digest('hex').slice(0, 8)}.h`);
  mkdirSync(prefix(), { recursive: true });
  writeFileSync(lexer, text);
  const maps = pathMaps(dirname(language), std);
  const target = WASM.replaceAll('-', '_');
  const cargoTarget = `CARGO_TARGET_${target.toUpperCase()}`;
  const env = {
    ...base,
    [`CC_${target}`]: clang.cc,
    [`AR_${target}`]: clang.ar,
    // The flags are quoted below, because a folder's name may hold a space.
    CC_SHELL_ESCAPED_FLAGS: '1',
    [CFLAGS]: [
      // Grammars are compiled against the small libc that the runtime's language crate brings.
      '-I', join(language, 'wasm/include'),
      '-include', lexer,
      // That libc has iswdigit but no isdigit, which the bash scanner calls; for them a digit is the same ten characters.
      '-Disdigit=iswdigit',
      // Nor has it exit, with which the Swift scanner meets a mistake of its own: the instance traps, and its host starts another.
      '-Dexit(code)=__builtin_trap()',
      // What C11 and other libcs have without asking, and the C++ scanner takes for granted.
      '-include', 'wchar.h',
      '-Dstatic_assert=_Static_assert',
      // An undeclared function would become an import that no host provides.
      '-Werror=implicit-function-declaration',
      ...maps.map(([from, to]) => `-ffile-prefix-map=${from}=${to}`),
    ].map(quoted).join(' '),
    // This name wins over RUSTFLAGS and over cargo's own settings, so flags of the person's own do not change the bytes.
    CARGO_ENCODED_RUSTFLAGS: maps.map(([from, to]) => `--remap-path-prefix=${from}=${to}`).join('\x1f'),
  };
  if (std.rustc) {
    env.RUSTC = std.rustc;
    env[`${cargoTarget}_LINKER`] = std.linker;
  }
  const bindgen = findBindgen();
  if (bindgen) env[`${cargoTarget}_RUNNER`] = bindgen.testRunner;
  return env;
}

/**
 * What every call of cargo for wasm32 has behind its command: the target, and where grammars find their libc.
 * Grammars of tree-sitter 0.26 compile three files of the language crate, which since 0.1.9 only say that they are not to be used, because
 * the runtime brings its own libc. Empty ones stand in for them.
 */
export function wasmArgs() {
  const folder = join(prefix(), 'no-libc');
  mkdirSync(folder, { recursive: true });
  for (const name of ['stdio.c', 'stdlib.c', 'string.c']) writeFileSync(join(folder, name), '');
  const given = { 'wasm-headers': join(crateFolder('tree-sitter-language'), 'wasm/include'), 'wasm-src': folder };
  // Instead of what the crate's own build script says.
  const config = Object.entries(given).flatMap(([key, value]) => ['--config', `target.${WASM}.tree-sitter-language.${key}=${JSON.stringify(value)}`]);
  return ['--target', WASM, ...config];
}

/** The versions that decide the bytes, for build.json. */
export function toolVersions() {
  const std = findWasmStd();
  return {
    rustc: capture(std?.rustc ?? 'rustc', ['--version']).stdout.trim().replace(/^rustc /, ''),
    std: std?.from,
    clang: findClang()?.version,
    'wasm-bindgen': findBindgen()?.version,
    brotli: process.versions.brotli,
  };
}

/** Where cargo keeps a crate's sources: asked of cargo, because the folder's name is its own affair. */
function crateFolder(name) {
  const asked = capture('cargo', ['metadata', '--format-version', '1', '--locked', '--filter-platform', WASM], { cwd: REPO });
  if (asked.status !== 0) throw new SetupError(`cargo metadata failed: ${asked.stderr.trim()}`, 'if Cargo.lock is out of date, run `cargo check` once');
  const found = JSON.parse(asked.stdout).packages.find((one) => one.name === name);
  if (!found) throw new SetupError(`Cargo.lock has no \`${name}\``, 'add it to Cargo.toml, pinned together with tree-sitter');
  return dirname(found.manifest_path);
}

/**
 * From the widest folder to the narrowest: for rustc the last that fits wins.
 * The checkout is not among them: cargo names its files relative to it, and a flag that differs from clone to clone would make
 * a shared target folder build everything again. The build looks for such paths in the wasm.
 */
function pathMaps(crates, std) {
  const sysroot = capture(std.rustc ?? 'rustc', ['--print', 'sysroot']).stdout.trim();
  return [
    [homedir(), '/home'],
    [process.env.CARGO_HOME ?? join(homedir(), '.cargo'), '/cargo'],
    [prefix(), '/prefix'],
    [sysroot, '/rust'],
    [crates, '/crates'],
  ];
}

const quoted = (flag) => (/^[\w@%+=:,./-]+$/.test(flag) ? flag : `'${flag.replaceAll("'", `'\\''`)}'`);
