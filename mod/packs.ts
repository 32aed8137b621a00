// Loads packs for the module, each when it is first asked for: read as bytes below the plugin's own folder, unpacked, compiled.
// Knows no language and no rule. Rejects where a pack is missing or broken, and tries no second time in this session.

import { createPack, packPath, type Pack } from '../glue/pack.js'

/** What this file may do in the client. */
export type Shelf = {
  /** The bytes of a file below `pkg/`. */
  read(path: string): Promise<Uint8Array>
  compile(bytes: Uint8Array): Promise<WebAssembly.Module>
  /** The compiled `inflate.wasm`, which unpacks the others. */
  inflate(): Promise<WebAssembly.Module>
}

// For the realm, so that a pack is compiled once however many calls wait for it.
const packs = new Map<string, Promise<Pack>>()
let inflate: Promise<Pack> | undefined

/** @param name of a pack, for a language its name */
export function packOf(shelf: Shelf, name: string): Promise<Pack> {
  const known = packs.get(name)
  if (known !== undefined) return known
  const loading = load(shelf, name)
  packs.set(name, loading)
  return loading
}

async function load(shelf: Shelf, name: string): Promise<Pack> {
  inflate ??= shelf.inflate().then(module => createPack(module))
  const [unpacker, packed] = await Promise.all([inflate, shelf.read(packPath(name))])
  const bytes = unpacker.run(packed)
  if (bytes === null || bytes.length === 0) throw new Error(`the pack \`${name}\` is damaged`)
  return createPack(await shelf.compile(bytes), name)
}
