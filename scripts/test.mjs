// `npm test`: every check of the repository, one step after the other, a table of times, and `N passed, N failed` as the last line.
// Never stops at a step that failed, and never takes a runner that ran no test for a success.
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { build, verify } from './build.mjs';
import { checkTypes } from './check-types.mjs';
import { ciTargetFolder } from './lib/ci-target.mjs';
import { CLIENT_VERSIONS, clientProgram } from './lib/clients.mjs';
import { countTests } from './lib/counts.mjs';
import { REPO, WASM, prefix } from './lib/prefix.mjs';
import { SetupError, stream } from './lib/run.mjs';
import { staleReasons } from './lib/sources.mjs';
import { toolchainEnv, wasmArgs } from './lib/toolchain.mjs';
import { testInWasm } from './lib/wasm-pack.mjs';
import { findWasmStd } from './lib/wasm-std.mjs';
import { setup } from './setup.mjs';

const MINUTE = 60_000;
// Where clients and tools are must be the same for the tests as for the setup.
const TEST_ENV = { ...process.env, TRIMTAB_CACHE: prefix() };

// A grammar each: they are compiled for wasm only, and tests/js/declarations.test.mjs tests them there.
const NATIVE = ['--workspace', '--exclude', 'trimtab-language-*'];

// The budgets, in seconds, share out the 15 minutes of a run that finds everything installed and its dependencies compiled.
// Going over is only a note, because a first run does it, and a busy machine.
/** `needs`: parts of the setup; `isRunner`: it must run at least one test; `run` gives `{status, output}` or throws. */
const STEPS = [
  { name: 'build', budget: 140, needs: ['modules', 'clang', 'wasm-std', 'wasm-bindgen'], title: 'pkg/ fits the sources', run: checkOrBuild },
  { name: 'fmt', budget: 2, needs: [], title: 'cargo fmt --check', run: () => cargo(['fmt', '--all', '--check']) },
  { name: 'clippy', budget: 23, needs: ['clang', 'wasm-std'], title: 'cargo clippy, native and wasm32', run: clippy },
  { name: 'cargo', budget: 97, needs: [], title: 'cargo test', isRunner: true, run: () => cargo(['test', ...NATIVE, '--locked', '--no-fail-fast']) },
  { name: 'wasm', budget: 62, needs: ['clang', 'wasm-std', 'wasm-bindgen', 'wasm-pack', 'chromium'], title: 'the tests in wasm32, in Node and in Chromium', isRunner: true, run: wasmTests },
  { name: 'cases', budget: 17, needs: ['chromium'], title: 'every case natively, in Node and in Chromium: the same bytes', isRunner: true, run: () => nodeTests('tests/browser') },
  { name: 'js', budget: 115, needs: [], isQuick: true, title: 'node --test tests/js', isRunner: true, run: () => nodeTests('tests/js') },
  { name: 'mod', budget: 27, needs: ['modules', 'clients'], isQuick: true, title: 'the module: its types, and the client\'s own checks and tests', isRunner: true, run: moduleTests },
  { name: 'e2e', budget: 407, needs: ['clients'], isQuick: true, title: 'sessions of real clients', isRunner: true, run: () => nodeTests('tests/e2e') },
];

const USAGE = `npm test -- [--quick] [--yes] [step ...]
  --quick  the committed pkg/ as it is, and no Rust: only ${STEPS.filter((step) => step.isQuick).map((step) => step.name).join(', ')}
  --yes    install what is missing without asking
steps: ${STEPS.map((step) => step.name).join(' ')}
`;

function cargo(args, env = TEST_ENV) {
  return stream('cargo', args, { cwd: REPO, env, timeoutMs: 25 * MINUTE });
}

/** Locally a stale pkg/ is built. In CI what is committed is looked at, because that is what people install. */
async function checkOrBuild() {
  const isStale = staleReasons().length > 0;
  await build();
  if (!process.env.CI) return { status: 0 };
  if (!isStale) return { status: await verify() };
  console.log('the committed pkg/ does not fit the sources; run `npm run build` and commit pkg/');
  return { status: 1 };
}

async function clippy() {
  const native = await cargo(['clippy', ...NATIVE, '--locked', '--all-targets', '--', '-D', 'warnings']);
  // Debian's rustc and the clippy on PATH are of two versions and do not read each other's libraries.
  if (findWasmStd()?.from !== 'rustup') {
    console.log('without the wasm32 part: its std is not of the rustc that clippy belongs to');
    return native;
  }
  const wasm = await cargo(['clippy', '--workspace', '--locked', '--profile', 'packs', '--lib', ...wasmArgs(), '--', '-D', 'warnings'], toolchainEnv(TEST_ENV));
  return native.status === 0 ? wasm : native;
}

function wasmTests() {
  const uses = (file) => readFileSync(file, 'utf8').includes('wasm_bindgen_test');
  const targets = filesBelow('src', '.rs').some(uses) ? ['--lib'] : [];
  for (const file of filesBelow('tests', '.rs', { deep: false }).filter(uses)) targets.push('--test', basename(file, '.rs'));
  // No target named would mean all of them.
  if (!targets.length) throw new SetupError('no test uses wasm_bindgen_test', 'mark at least one in src/ or tests/*.rs');
  return testInWasm(targets, TEST_ENV, 25 * MINUTE);
}

