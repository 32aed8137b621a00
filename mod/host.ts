// Answers what the core asks, from the few things of the client that register.ts hands in, and carries out what the core wants done.
// Never decides anything and never hands text on: of a file or a command's output only kinds, sizes and counts leave this file.

import { codeOf, isMissing } from './failure'
import { recall, remember } from './memory'

/** What this file may do in the client, one closure over `$` each; a test hands in its own. */
export type Host = {
  readonly options: Readonly<Record<string, unknown>>
  /** The person's home folder, where it is known. */
  readonly home: string | undefined
  cwd(): Promise<string>
  root(): Promise<string>
  agents(): Promise<readonly { id: string; cwd: string }[]>
  stat(path: string): Promise<{ kind: 'file' | 'dir' | 'other'; size: number; mtimeMs?: number; realPath?: string }>
  read(path: string, offset: number, length: number): Promise<string>
  variables(): Promise<Readonly<Record<string, string | undefined>>>
  /** What a text of another language does; rejects where there is no pack for it. */
  script(language: string, text: string): Promise<object | null>
  spawn(argv: readonly string[], cwd: string, env: Record<string, string>): Child
  after(ms: number, ring: () => void): { cancel(): void }
  debug(line: string): unknown
  run(argv: readonly string[], stdin?: string): Promise<{ exitCode: number | null }>
  write(path: string, text: string): Promise<unknown>
  kept(): Promise<unknown>
  keep(rows: readonly string[]): Promise<unknown>
  /** Of one session, what the client holds for it until the session ends. */
  held(session: string): Promise<string | undefined>
  hold(session: string, text: string): Promise<unknown>
}

/** A started program; leaving it ends it. */
export type Child = {
  next(): Promise<{ done?: false; value: { stream: string; text: string } } | { done: true; value: { code: number | null } }>
  return(end: { code: null; signal: null }): Promise<unknown>
}

/** One question of the core; `docs/wire.md` lists them with their facts. */
export type Ask =
  | { ask: 'place' }
  | { ask: 'config'; root?: string }
  | { ask: 'state'; session: string }
  | { ask: 'stat'; path: string }
  | { ask: 'find'; path: string; text: string }
  | { ask: 'lines'; path: string }
  | { ask: 'script'; language: string; text: string }
  | { ask: 'whole'; path: string }
  | { ask: 'measure'; argv: string[]; cwd: string; chars: number }

/** What the core wants done beside its verdict. */
export type Effect = { effect: 'save'; session: string; state: string } | { effect: 'record'; code: string; detail?: string }

/** The version in the records. Follows plugin.json; written here, because a core that did not start cannot tell it. */
export const VERSION = '0.1.0'

// A read over 4 MiB is refused by the client; 1 MiB takes about 7 ms (2.1.332), so no single wait grows long.
const CHUNK_BYTES = 1_048_576
// The client itself refuses a whole Read over 256 KB and shows 2 KB of a Bash output over 30,000 characters: beyond this nothing is left to save.
const MAX_CHUNKS = 8
// Past this a configuration is a mistake; the Node host draws the same line.
const MAX_CONFIG_BYTES = 262_144
// The wire's time limit for a measured command.
const MEASURE_MS = 1_000
// A fault that comes with every call must not start a process each time.
const MAX_ROWS = 20

/** For git that was started here: takes no lock from the person's own, waits in no pager and fetches nothing. */
export const GIT_ENV = { GIT_OPTIONAL_LOCKS: '0', GIT_PAGER: 'cat', GIT_NO_LAZY_FETCH: '1' }

// The client can neither append to a file nor set its mode. The limit is that of node/records.mjs, which writes to the same file.
const APPEND_ROW = [
  'umask 077',
  '[ -n "$HOME" ] || exit 1', // `cd ""` would stay in the project.
  'cd "$HOME" && mkdir -p .trimtab && cd .trimtab || exit 1',
  'if [ -f errors.jsonl ] && [ "$(wc -c <errors.jsonl)" -gt 262144 ]; then mv -f errors.jsonl errors.1.jsonl; fi',
  'printf "%s\\n" "$1" >>errors.jsonl',
].join('\n')

