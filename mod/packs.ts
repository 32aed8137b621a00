// Loads packs from `pkg/packs/` for the module, each when it is first asked for. Rejects where one is missing or broken.

import { createPack, packPath, type Pack } from '../glue/pack.js'

// The client refuses to read more at once (2.1.332).
const CHUNK_BYTES = 4 * 1024 * 1024

/** What loading takes of the client, one closure over `$` each. */
export type Loader = {
  /** The plugin's folder. */
  readonly folder: string
  /** Compiles the pack that unpacks, which lies there as it is. */
  inflater(): Promise<WebAssembly.Module>
  compile(bytes: Uint8Array): Promise<WebAssembly.Module>
  stat(path: string): Promise<{ kind: 'file' | 'dir' | 'other'; size: number; mtimeMs: number }>
  bytes(path: string, offset: number, length: number): Promise<{ base64: string }>
}

let inflater: Promise<Pack> | undefined
const packs = new Map<string, Promise<Pack>>()

/** @param name of a pack, for a language its name */
export function packOf(loader: Loader, name: string): Promise<Pack> {
  const known = packs.get(name)
  if (known !== undefined) return known
  const loading = load(loader, name)
  packs.set(name, loading)
  return loading
}

async function load(loader: Loader, name: string): Promise<Pack> {
  inflater ??= loader.inflater().then(createPack)
  const [packed, inflate] = await Promise.all([bytesOf(loader, `${loader.folder}/pkg/${packPath(name)}`), inflater])
  const bytes = inflate.run(packed)
  if (bytes === null || bytes.length === 0) throw new Error(`the pack \`${name}\` is damaged`)
  return createPack(await loader.compile(bytes))
}

async function bytesOf(loader: Loader, path: string): Promise<Uint8Array> {
  const { size } = await loader.stat(path)
  const bytes = new Uint8Array(size)
  for (let from = 0; from < size; from += CHUNK_BYTES) {
    const { base64 } = await loader.bytes(path, from, Math.min(CHUNK_BYTES, size - from))
    bytes.set(Uint8Array.fromBase64(base64), from)
  }
  return bytes
}
