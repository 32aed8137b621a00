// What mod/register.ts uses of glue/core.js, which is plain JavaScript and is loaded unchanged. Types only, never code.

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
