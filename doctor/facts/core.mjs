// Whether the trimtab in a folder is whole: every file that a route needs, the built core as it was built, and its self-check.
// Loads the core as that folder's own command hooks would; changes nothing there.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { readJson } from './json.mjs';
import { partsOf } from './parts.mjs';
import { isObject } from './settings.mjs';

const FIRST = 'pkg/trimtab_bg.wasm';
const SECOND = 'pkg/trimtab_bg.wasm.br';

/**
 * @param {string} folder
 * @returns {Promise<Core>}
 *
 * @typedef {object} Core
 * @property {string} folder
 * @property {string | null} version as the core tells it; null where no copy starts
 * @property {string[]} missing files, by their paths in the folder
 * @property {string[]} altered files of `pkg/` that are not as they were built
 * @property {string[]} returns scripts with CRLF line ends, which do nothing
 * @property {boolean} isListed `pkg/build.json` says what the files of `pkg/` should be
 * @property {{ first: boolean, second: boolean }} starts the module needs the first copy, the command hooks either
 * @property {boolean} servesModule
 * @property {boolean} servesHooks
 */
export async function findCore(folder) {
  const { isListed, built } = await builtFiles(folder);
  const parts = partsOf(folder);
  const lacks = (paths) => paths.filter((path) => !existsSync(join(folder, path)));
  const returns = parts.scripts.filter((path) => hasReturns(join(folder, path)));
  const { version, starts } = await selfCheck(folder, built.find(({ path }) => path === FIRST)?.wanted ?? hashOf(join(folder, FIRST)));
  return {
    folder,
    version,
    missing: [...new Set([...lacks(parts.module), ...lacks(parts.hooks), ...lacks(built.map(({ path }) => path))])].sort(),
    altered: built.filter(({ hash, wanted }) => hash !== null && hash !== wanted).map(({ path }) => path),
    returns,
    isListed,
    starts,
    servesModule: starts.first && parts.module.length > 0 && lacks(parts.module).length === 0,
    servesHooks: (starts.first || starts.second) && lacks(parts.hooks).length === 0 && returns.length === 0,
  };
}

async function builtFiles(folder) {
  const { value } = await readJson(join(folder, 'pkg', 'build.json'));
  if (!isObject(value?.outputs)) return { isListed: false, built: [] };
  const built = Object.entries(value.outputs).map(([name, output]) => {
    const path = `pkg/${name}`;
    return { path, wanted: output?.sha256, hash: hashOf(join(folder, path)) };
  });
  return { isListed: true, built };
}

async function selfCheck(folder, wasmHash) {
  try {
    const { loadCore } = await import(pathToFileURL(join(folder, 'node', 'core.mjs')));
    const { core, fault } = await loadCore({ isOnce: true });
    return {
      version: core.selfCheck(),
      starts: { first: fault === undefined, second: fault !== undefined || isSame(join(folder, SECOND), wasmHash) },
    };
  } catch {
    return { version: null, starts: { first: false, second: false } };
  }
}

/** The second copy is the first one, packed. */
function isSame(path, wasmHash) {
  try {
    return sha256(brotliDecompressSync(readFileSync(path))) === wasmHash;
  } catch {
    return false;
  }
}

function hashOf(path) {
  try {
    return sha256(readFileSync(path));
  } catch {
    return null;
  }
}

function hasReturns(path) {
  try {
    return readFileSync(path).includes('\r\n');
  } catch {
    return false;
  }
}

function sha256(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}