let rows = 0

/**
 * The fact for one ask. Rejects where it could not be told, which the core's driver hands on as `null`.
 * @param agentId whose call it is; undefined for the main conversation
 */
export async function answer(host: Host, ask: Ask, agentId?: string): Promise<unknown> {
  switch (ask.ask) {
    case 'place':
      return placeOf(host, agentId)
    case 'config':
      return { layers: await layersOf(host, ask.root ?? (await host.root())) }
    case 'state':
      return recall(host, ask.session)
    case 'stat':
      return statOf(host, await placed(host, ask.path, agentId))
    case 'find':
      return findIn(await wholeOf(host, await placed(host, ask.path, agentId)), ask.text)
    case 'whole':
      return { given: await wholeOf(host, await placed(host, ask.path, agentId)) }
    case 'lines':
      return linesOf(host, await placed(host, ask.path, agentId))
    case 'script':
      return host.script(ask.language, ask.text)
    case 'measure':
      return measureOf(host, ask.argv, await placed(host, ask.cwd, agentId), ask.chars)
    default:
      return null
  }
}

/** Carries out effects in order. Never throws and is never waited for: a verdict does not hang on them. */
export function carryOut(host: Host, event: string, effects: readonly Effect[] = []): void {
  for (const effect of effects) {
    if (effect.effect === 'save') void keepState(host, event, effect.session, effect.state)
    else if (effect.effect === 'record') record(host, event, effect.code, effect.detail)
  }
}

/**
 * Leaves a row in the debug log and in `~/.trimtab/errors.jsonl`. Never throws, waits for nothing and needs no wasm.
 * @param code from a closed set, as is `detail`: never command text, a path or file content
 */
export function record(host: Host, event: string, code: string, detail?: string): void {
  const row = JSON.stringify({ time: new Date().toISOString(), version: VERSION, route: 'mod', event, code, detail })
  void keepRow(host, row).catch(() => undefined)
}

async function keepState(host: Host, event: string, session: string, state: string): Promise<void> {
  const place = await remember(host, session, state)
  if (place !== 'disk') record(host, event, 'state-not-saved', place)
}

/** The client takes a relative path from the session's directory, and no empty one; an agent in a worktree of its own means its own. */
export async function placed(host: Host, path: string, agentId: string | undefined): Promise<string> {
  const own = /^([\\/]|[A-Za-z]:)/.test(path) ? undefined : await agentFolderOf(host, agentId)
  return own === undefined ? path || '.' : `${own}/${path}`
}

async function agentFolderOf(host: Host, agentId: string | undefined): Promise<string | undefined> {
  if (agentId === undefined) return undefined
  const agents = await host.agents().catch(() => [])
  return agents.find(agent => agent.id === agentId)?.cwd
}

async function placeOf(host: Host, agentId: string | undefined): Promise<unknown> {
  const own = await agentFolderOf(host, agentId)
  const [cwd, root] = await Promise.all([realOf(host, own ?? (await host.cwd())), realOf(host, await host.root())])
  // An agent whose worktree lies elsewhere has that folder as its project.
  const isElsewhere = own !== undefined && cwd !== root && !cwd.startsWith(root.endsWith('/') ? root : `${root}/`)
  return { cwd, root: isElsewhere ? cwd : root, ...(isElsewhere && { start: root }), ...(host.home !== undefined && { home: slashed(host.home) }) }
}

async function realOf(host: Host, path: string): Promise<string> {
  const { realPath } = await host.stat(path)
  if (realPath === undefined) throw new Error('could not be placed')
  return slashed(realPath)
}

async function layersOf(host: Host, root: string): Promise<object[]> {
  const variables = await host.variables()
  const files = await Promise.all([
    host.home === undefined ? undefined : layerOf(host, 'user', `${host.home}/.trimtab/config.json`),
    layerOf(host, 'project', `${root}/.trimtab.json`),
    layerOf(host, 'local', `${root}/.trimtab.local.json`),
  ])
  // The client fills an option that nobody set with an empty text (2.1.332).
  const values = [valueLayer('options', host.options), valueLayer('env', variables)]
  return [...files, ...values].filter(layer => layer !== undefined)
}

