// Loads packs from `pkg/packs/` for Node, each when it is first asked for. Rejects where one is missing or broken.

import { readFile } from 'node:fs/promises';
import { inflateSync } from 'node:zlib';
import { createPack, packPath } from '../glue/pack.js';

const PKG = new URL('../pkg/', import.meta.url);

/** @type {Map<string, Promise<import('../glue/pack.js').Pack>>} */
const packs = new Map();

/** @param {string} name of a pack, for a language its name */
export function packOf(name) {
  if (!packs.has(name)) packs.set(name, load(name));
  return packs.get(name);
}

async function load(name) {
  const packed = await readFile(new URL(packPath(name), PKG));
  return createPack(await WebAssembly.compile(inflateSync(packed)), name);
}