function nodeTests(folder) {
  const files = filesBelow(folder, '.test.mjs');
  if (!files.length) throw new SetupError(`no test file in ${folder}`);
  // Files by name: newer versions of Node do not take a folder. A limit for each test, so that one that hangs does not hold the others.
  // One process for each processor: by itself Node leaves one of them out, and a client waits more than it works.
  const options = ['--test-reporter=spec', `--test-timeout=${20 * MINUTE}`, `--test-concurrency=${availableParallelism()}`];
  return stream(process.execPath, ['--test', ...options, ...files], { cwd: REPO, env: TEST_ENV, timeoutMs: 25 * MINUTE });
}

/** The types, the client's own checks of the plugin, then its test runner, with an empty home so that nothing of the person's setup counts. */
async function moduleTests() {
  const client = clientProgram(CLIENT_VERSIONS[0]);
  const home = mkdtempSync(join(tmpdir(), 'trimtab-mod-'));
  const options = { cwd: REPO, env: { PATH: process.env.PATH, HOME: home, TMPDIR: home, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' }, timeoutMs: 10 * MINUTE };
  try {
    const typed = await checkTypes();
    const valid = await stream(client, ['plugin', 'validate', '--strict', '--profile', 'directory', '.'], options);
    const tested = await stream(client, ['plugin', 'test', '.'], options);
    return { status: typed.status || valid.status || tested.status, output: tested.output };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function filesBelow(folder, ending, { deep = true } = {}) {
  const full = join(REPO, folder);
  if (!existsSync(full)) return [];
  return readdirSync(full, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return deep ? filesBelow(join(folder, entry.name), ending) : [];
    return entry.name.endsWith(ending) ? [join(full, entry.name)] : [];
  }).sort();
}

/** Runs one step and gives its row of the table. */
async function runStep({ name, title, budget, isRunner, run }) {
  console.log(`\n=== ${name}: ${title}`);
  const start = performance.now();
  let count = { passed: 0, failed: 0 };
  let problem = '';
  try {
    const { status, output = '' } = await run();
    if (isRunner) {
      count = countTests(output);
      if (count.passed + count.failed === 0) problem = 'ran no test';
    }
    if (status !== 0 && count.failed === 0) problem ||= 'failed';
  } catch (error) {
    console.error(error instanceof SetupError ? error.message : error);
    problem = 'could not run';
  }
  // A step without a count of its own shows in the sum all the same.
  if (problem) count.failed += 1;
  const seconds = (performance.now() - start) / 1000;
  const note = problem || (isRunner ? `${count.passed} passed, ${count.failed} failed` : 'ok');
  return { name, seconds, budget, ...count, note: seconds > budget ? `${note}; over its budget` : note };
}

function chosenSteps(args) {
  const names = args.filter((arg) => !arg.startsWith('-'));
  const unknown = args.find((arg) => (arg.startsWith('-') ? !['--quick', '--yes'].includes(arg) : !STEPS.some((step) => step.name === arg)));
  if (unknown) throw new SetupError(`unknown step or option \`${unknown}\``, `use one of these:\n${USAGE}`);
  return STEPS.filter((step) => (names.length ? names.includes(step.name) : true) && (args.includes('--quick') ? step.isQuick : true));
}

async function main(args) {
  if (args.includes('--help') || args.includes('-h')) return void process.stdout.write(USAGE);
  const steps = chosenSteps(args);
  const ask = !args.includes('--yes') && !process.env.CI && Boolean(process.stdin.isTTY);
  const parts = [...new Set(steps.flatMap((step) => step.needs))];
  const rows = [await runStep({ name: 'setup', budget: 10, title: 'what the steps need', run: async () => (await setup({ parts, ask }), { status: 0 }) })];
  // After the setup, because the folder's name depends on what was installed.
  const target = steps.every((step) => step.isQuick) ? null : ciTargetFolder();
  if (target) {
    console.log(`cargo's target folder: ${target}`);
    process.env.CARGO_TARGET_DIR = TEST_ENV.CARGO_TARGET_DIR = target;
  }
  if (!steps.some((step) => step.name === 'build') && staleReasons().length) console.log('  note  pkg/ does not fit the sources, and these steps use it as it is');
  for (const step of steps) rows.push(await runStep(step));

  const sum = (key) => rows.reduce((total, row) => total + row[key], 0);
  console.log('\nstep      seconds  budget');
  for (const { name, seconds, budget, note } of [...rows, { name: 'all', seconds: sum('seconds'), budget: sum('budget'), note: '' }]) console.log(`${name.padEnd(8)} ${seconds.toFixed(1).padStart(8)} ${String(budget).padStart(7)}  ${note}`.trimEnd());
  process.exitCode = sum('failed') ? 1 : 0;
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(`trimtab test: ${error.message}`);
  process.exitCode = 2;
}
