// Answers what a pack asks about sources (docs/wire.md): texts, declarations, folders, git's output, and what a Read may show.
// Reads only, and only what was named. What is too large, no text or in no known language rejects or is null, "could not tell".

import type { EngineInterface } from 'claude-code'
import { declarationsOf } from '../glue/pack.js'
import { packOf } from './packs'

/** One question of a pack beside those of the core. */
export type SourceAsk =
  | { ask: 'declarations'; path?: string; text?: string; language: string; names?: string[] }
  | { ask: 'list'; path: string }
  | { ask: 'may-read'; paths: string[] }
  | { ask: 'run'; argv: string[]; cwd: string; bytes: number }
  | { ask: 'text'; path: string; from: number; bytes: number }

// The client refuses a larger read (2.1.332).
const MAX_BYTES = 4 * 1024 * 1024
const MAX_RUN_MS = 5_000
// Takes no lock from the person's own git, waits in no pager and fetches nothing.
const GIT_ENV = { GIT_OPTIONAL_LOCKS: '0', GIT_PAGER: 'cat', GIT_NO_LAZY_FETCH: '1' }

// Of this turn. A check takes 5 to 10 ms (2.1.332), and rules may change between turns.
const readable = new Map<string, Promise<boolean | null>>()

/** Has what may be read asked for again; called at the beginning of each turn. */
export function forgetReadable(): void {
  readable.clear()
}

/**
 * The fact for one ask; undefined for one that is not about sources.
 * @param placed makes a path absolute from where the caller stands
 */
export async function answerSource($: EngineInterface, ask: SourceAsk, placed: (path: string) => Promise<string>): Promise<unknown> {
  switch (ask.ask) {
    case 'declarations':
      return declarationsFact($, ask, placed)
    case 'list':
      return { entries: (await $.fs.list(await placed(ask.path))).map(entryOf) }
    case 'may-read':
      return { allowed: await Promise.all(ask.paths.map(path => mayRead($, path))) }
    case 'run':
      return runFact($, ask, await placed(ask.cwd))
    case 'text':
      return textFact($, await placed(ask.path), ask.from, ask.bytes)
    default:
      return undefined
  }
}

/** True where the client would let the model read the file without a question; null where it did not say. */
function mayRead($: EngineInterface, path: string): Promise<boolean | null> {
  const known = readable.get(path)
  if (known !== undefined) return known
  const asked = $.tool.check({ tool: 'Read', input: { file_path: path } }).then(
    ({ decision }) => decision === 'allow',
    () => null,
  )
  readable.set(path, asked)
  return asked
}

async function declarationsFact(
  $: EngineInterface,
  { path, text, language, names = [] }: { path?: string; text?: string; language: string; names?: string[] },
  placed: (path: string) => Promise<string>,
): Promise<unknown> {
  const pack = await packOf($, language)
  if (path === undefined) return told(declarationsOf(pack, text ?? '', names), {})
  const file = await textFact($, await placed(path), 0, MAX_BYTES)
  if (file.bytes > MAX_BYTES || file.text.includes('\0')) return null
  return told(declarationsOf(pack, file.text, names), { bytes: file.bytes, mtime: file.mtime })
}

function told(declarations: object | null, more: object): object | null {
  return declarations === null ? null : { ...more, declarations }
}

async function textFact($: EngineInterface, path: string, from: number, bytes: number) {
  const { kind, size, mtimeMs } = await $.fs.stat(path)
  if (kind !== 'file') throw new Error('not a file')
  const text = await $.fs.read(path, { offset: from, length: Math.min(bytes, MAX_BYTES) })
  return { text, bytes: size, mtime: mtimeMs }
}

async function runFact($: EngineInterface, { argv, bytes }: { argv: string[]; bytes: number }, cwd: string): Promise<unknown> {
  const { stdout, exitCode, isStdoutTruncated } = await $.process.run(argv, { cwd, env: GIT_ENV, timeoutMs: MAX_RUN_MS })
  const isCut = isStdoutTruncated || stdout.length > bytes
  return { stdout: isCut ? stdout.slice(0, bytes) : stdout, exit: exitCode, complete: !isCut && exitCode !== null }
}

function entryOf({ name, kind, size, isLink }: { name: string; kind: string; size: number; isLink: boolean }): object {
  return { name, kind, bytes: size, ...(isLink && { link: true }) }
}
