// wasm-pack, which runs the tests of the crate inside wasm: in Node, and in a browser where there is one.
// Never lets it install anything: std, wasm-bindgen and the browser are those of the setup.
// It asks crates.io for its own newest version, which no option turns off; nothing waits for the answer.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { findBindgen } from './bindgen.mjs';
import { findTool, installTool, toolFolder } from './cargo-tool.mjs';
import { capabilities, chromiumOrNote } from './chromium.mjs';
import { countTests } from './counts.mjs';
import { REPO } from './prefix.mjs';
import { SetupError, stream } from './run.mjs';
import { toolchainEnv, wasmArgs } from './toolchain.mjs';

const VERSION = '0.15.1';

/** The program, or null. */
function findWasmPack() {
  const bin = findTool('wasm-pack', VERSION);
  return bin && join(bin, 'wasm-pack');
}

/** Runs the test targets in Node and in Chromium; `{status, output}` of both together. Throws where an engine ran none. */
export async function testInWasm(targets, base, timeoutMs) {
  const home = mkdtempSync(join(tmpdir(), 'trimtab-wasm-'));
  try {
    const node = await run(['--node'], targets, environment(base, home), timeoutMs);
    const pair = chromiumOrNote();
    if (!pair) return node;
    const webdriver = join(home, 'webdriver.json');
    writeFileSync(webdriver, JSON.stringify(capabilities(pair)));
    const env = { ...environment(base, home), WASM_BINDGEN_USE_BROWSER: '1', WASM_BINDGEN_TEST_WEBDRIVER_JSON: webdriver, WASM_BINDGEN_TEST_TIMEOUT: '300' };
    const browser = await run(['--headless', '--chrome', '--chromedriver', pair.driver], targets, env, timeoutMs);
    return { status: node.status || browser.status, output: `${node.output}\n${browser.output}` };
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function run(engine, targets, env, timeoutMs) {
  // It names the target itself. Optimized as it is shipped: the depth of the stack is one of the things to try, and the grammars take ten times as long without.
  const done = await stream(findWasmPack(), ['test', '--mode', 'no-install', '--release', ...engine, '.', '--locked', ...wasmArgs().slice(2), ...targets], { cwd: REPO, env, timeoutMs });
  const { passed, failed } = countTests(done.output);
  // The runner takes an engine that it was not made for as a success.
  if (done.status === 0 && passed + failed === 0) throw new SetupError(`no test ran with ${engine.join(' ')}`, 'see the output above');
  return done;
}

/** wasm-pack takes the wasm-bindgen on PATH. What it and the browser leave behind goes into a folder that is removed. */
function environment(base, home) {
  const folders = Object.fromEntries(['TMPDIR', 'XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'WASM_PACK_CACHE'].map((name) => [name, join(home, name)]));
  for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true });
  const env = toolchainEnv(base);
  return { ...env, ...folders, PATH: `${dirname(findBindgen().bindgen)}${delimiter}${env.PATH}` };
}

export const wasmPackPart = {
  name: 'wasm-pack',
  title: `wasm-pack ${VERSION}`,
  found: findWasmPack,
  plan: () => ({ what: `cargo install wasm-pack ${VERSION}, built from source (3-10 minutes on 2 cores)`, where: toolFolder('wasm-pack', VERSION) }),
  install: () => installTool('wasm-pack', VERSION),
};