async function layerOf(host: Host, from: string, path: string): Promise<object | undefined> {
  try {
    const text = await host.read(path, 0, MAX_CONFIG_BYTES + 1)
    return text.length > MAX_CONFIG_BYTES ? { from, error: 'EFBIG' } : { from, text }
  } catch (error) {
    return isMissing(error) ? undefined : { from, error: codeOf(error) }
  }
}

function valueLayer(from: string, values: Readonly<Record<string, unknown>>): object | undefined {
  const set = Object.entries(values).filter(([, value]) => value !== undefined && value !== '')
  return set.length === 0 ? undefined : { from, value: Object.fromEntries(set) }
}

async function statOf(host: Host, path: string): Promise<unknown> {
  try {
    const { kind, size, mtimeMs, realPath } = await host.stat(path)
    // Without a real path it leads nowhere, or the client may not tell.
    return realPath === undefined ? null : { kind, bytes: size, real: slashed(realPath), mtime: mtimeMs }
  } catch (error) {
    return isMissing(error) ? { kind: 'none', bytes: 0, real: slashed(path) } : null
  }
}

async function linesOf(host: Host, path: string): Promise<unknown> {
  let lines = 0
  for (let chunk = 0; chunk < MAX_CHUNKS; chunk += 1) {
    // As text: a newline is one byte wherever the range cuts a character, and text crosses in a third of the time of bytes.
    const text = await host.read(path, chunk * CHUNK_BYTES, CHUNK_BYTES)
    lines += newlinesIn(text)
    // A unit of text stands for three bytes at most, so this few mean that the file has ended.
    if (text.length * 3 < CHUNK_BYTES) return { lines }
  }
  return null
}

/** A file that a Read could show whole. */
async function wholeOf(host: Host, path: string): Promise<string> {
  const { size } = await host.stat(path)
  if (size > CHUNK_BYTES) throw new Error('too large')
  return host.read(path, 0, CHUNK_BYTES)
}

/** The lines of a text that stands in a file once. */
function findIn(file: string, text: string): unknown {
  const at = file.indexOf(text)
  if (at < 0 || file.indexOf(text, at + 1) >= 0) return null
  const from = newlinesIn(file.slice(0, at)) + 1
  return { from, to: from + newlinesIn(text.replace(/\n$/, '')) }
}

async function measureOf(host: Host, argv: readonly string[], cwd: string, limit: number): Promise<unknown> {
  const child = host.spawn(argv, cwd, GIT_ENV)
  let ring = (): void => undefined
  const late = new Promise<'late'>(resolve => (ring = () => resolve('late')))
  const timer = host.after(MEASURE_MS, () => ring())
  let chars = 0
  let lines = 0
  try {
    for (;;) {
      const pull = child.next()
      pull.catch(() => undefined)
      const piece = await Promise.race([pull, late])
      if (piece === 'late') return { chars, lines, complete: false }
      if (piece.done) return piece.value.code === null ? null : { chars, lines, complete: true, exit: piece.value.code }
      if (piece.value.stream !== 'stdout') continue
      const counted = piece.value.text.slice(0, limit - chars)
      chars += counted.length
      lines += newlinesIn(counted)
      if (chars >= limit) return { chars, lines, complete: false }
    }
  } finally {
    timer.cancel()
    // Ends the child if it still runs.
    void child.return({ code: null, signal: null }).catch(() => undefined)
  }
}

async function keepRow(host: Host, row: string): Promise<void> {
  await host.debug(row)
  rows += 1
  if (rows > MAX_ROWS) return
  try {
    await host.run(['sh', '-c', APPEND_ROW, 'sh', row])
  } catch {
    // No `sh` here, or no process may be started.
    const kept = await host.kept()
    await host.keep([...(Array.isArray(kept) ? kept : []), row].slice(-MAX_ROWS))
  }
}

function newlinesIn(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

/** A Windows path with slashes; elsewhere a backslash belongs to the name. */
function slashed(path: string): string {
  return /^([A-Za-z]:|\\)\\/.test(path) ? path.replaceAll('\\', '/') : path
}
