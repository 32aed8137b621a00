// Answers what a pack asks about sources (docs/wire.md): texts, declarations, folders, git's output, and what a Read may show.
// Reads only, and only what was named. What is too large, no text or in no known language rejects or is null, "could not tell".

import { createAnswers, type Answers } from '../glue/answers.js'
import { declarationsOf, type Pack } from '../glue/pack.js'
import { GIT_ENV } from './host'

/** What this file may do in the client, one closure over `$` each; older clients follow `$` into no other file (2.1.287). */
export type Reach = {
  /** A pack by its name, for a language the language's. */
  pack(name: string): Promise<Pack>
  stat(path: string): Promise<{ kind: 'file' | 'dir' | 'other'; size: number; mtimeMs: number }>
  read(path: string, offset: number, length: number): Promise<string>
  list(path: string): Promise<readonly { name: string; kind: string; size: number; isLink: boolean }[]>
  run(argv: readonly string[], cwd: string, env: Record<string, string>, timeoutMs: number): Promise<Ran>
  /** What the client would say to a Read by the model. */
  check(path: string): Promise<{ decision: 'allow' | 'ask' | 'deny' }>
}

type Ran = { exitCode: number | null; stdout: string; isStdoutTruncated: boolean }

/** One question of a pack beside those of the core. */
export type SourceAsk =
  | { ask: 'declarations'; path?: string; text?: string; language: string; names?: string[] }
  | { ask: 'list'; path: string }
  | { ask: 'may-read'; paths: string[] }
  | { ask: 'run'; argv: string[]; cwd: string; bytes: number }
  | { ask: 'text'; path: string; from: number; bytes: number }

// The client refuses to read more at once (2.1.332); a character that stands there is lost.
const MAX_BYTES = 4 * 1024 * 1024
const MAX_RUN_MS = 5_000

// Of this turn. A check takes 5 to 10 ms (2.1.332), and rules may change between turns.
const readable = new Map<string, Promise<boolean | null>>()

// One for the realm: it counts the lives of the pack, and keeps what its tools have shown.
let answers: Promise<Answers> | undefined

/** The answers pack, loaded when it is first needed. */
export function answersOf(reach: Reach): Promise<Answers> {
  return (answers ??= reach.pack('answers').then(createAnswers))
}

/** The conversation of a session no longer holds what its code tools have shown. */
export async function forgetShown(session: string): Promise<void> {
  // A pack that could not be loaded has shown nothing.
  const pack = await answers?.catch(() => undefined)
  pack?.step({ do: 'forget', session })
}

/** Has what may be read asked for again; called at the beginning of each turn. */
export function forgetReadable(): void {
  readable.clear()
}

/**
 * The fact for one ask; undefined for one that is not about sources.
 * @param placed makes a path absolute from where the caller stands
 */
export async function answerSource(reach: Reach, ask: SourceAsk, placed: (path: string) => Promise<string>): Promise<unknown> {
  switch (ask.ask) {
    case 'declarations':
      return declarationsFact(reach, ask, placed)
    case 'list':
      return { entries: (await reach.list(await placed(ask.path))).map(entryOf) }
    case 'may-read':
      return { allowed: await Promise.all(ask.paths.map(path => mayRead(reach, path))) }
    case 'run':
      return runFact(reach, ask, await placed(ask.cwd))
    case 'text':
      return textFact(reach, await placed(ask.path), ask.from, ask.bytes)
    default:
      return undefined
  }
}

/** True where the client would let the model read the file without a question; null where it did not say. */
function mayRead(reach: Reach, path: string): Promise<boolean | null> {
  const known = readable.get(path)
  if (known !== undefined) return known
  const asked = reach.check(path).then(
    ({ decision }) => decision === 'allow',
    () => null,
  )
  readable.set(path, asked)
  return asked
}

async function declarationsFact(
  reach: Reach,
  { path, text, language, names = [] }: { path?: string; text?: string; language: string; names?: string[] },
  placed: (path: string) => Promise<string>,
): Promise<unknown> {
  const pack = await reach.pack(language)
  if (path === undefined) return told(declarationsOf(pack, text ?? '', names), {})
  const file = await textFact(reach, await placed(path), 0, MAX_BYTES)
  if (file.bytes > MAX_BYTES || file.text.includes('\0')) return null
  return told(declarationsOf(pack, file.text, names), { bytes: file.bytes, mtime: file.mtime })
}

function told(declarations: object | null, more: object): object | null {
  return declarations === null ? null : { ...more, declarations }
}

async function textFact(reach: Reach, path: string, from: number, bytes: number) {
  const { kind, size, mtimeMs } = await reach.stat(path)
  if (kind !== 'file') throw new Error('not a file')
  const pieces = []
  const end = Math.min(from + bytes, size)
  for (let at = from; at < end; at += MAX_BYTES) pieces.push(await reach.read(path, at, Math.min(MAX_BYTES, end - at)))
  return { text: pieces.join(''), bytes: size, mtime: mtimeMs }
}

async function runFact(reach: Reach, { argv, bytes }: { argv: string[]; bytes: number }, cwd: string): Promise<unknown> {
  const { stdout, exitCode, isStdoutTruncated } = await reach.run(argv, cwd, GIT_ENV, MAX_RUN_MS)
  const isCut = isStdoutTruncated || stdout.length > bytes
  return { stdout: isCut ? stdout.slice(0, bytes) : stdout, exit: exitCode, complete: !isCut && exitCode !== null }
}

function entryOf({ name, kind, size, isLink }: { name: string; kind: string; size: number; isLink: boolean }): object {
  return { name, kind, bytes: size, ...(isLink && { link: true }) }
}
