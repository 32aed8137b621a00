// What mod/register.ts uses of glue/ and pkg/, which are plain JavaScript and are loaded unchanged. Types only, never code.

declare module '*/glue/core.js' {
  /** One living instance of the core. */
  export type Core = {
    /** True when no new instance could be made; everything passes from then on. */
    readonly isDead: boolean
    step(request: object): { readonly effects?: readonly object[]; readonly config?: { readonly enabled: boolean; readonly tools: { readonly enabled: boolean } }; readonly rules?: unknown }
    /** Throws unless this core can be trusted with calls. */
    selfCheck(): string
  }

  export type Outcome = {
    readonly done: { readonly verdict: string; readonly text?: string; readonly input?: Readonly<Record<string, unknown>> }
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

  export function createPack(module: WebAssembly.Module, name?: string): Pack
  /** Below `pkg/`; throws for what is no name of a pack. */
  export function packPath(name: string): string
  /** The fact for a `script` ask. */
  export function scriptOf(pack: Pack, text: string): { readonly script: object } | null
  /** The declarations of a source text, and where `names` occur in it. */
  export function declarationsOf(pack: Pack, text: string, names?: readonly string[]): object | null
}

declare module '*/glue/answers.js' {
  import type { drive } from '*/glue/core.js'

  /** The answers pack with the core's wire. */
  export type Answers = { step(request: object): object }

  export function createAnswers(pack: { read(text: string): unknown }): Answers
  /** One call of a code tool; never rejects. */
  export function callTool(
    run: typeof drive,
    answers: Answers,
    call: object,
    answer: (ask: object) => unknown,
    clock?: () => number,
  ): Promise<{ readonly text?: string; readonly found?: boolean; readonly error?: string }>

  /** What the core is told of a result. */
  export function figuresOf(text: string, isError: boolean): object

  type Given = { readonly given: string } | null
  /** The fact for the core's `outline` ask. */
  export function outlineFact(
    run: typeof drive,
    answers: Answers,
    ask: { path: string; name: string },
    form: 'plain' | 'read',
    answer: (ask: object) => unknown,
  ): Promise<Given>
  /** The fact for the core's `condense` ask. */
  export function condenseFact(
    run: typeof drive,
    answers: Answers,
    ask: { budget: number; intents: object[] },
    call: { tool: string; input: unknown; result: unknown; root?: string },
    answer: (ask: object) => unknown,
  ): Promise<Given>
}

declare module '*/glue/weight.js' {
  export type Outcome = { readonly done: { readonly person?: string; readonly model?: string; readonly skip?: string; readonly more?: boolean } }

  /** Takes one request to its end, and again while there is more to read. */
  export function weigh(
    pack: { read(text: string): any },
    request: object,
    host: { answer(ask: object): unknown; carryOut(effects: readonly object[]): unknown },
    use?: { calls?: number },
  ): Promise<Outcome>
}

/** What the client's realm has beyond the library that its own settings name. */
interface Uint8ArrayConstructor {
  fromBase64(text: string): Uint8Array
}
