// Loads the built core from `pkg/` for Node. Throws with the next step when it cannot; never judges without a self-check.

import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';

// The module inside the client has only the first; a damaged one must not take the command hooks down with it.
const COPIES = [
  ['trimtab_bg.wasm', (bytes) => bytes],
  ['trimtab_bg.wasm.br', async (bytes) => (await import('node:zlib')).brotliDecompressSync(bytes)],
];
const FOLDER = new URL('../pkg/', import.meta.url);

/**
 * @param {object} [use]
 * @param {boolean} [use.isOnce] true where the process ends after one call
 * @returns {Promise<{ core: import('../glue/core.js').Core, drive: typeof import('../glue/core.js').drive, fault?: CoreError }>}
 *   `fault`: what was wrong with the first copy, where the second had to serve
 */
export async function loadCore({ isOnce = false } = {}) {
  try {
    // A compilation in the background that wants memory when Node is about to end makes it wait for ever (nodejs/node#54918; 3 of 60
    // runs on Node 20). The core's work is in wasm, which these do not concern.
    for (const flag of ['--no-opt', '--no-maglev']) setFlagsFromString(flag);
    // The optimising compiler starts on the parser's large functions at once, and Node waits for it before it ends: 1.3 s of work
    // for a call of 0.1 s (Node 20, 2 cores). A process that goes on to judge many calls is better off with it.
    // One call uses a third of the core's functions, so only those are validated, each before it runs.
    if (isOnce) for (const flag of ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering', '--wasm-lazy-validation']) setFlagsFromString(flag);
    // Imported here and not at the top, because the glue needs `pkg/` and a checkout may lack it.
    const { createCore, drive } = await import('../glue/core.js');
    let first;
    for (const [name, unpack] of COPIES) {
      try {
        const core = createCore(new WebAssembly.Module(await unpack(readFileSync(new URL(name, FOLDER)))));
        core.selfCheck();
        return { core, drive, ...(first && { fault: new CoreError(first) }) };
      } catch (cause) {
        first ??= cause;
      }
    }
    throw first;
  } catch (cause) {
    throw new CoreError(cause);
  }
}

/** The core is missing or broken. */
export class CoreError extends Error {
  constructor(cause) {
    const isMissing = cause.code === 'ENOENT' || cause.code === 'ERR_MODULE_NOT_FOUND';
    const what = isMissing ? 'the built core is missing from `pkg/`' : `the built core in \`pkg/\` does not start (\`${cause.message}\`)`;
    super(`${what}; reinstall trimtab, or in a checkout run \`npm run build\``, { cause });
    this.code = isMissing ? 'core-missing' : 'core-broken';
  }
}
