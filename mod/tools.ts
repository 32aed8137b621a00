// The code tools inside Claude Code: lists them for the model where the project has something for them, and serves them.
// They read only, and show nothing that a Read would have to ask for; what goes wrong is an error of the tool, or silence at the start.

import { callTool } from '../glue/answers.js'
import { drive } from '../glue/core.js'
import { answerSource, answersOf, type Reach, type SourceAsk } from './sources'

type Schema = { type: 'object'; properties: Record<string, object>; required: string[] }

const TEXT = { type: 'string' }
const SINCE = { enum: ['none'], description: 'none = show again what is unchanged' }

type Tool = { name: string; description: string; inputSchema: Schema }

/** As the pack has them (packs/answers/src/tools/args.rs, which a test compares): listing them must not load it. */
export const TOOLS: readonly Tool[] = [
  {
    name: 'outline',
    description: 'Declarations of a source file with signatures and line ranges, without bodies; of a folder, a map of its files.',
    inputSchema: { type: 'object', properties: { path: { ...TEXT, description: 'file or folder' }, since: SINCE }, required: ['path'] },
  },
  {
    name: 'symbol',
    description: 'Exact text of one declaration, with file line numbers.',
    inputSchema: {
      type: 'object',
      properties: { name: { ...TEXT, description: 'parse or Container.parse' }, path: { ...TEXT, description: 'file or folder' }, since: SINCE },
      required: ['name'],
    },
  },
  {
    name: 'find',
    description: 'Where something is declared, by name or glob.',
    inputSchema: {
      type: 'object',
      properties: {
        name: { ...TEXT, description: 'parse, *Service or Container.*' },
        kind: { ...TEXT, description: 'class, function, method, …' },
        path: TEXT,
        since: SINCE,
      },
      required: ['name'],
    },
  },
  {
    name: 'usages',
    description: 'Where a name is used: definitions first, each use under the declaration around it; comments and strings apart.',
    inputSchema: { type: 'object', properties: { name: TEXT, path: TEXT, since: SINCE }, required: ['name'] },
  },
  {
    name: 'grep',
    description: 'Lines with a text or regex, by file and the declaration around them; skips ignored files.',
    inputSchema: {
      type: 'object',
      properties: { pattern: TEXT, regex: { type: 'boolean' }, ignoreCase: { type: 'boolean' }, path: TEXT, since: SINCE },
      required: ['pattern'],
    },
  },
]

// Files in whose language names are declared and used, as packs/answers has them.
const SOURCE = /\.(bash|bats|sh|zsh|c|h|cc|cpp|cxx|h\+\+|hh|hpp|hxx|csx?|go|java|[cm]?jsx?|kts?|php|pyi?|rake|rb|rs|sbt|sc|scala|swift|[cm]?tsx?)$/i
// Folders that are looked into where git cannot tell.
const LIKELY = ['', 'src', 'lib', 'app']
const LIST_MS = 2_000

/** Fields of a `tool.call` that are the client's and no argument. */
const OWN_FIELDS = new Set(['tool', 'tool_use_id', 'agentId', 'requestMeta', 'consent'])

/** The arguments of a call, which stand beside the client's own fields. */
export function argumentsOf(e: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(e).filter(([name]) => !OWN_FIELDS.has(name)))
}

/** The tools of other servers that the option `mcp` names; the core tells of a name that is none. */
export function serversTools(option: unknown): `mcp__${string}__${string}`[] {
  const names = typeof option === 'string' ? option.split(/[\s,]+/) : []
  return names.filter((name): name is `mcp__${string}__${string}` => /^mcp__(?!trimtab__).*__/.test(name))
}

/**
 * Lists the tools for the model, and says whether it did. Rejects where the client has no such call, or an organisation does not allow it.
 * @param register the client's call for one of them
 */
export async function offerTools(reach: Reach, root: string, register: (tool: Tool & { isDeferred: boolean }) => Promise<unknown>): Promise<boolean> {
  if (!(await hasSource(reach, root))) return false
  for (const tool of TOOLS) await register({ ...tool, isDeferred: false })
  return true
}

/**
 * Answers a call of one of the tools.
 * @param answer the facts that the core asks for too
 * @param placed makes a path absolute from where the caller stands
 */
export async function serveTool(
  reach: Reach,
  e: Readonly<Record<string, unknown>>,
  session: string,
  answer: (ask: object) => Promise<unknown>,
  placed: (path: string) => Promise<string>,
): Promise<{ result: string } | { deny: string }> {
  const tool = String(e.tool).replace(/^mcp__trimtab__/, '')
  const call = { tool, args: argumentsOf(e), session, agent: e.agentId ?? null }
  const answerAll = async (ask: object) => (await answerSource(reach, ask as SourceAsk, placed)) ?? answer(ask)
  const { text, error } = await callTool(drive, await answersOf(reach), call, answerAll)
  return text === undefined ? { deny: error ?? 'this call could not be answered' } : { result: text }
}

/** Whether the project has a file that the tools can read: a look at git's list, or into a few folders. */
async function hasSource(reach: Reach, root: string): Promise<boolean> {
  try {
    for (const which of ['-c', '-o']) {
      const argv = ['git', '--no-optional-locks', '-c', 'core.fsmonitor=false', 'ls-files', '-z', which, '--exclude-standard']
      const { exitCode, stdout } = await reach.run(argv, root, {}, LIST_MS)
      if (exitCode !== 0) break
      if (stdout.split('\0').some(path => SOURCE.test(path))) return true
      if (which === '-o') return false
    }
  } catch {
    // No git here.
  }
  for (const folder of LIKELY) {
    const entries = await reach.list(`${root}/${folder}`).catch(() => [])
    if (entries.some(({ name, kind }) => kind === 'file' && SOURCE.test(name))) return true
  }
  return false
}
