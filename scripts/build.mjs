// `npm run build`: src/ and packs/ -> pkg/ (each wasm with its glue, and build.json with the versions and hashes).
// Never writes pkg/ when it fits the sources already (`--force` builds all the same), and never half of it.
// Builds only those of its parts whose own sources have changed; all of them where the tools have.
//   --only=CRATE,…  builds these parts and leaves the others stale, while working on one
//   --check    only says whether pkg/ fits the sources; exits 1 when not; needs no Rust
//   --verify   builds beside pkg/ and exits 1 when the bytes differ though the tools are the same
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { brotliCompressSync, deflateSync, gzipSync, inflateSync } from 'node:zlib';
import { pathToFileURL } from 'node:url';
import { findBindgen } from './lib/bindgen.mjs';
import { REPO, WASM, prefix } from './lib/prefix.mjs';
import { SetupError, capture, stream } from './lib/run.mjs';
import { BUILD_JSON, PKG, buildRecord, builtBefore, isSame, outputHashes, parts, sourceHash, staleReasons } from './lib/sources.mjs';
import { CFLAGS, toolVersions, toolchainEnv, wasmArgs } from './lib/toolchain.mjs';

// The core is loaded at the start of every session: 2,000,000 bytes took about 100 ms to compile in the mod. What is above them are the lists of
// free blocks (`src/blocks.rs`), which took 5 % off a decision, and what a shell text no longer knows behind a part that may not run.
const MAX_WASM_BYTES = 2_010_000;
// A pack is loaded when it is first needed. `packs/inflate` unpacks no more than this.
const MAX_PACK_BYTES = 4_000_000;
const WASM_OPT = join(REPO, 'node_modules/binaryen/bin/wasm-opt');
// What rustc turns on for wasm32 by itself; named here because wasm-opt would refuse them, and no more than these.
const WASM_FEATURES = ['bulk-memory', 'bulk-memory-opt', 'call-indirect-overlong', 'multivalue', 'mutable-globals', 'nontrapping-float-to-int', 'reference-types', 'sign-ext'];

/** Builds parts into `folder` and gives what build.json would say of them. */
async function buildInto(folder, chosen) {
  const sources = Object.fromEntries(chosen.map((part) => [part.crate, sourceHash(part)]));
  const env = toolchainEnv();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'packs'), { recursive: true });
  const packs = chosen.filter(({ isCore }) => !isCore);
  // Side by side: the last step of the core has one processor for itself for most of its time.
  const halves = await Promise.allSettled([chosen.length > packs.length && buildCore(folder, env), packs.length > 0 && buildPacks(folder, packs, env)]);
  for (const { reason } of halves) if (reason) throw reason;
  const outputs = outputHashes(chosen.flatMap((part) => part.outputs), folder);
  return { tools: currentTools(), sources, outputs };
}

function currentTools() {
  const binaryen = JSON.parse(readFileSync(join(REPO, 'node_modules/binaryen/package.json'), 'utf8')).version;
  return { ...toolVersions(), binaryen };
}

async function buildCore(folder, env) {
  await must('cargo', ['build', '--release', '--locked', '--lib', ...wasmArgs(), '-p', 'trimtab'], { ...env, [CFLAGS]: `${env[CFLAGS]} -DTRIMTAB_SMALL_LEXER` });
  const { bindgen } = findBindgen() ?? {};
  if (!bindgen) throw new SetupError('wasm-bindgen of the version in Cargo.lock is not here', 'run `npm run setup`');
  const help = capture(bindgen, ['--help']).stdout;
  const offered = (flag) => (help.includes(flag) ? [flag] : []);
  await must(bindgen, [
    cargoOutput('release', 'trimtab'),
    '--target', 'web', '--no-typescript', '--out-dir', folder, '--out-name', 'trimtab',
    '--remove-name-section', '--remove-producers-section',
    // The hosts hand the compiled module in; a default address would be looked up against the wrong folder.
    ...offered('--omit-default-module-path'),
    // Exports `__wbg_reset_state`, with which a host replaces an instance that trapped.
    ...offered('--experimental-reset-state-function'),
  ]);
  const core = join(folder, 'trimtab_bg.wasm');
  await wasmOpt(['-O3'], core, core);
  checkWasm(core, MAX_WASM_BYTES, './trimtab_bg.js');
  writeFileSync(`${core}.br`, brotliCompressSync(readFileSync(core)));
}

