// Loads language packs from `pkg/packs/` for Node, each at the first text in its language. Rejects where one is missing or broken.

import { readFile } from 'node:fs/promises';
import { createPack } from '../glue/pack.js';

const FOLDER = new URL('../pkg/packs/', import.meta.url);
const LANGUAGES = ['powershell'];

/** @type {Map<string, Promise<import('../glue/pack.js').Pack>>} */
const packs = new Map();

/** @param {string} language as the core names it */
export function packOf(language) {
  if (!LANGUAGES.includes(language)) throw new Error(`no pack for \`${language}\``);
  if (!packs.has(language)) packs.set(language, load(language));
  return packs.get(language);
}

async function load(language) {
  // Imported here and not at the top, because most processes need none, and a checkout may lack it.
  const [bindings, bytes] = await Promise.all([import(new URL(`${language}.js`, FOLDER).href), readFile(new URL(`${language}_bg.wasm`, FOLDER))]);
  return createPack(await WebAssembly.compile(bytes), bindings);
}
