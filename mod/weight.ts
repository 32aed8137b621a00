// The weight of the session, at the moments of the main conversation: has the pack read the transcript, and hands on what it has to say.
// Decides nothing, and blocks nothing but a compaction that the pack says should wait. Says nothing in a subagent, and what goes wrong
// leaves a record and the session as it was.

import { weigh } from '../glue/weight.js'
import { GIT_ENV } from './host'
import type { Section } from './ui'

/** What this file may do in the client, one closure over `$` each: older clients follow it into no other file. */
export type WeightHost = {
  home: string | undefined
  pack(): Promise<{ read(text: string): any }>
  /** The configuration as it works out, and the names of its layers. */
  config(): Promise<{ config: unknown; from: string[] }>
  record(code: string, detail?: string): void
  transcript(): Promise<string | undefined>
  usage(): Promise<{ tokens?: number; window: number }>
  now(): Promise<number>
  root(): Promise<string>
  size(path: string): Promise<number>
  read(path: string, offset: number, length: number): Promise<string>
  bytes(path: string, offset: number, length: number): Promise<string>
  exists(path: string): Promise<boolean>
  write(path: string, text: string): Promise<unknown>
  run(argv: readonly string[], options: { cwd?: string; env?: Record<string, string>; stdin?: string; timeoutMs: number }): Promise<{ exitCode: number | null; stdout: string }>
  log(text: string): unknown
  append(text: string): Promise<unknown>
}

/** What is to be said, and why a compaction should wait. */
export type Said = { readonly person?: string | undefined; readonly model?: string | undefined; readonly skip?: string | undefined }

/** Sections, and the same as text. */
export type Overview = { readonly sections: readonly Section[]; readonly text: string }

export type Moment = 'prompt' | 'stop' | 'tick' | 'compact' | 'compacted' | 'end'

type Ask =
  | { ask: 'config' }
  | { ask: 'state' }
  | { ask: 'text'; path: string; from: number; bytes: number }
  | { ask: 'claim'; session: string; name: string }
  | { ask: 'run'; argv: string[]; bytes: number }

type Effect =
  | { effect: 'save'; session: string; state: string }
  | { effect: 'leave'; name: string; project: boolean; text: string }
  | { effect: 'record'; code: string; detail?: string }

// 5 MiB of transcript each; a person waits for a prompt, and the end of a session has 1.5 s for everybody.
const CALLS: Record<Moment, number> = { prompt: 1, stop: 2, tick: 1, compact: 4, compacted: 1, end: 1 }
const GIT_MS = 1_000
const NEWLINE = 10

// The client can neither create a file that must not be there nor rename one. 1 = it is there already.
const CLAIM = 'umask 077; mkdir -p "${1%/*}" || exit 2; set -C; { : >"$1"; } 2>/dev/null && exit 0; [ -e "$1" ] && exit 1; exit 2'
// Under a lock, because two clients may serve one session; whoever cannot get it goes on without. A session's first file clears away what
// is older than seven days, as node/sessions.mjs does.
const WRITE = [
  'umask 077',
  'folder=${1%/*}',
  'mkdir -p "$folder" || exit 1',
  `[ -e "$1" ] || find "$folder/." ! -name . -prune -type f -mtime +6 \\( -name '*.json' -o -name '*.said' -o -name '*.tmp' \\) -exec rm -f {} + 2>/dev/null`,
  'n=0; until mkdir "$1.lock" 2>/dev/null || [ $n -ge 4 ]; do n=$((n+1)); sleep 0.05; done',
  'cat >"$1.$$.tmp" && mv -f "$1.$$.tmp" "$1"; code=$?',
  'rmdir "$1.lock" 2>/dev/null; rm -f "$1.$$.tmp"; exit $code',
].join('\n')

/**
 * What is to be said now: a line for the person, one for the model. Never rejects.
 * @param trigger of a compaction that can be made to wait
 * @param calls how often at most it goes on reading
 */
export async function weightAt(host: WeightHost, moment: Moment, trigger?: string, calls = CALLS[moment]): Promise<Said> {
  try {
    // The client's own figures come first; a session without them has the transcript's.
    const [path, live, now] = await Promise.all([host.transcript(), host.usage().catch(() => undefined), host.now()])
    if (!path) return {}
    const request = { do: 'moment', moment, ...(trigger === undefined ? {} : { trigger }), path, now, live, holds: true }
    const done = await ask(host, request, calls)
    // The rest is read when nobody waits.
    if (done.more === true && calls === CALLS[moment] && moment !== 'end') void weightAt(host, moment, undefined, Infinity).then(said => say(host, said))
    return done
  } catch (error) {
    host.record('weight', error instanceof Error ? error.name : 'unknown')
    return {}
  }
}