/** All of them are compiled whichever are chosen, because cargo joins the features that they want of a crate: beside others a pack would have other bytes. */
async function buildPacks(folder, chosen, env) {
  const all = parts().filter(({ isCore }) => !isCore);
  await must('cargo', ['build', '--profile', 'packs', '--locked', '--lib', ...wasmArgs(), ...all.flatMap(({ crate }) => ['-p', crate])], env);
  for (const pack of chosen) await finishPack(folder, pack);
}

async function finishPack(folder, { crate, outputs: [output] }) {
  const wasm = join(folder, 'pack.wasm');
  // The tables of a grammar are a third zeros, which need not be in the file. Optimizing besides took 60 s for the Rust pack, and 2 % off it.
  await wasmOpt(['--memory-packing'], cargoOutput('packs', crate), wasm);
  checkWasm(wasm, MAX_PACK_BYTES);
  const bytes = readFileSync(wasm);
  writeFileSync(join(folder, output), output.endsWith('.zlib') ? deflateSync(bytes, { level: 9 }) : bytes);
  rmSync(wasm);
}

function wasmOpt(passes, from, to) {
  if (!existsSync(WASM_OPT)) throw new SetupError('wasm-opt is not in node_modules', 'run `npm ci`');
  return must(process.execPath, [WASM_OPT, ...passes, '--strip-debug', '--strip-producers', '--strip-target-features', ...WASM_FEATURES.map((name) => `--enable-${name}`), from, '-o', to]);
}

const cargoOutput = (profile, crate) => join(targetFolder(), WASM, profile, `${crate.replaceAll('-', '_')}.wasm`);

/** A wasm over the limit, one that names folders of this machine, or one that wants what no host gives must not get as far as pkg/. */
function checkWasm(file, limit, glue) {
  const bytes = readFileSync(file);
  for (const folder of [REPO, homedir(), prefix()]) {
    if (bytes.includes(`${folder}/`)) throw new SetupError(`${basename(file)} names the folder ${folder}`, 'add it to the maps in scripts/lib/toolchain.mjs');
  }
  const foreign = WebAssembly.Module.imports(new WebAssembly.Module(bytes)).filter((one) => one.module !== glue);
  if (foreign.length) throw new SetupError(`${basename(file)} imports ${foreign.map((one) => `${one.module}.${one.name}`).join(', ')}, which no host provides`, 'look for a C function that the wasm libc lacks');
  if (bytes.length > limit) throw new SetupError(`${basename(file)} has ${figure(bytes.length)} bytes, more than ${figure(limit)}`, 'see what grew (`cargo tree`, the grammars), or raise the limit in scripts/build.mjs with the reason');
}

async function must(command, args, env) {
  const { status } = await stream(command, args, { cwd: REPO, env });
  if (status !== 0) throw new SetupError(`${command.split('/').at(-1)} failed with exit code ${status}`);
}

function targetFolder() {
  return resolve(REPO, process.env.CARGO_TARGET_DIR ?? 'target');
}

const figure = (number) => number.toLocaleString('en-US');

function printSizes(folder, outputs) {
  for (const name of outputs) {
    const bytes = readFileSync(join(folder, name));
    const also = name.endsWith('.zlib') ? `${figure(inflateSync(bytes).length)} unpacked` : `${figure(gzipSync(bytes).length)} gzipped`;
    console.log(`  ${name.padEnd(28)} ${figure(bytes.length).padStart(10)} bytes, ${also}`);
  }
}

