// What mod/register.ts uses of glue/ and pkg/, which are plain JavaScript and are loaded unchanged. Types only, never code.

declare module '*/glue/core.js' {
  /** One living instance of the core. */
  export type Core = {
    /** True when no new instance could be made; everything passes from then on. */
    readonly isDead: boolean
    step(request: object): { readonly effects?: readonly object[] }
    /** Throws unless this core can be trusted with calls. */
    selfCheck(): string
  }

  export type Outcome = {
    readonly done: { readonly verdict: string; readonly text?: string }
    readonly effects?: readonly object[]
  }

  export function createCore(module: WebAssembly.Module): Core
  /** Takes one request to its end; never rejects. */
  export function drive(core: Core, request: object, answer: (ask: object) => unknown): Promise<Outcome>
}

declare module '*/glue/pack.js' {
  /** A wasm that answers bytes with bytes; `null` is "could not". */
  export type Pack = {
    run(request: Uint8Array): Uint8Array | null
    /** The answer to a text, which is JSON. */
    read(text: string): unknown
  }

  export function createPack(module: WebAssembly.Module): Pack
  /** Below `pkg/`; throws for what is no name of a pack. */
  export function packPath(name: string): string
  /** The fact for a `script` ask. */
  export function scriptOf(pack: Pack, text: string): { readonly script: object } | null
  /** The declarations of a source text, and where `names` occur in it. */
  export function declarationsOf(pack: Pack, text: string, names?: readonly string[]): object | null
}

/** What the client's realm has beyond the library that its own settings name. */
interface Uint8ArrayConstructor {
  fromBase64(text: string): Uint8Array
}