/** The session in one line, where there is a figure: above the prompt, below it. Reads nothing. `told`: what no transcript tells. */
export async function linesOf(host: WeightHost, config: unknown, live: object, told: object): Promise<{ band: string; status: string }> {
  const { band, status } = await ask(host, { do: 'line', config, live, told })
  return { band, status }
}

/** What a person who looks is shown; reads all of the transcript. Rejects where it cannot be told. */
export async function overviewOf(host: WeightHost, told: object): Promise<Overview> {
  const [path, live] = await Promise.all([host.transcript(), host.usage().catch(() => undefined)])
  const { overview } = await ask(host, { do: 'overview', path, live, told, holds: true }, Infinity)
  if (overview === undefined) throw new Error('no overview')
  return overview
}

async function ask(host: WeightHost, request: object, calls = 1): Promise<any> {
  const outcome = await weigh(await host.pack(), request, { answer: ask => answer(host, ask as Ask), carryOut: effects => carryOut(host, effects as readonly Effect[]) }, { calls })
  return outcome.done
}

/**
 * Says both where nothing else carries them: the person reads a line in the transcript, the model a note behind what it has read already.
 * Never rejects.
 */
export async function say(host: WeightHost, { person, model }: Said): Promise<void> {
  for (const [text, through] of [[person, host.log], [model, host.append]] as const) {
    try {
      if (text !== undefined) await through(text)
    } catch {
      host.record('not-said')
    }
  }
}

async function answer(host: WeightHost, ask: Ask): Promise<unknown> {
  switch (ask.ask) {
    case 'config':
      return host.config()
    case 'text':
      return textOf(host, ask.path, ask.from, ask.bytes)
    case 'claim':
      return claim(host, fileOf(host, `${ask.session}.${ask.name}.said`))
    case 'run': {
      const { stdout, exitCode } = await host.run(ask.argv, { cwd: await host.root(), env: GIT_ENV, timeoutMs: GIT_MS })
      return { stdout: stdout.slice(0, ask.bytes), exit: exitCode, complete: stdout.length <= ask.bytes }
    }
    default:
      return null
  }
}

/** A range of the transcript; where bytes of it are no text, with the places of the ends of lines, which it no longer tells. */
async function textOf(host: WeightHost, path: string, from: number, bytes: number): Promise<object> {
  const size = await host.size(path)
  const length = Math.min(bytes, size - from)
  const text = length <= 0 ? '' : await host.read(path, from, length)
  if (!text.includes('\ufffd')) return { text, bytes: size }
  const range = Uint8Array.fromBase64(await host.bytes(path, from, length))
  const last = range.lastIndexOf(NEWLINE) + 1
  return last === 0 ? { text, bytes: size } : { text, bytes: size, first: range.indexOf(NEWLINE) + 1, last }
}

async function claim(host: WeightHost, path: string): Promise<object | null> {
  try {
    const { exitCode } = await host.run(['sh', '-c', CLAIM, 'sh', path], { timeoutMs: GIT_MS })
    return exitCode === 0 || exitCode === 1 ? { won: exitCode === 0 } : null
  } catch {
    // No `sh` here. Not as safe, but one client is the usual case.
    if (await host.exists(path)) return { won: false }
    await host.write(path, '')
    return { won: true }
  }
}

async function carryOut(host: WeightHost, effects: readonly Effect[]): Promise<void> {
  for (const effect of effects) {
    if (effect.effect === 'record') host.record(effect.code, effect.detail)
    else if (effect.effect === 'save') await write(host, fileOf(host, `${effect.session}.json`), effect.state)
    else if (effect.effect === 'leave') await write(host, `${effect.project ? await host.root() : host.home}/.trimtab/${effect.name}`, effect.text)
  }
}

async function write(host: WeightHost, path: string, text: string): Promise<void> {
  let isWritten = false
  try {
    isWritten = (await host.run(['sh', '-c', WRITE, 'sh', path], { stdin: text, timeoutMs: 2_000 })).exitCode === 0
  } catch {
    // No `sh` here. The client writes in place, and creates for the person alone (0700, 0600; 2.1.332).
    isWritten = await host.write(path, text).then(() => true, () => false)
  }
  if (!isWritten) host.record('not-saved')
}

/** As node/weight.mjs keeps it, for both routes. */
function fileOf({ home }: WeightHost, name: string): string {
  if (home === undefined || !/^[0-9A-Za-z.-]{8,120}$/.test(name)) throw new Error('no place')
  return `${home}/.trimtab/weight/${name}`
}
