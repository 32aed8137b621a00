// `npm run setup`: everything that building and testing need, into one private folder; quick when all is there.
// Never changes the system or the person's own tools, except that it may run `rustup target add` and `apt-get update`.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { pathToFileURL } from 'node:url';
import { bindgenPart } from './lib/bindgen.mjs';
import { chromiumPart } from './lib/chromium.mjs';
import { clangPart } from './lib/clang.mjs';
import { clientsPart } from './lib/clients.mjs';
import { modulesPart } from './lib/modules.mjs';
import { prefix } from './lib/prefix.mjs';
import { SetupError } from './lib/run.mjs';
import { wasmPackPart } from './lib/wasm-pack.mjs';
import { wasmStdPart } from './lib/wasm-std.mjs';

export { toolchainEnv } from './lib/toolchain.mjs';

/** In the order in which they are installed. Each has `name`, `title`, `found()`, `plan()` and `install()`; a plan may be that it cannot be had here. */
export const PARTS = [modulesPart, clientsPart, clangPart, wasmStdPart, bindgenPart, wasmPackPart, chromiumPart];
const RUST_PARTS = ['clang', 'wasm-std', 'wasm-bindgen', 'wasm-pack'];

const USAGE = `npm run setup -- [options]
  --list        only say what is there and what would be installed
  --yes         do not ask
  --no-rust     without clang, the wasm32 std, wasm-bindgen and wasm-pack
  --no-clients  without the real clients of the session tests
  --no-modules  without the npm packages
  --no-browser  without Chromium
environment:
  TRIMTAB_CACHE              the folder to install into (now ${prefix()})
  TRIMTAB_WASM_STD=debian    build the wasm32 std from Debian's sources, without asking rustup; =rustup for only rustup
  TRIMTAB_CLANG=debian       take Debian's clang even where one on PATH would do
`;

/** Installs what is missing of the named parts. `ask` puts the question on a terminal; without one the list is all. */
export async function setup({ parts = PARTS.map((part) => part.name), listOnly = false, ask = false, quiet = false } = {}) {
  const chosen = PARTS.filter((part) => parts.includes(part.name));
  const missing = [];
  for (const part of chosen) {
    const found = part.found();
    if (found) {
      if (!quiet) console.log(`  have  ${part.title}: ${found}`);
      continue;
    }
    const { what, bytes, where, cannot } = part.plan();
    if (cannot) console.log(`  lack  ${part.title}: ${cannot}`);
    else {
      console.log(`  need  ${part.title}: ${what}${bytes ? `, about ${Math.ceil(bytes / 1_000_000)} MB to fetch` : ''}, into ${where}`);
      missing.push(part);
    }
  }
  if (listOnly || !missing.length) return missing.map((part) => part.name);
  if (ask && !(await isAgreed())) throw new SetupError('nothing was installed', 'run `npm run setup` when you want it; `npm test -- --quick` needs no Rust');
  for (const part of missing) {
    console.log(`installing ${part.title}`);
    // Another run may have installed it while this one waited for its turn.
    await inTurn(part.name, async () => part.found() ?? part.install());
    if (!part.found()) throw new SetupError(`${part.title}: installed, but not found afterwards`, 'run `npm run setup -- --list`; please report this with its output');
  }
  return [];
}

async function isAgreed() {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await lines.question('install these? [y/N] ');
  lines.close();
  return /^y(es)?$/i.test(answer.trim());
}

/** One run at a time for each part: two would build the same thing side by side. */
async function inTurn(name, work) {
  mkdirSync(prefix(), { recursive: true });
  const lock = join(prefix(), `.installing-${name}`);
  for (let isToldToWait = false; ; isToldToWait = true) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw new SetupError(`cannot write in ${prefix()} (${error.code})`, 'set TRIMTAB_CACHE to a folder that you can write in');
    }
    if (!isHolderAlive(lock)) {
      rmSync(lock, { force: true });
      continue;
    }
    if (!isToldToWait) console.log(`  another run is installing it; waiting (${lock})`);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function isHolderAlive(lock) {
  try {
    const pid = Number(readFileSync(lock, 'utf8'));
    // Empty for the instant between its making and its writing.
    if (!pid) return true;
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

async function main(args) {
  const known = ['--list', '--yes', '--no-rust', '--no-clients', '--no-modules', '--no-browser', '--help', '-h'];
  const unknown = args.find((arg) => !known.includes(arg));
  if (unknown) throw new SetupError(`unknown option \`${unknown}\``, 'see `npm run setup -- --help`');
  if (args.includes('--help') || args.includes('-h')) return void process.stdout.write(USAGE);
  const left = new Set(PARTS.map((part) => part.name));
  if (args.includes('--no-rust')) RUST_PARTS.forEach((name) => left.delete(name));
  if (args.includes('--no-clients')) left.delete('clients');
  if (args.includes('--no-modules')) left.delete('modules');
  if (args.includes('--no-browser')) left.delete('chromium');
  const listOnly = args.includes('--list');
  const ask = !args.includes('--yes') && !process.env.CI && Boolean(process.stdin.isTTY);
  const missing = await setup({ parts: [...left], listOnly, ask });
  console.log(missing.length ? `${missing.length} to install` : 'all is there');
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    await main(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.error(`trimtab setup: ${error.message}`);
    process.exitCode = 2;
  }
}
