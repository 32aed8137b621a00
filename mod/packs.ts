// Loads packs from `pkg/packs/` for the module, each when it is first asked for. Rejects where one is missing or broken.

import type { EngineInterface } from 'claude-code'
import { createPack, packPath, type Pack } from '../glue/pack.js'

// The client refuses to read more at once (2.1.332).
const CHUNK_BYTES = 4 * 1024 * 1024

let inflater: Promise<Pack> | undefined
const packs = new Map<string, Promise<Pack>>()

/** @param name of a pack, for a language its name */
export function packOf($: EngineInterface, name: string): Promise<Pack> {
  const known = packs.get(name)
  if (known !== undefined) return known
  const loading = load($, name)
  packs.set(name, loading)
  return loading
}

async function load($: EngineInterface, name: string): Promise<Pack> {
  // The client has nothing that unpacks; this one is small and lies there as it is.
  inflater ??= $.wasm.compile('../pkg/packs/inflate.wasm').then(createPack)
  const [packed, inflate] = await Promise.all([bytesOf($, `${$.plugin.root}/pkg/${packPath(name)}`), inflater])
  const bytes = inflate.run(packed)
  if (bytes === null || bytes.length === 0) throw new Error(`the pack \`${name}\` is damaged`)
  return createPack(await $.wasm.compile(bytes))
}

async function bytesOf($: EngineInterface, path: string): Promise<Uint8Array> {
  const { size } = await $.fs.stat(path)
  const bytes = new Uint8Array(size)
  for (let from = 0; from < size; from += CHUNK_BYTES) {
    const { base64 } = await $.fs.read(path, { as: 'bytes', offset: from, length: Math.min(CHUNK_BYTES, size - from) })
    bytes.set(Uint8Array.fromBase64(base64), from)
  }
  return bytes
}