/** Builds what of pkg/ is stale, or all of it where `force` is set or the tools are others; true when something was written. */
export async function build({ force = false, only } = {}) {
  const all = parts();
  const outputs = all.flatMap((part) => part.outputs);
  const reasons = staleReasons(all);
  if (!reasons.length && !force) {
    console.log('pkg/ fits the sources');
    printSizes(PKG, outputs);
    return false;
  }
  for (const reason of reasons.slice(0, 8)) console.log(`  ${reason}`);
  const before = builtBefore();
  const isAll = force || !isSame(before.tools, currentTools());
  const staging = join(targetFolder(), 'pkg');
  const made = await buildInto(staging, all.filter((part) => (only ? only.includes(part.crate) : isAll || staleReasons([part]).length > 0)));
  mkdirSync(join(PKG, 'packs'), { recursive: true });
  for (const name of Object.keys(made.outputs)) copyFileSync(join(staging, name), join(PKG, name));
  for (const name of readdirSync(join(PKG, 'packs')).filter((name) => !outputs.includes(`packs/${name}`))) rmSync(join(PKG, 'packs', name));
  // Last, so that an interrupted copy shows as stale.
  writeFileSync(BUILD_JSON, `${JSON.stringify(buildRecord(made, before, all), null, 2)}\n`);
  if (made.sources.trimtab) await generateHooks();
  console.log('pkg/ is built');
  printSizes(PKG, Object.keys(made.outputs));
  return true;
}

/** The filters in hooks/hooks.json follow from the rules, so they are written anew with every core. */
async function generateHooks() {
  const script = join(REPO, 'scripts/generate-hooks.mjs');
  if (existsSync(script)) await must(process.execPath, [script]);
}

/** Builds beside pkg/ and says whether the committed bytes are what these sources give; 1 when they are not. */
export async function verify() {
  const made = await buildInto(join(targetFolder(), 'pkg-verify'), parts());
  const committed = JSON.parse(readFileSync(BUILD_JSON, 'utf8'));
  if (isSame(made.outputs, committed.outputs)) {
    console.log('pkg/ has exactly the bytes that these sources give');
    return 0;
  }
  const differing = Object.keys(made.tools).filter((tool) => made.tools[tool] !== committed.tools[tool]);
  for (const tool of differing) console.log(`  ${tool}: pkg/ was built with ${committed.tools[tool]}, this is ${made.tools[tool]}`);
  // Other compilers give other bytes from the same sources, so that alone is no reproach.
  console.log(differing.length ? 'pkg/ was built with other tools, so its bytes cannot be compared here' : 'pkg/ differs from what these sources give with the same tools; run `npm run build -- --force`');
  return differing.length ? 0 : 1;
}

async function main(args) {
  const [only] = args.filter((arg) => arg.startsWith('--only=')).map((arg) => arg.slice('--only='.length).split(','));
  const unknown = args.find((arg) => !['--check', '--force', '--verify'].includes(arg) && !arg.startsWith('--only='));
  if (unknown) throw new SetupError(`unknown option \`${unknown}\``, 'use --check, --force, --only=CRATE,… or --verify');
  const noPart = only?.find((crate) => !parts().some((part) => part.crate === crate));
  if (noPart !== undefined) throw new SetupError(`no part is named \`${noPart}\``, `they are ${parts().map(({ crate }) => crate).join(', ')}`);
  if (args.includes('--check')) {
    const reasons = staleReasons();
    for (const reason of reasons) console.log(`  ${reason}`);
    console.log(reasons.length ? 'pkg/ does not fit the sources; `npm run build` builds it' : 'pkg/ fits the sources');
    return reasons.length ? 1 : 0;
  }
  if (args.includes('--verify')) return verify();
  await build({ force: args.includes('--force'), only });
  return 0;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    process.exitCode = await main(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.error(`trimtab build: ${error.message}`);
    process.exitCode = 2;
  }
}
