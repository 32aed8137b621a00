// Puts something smaller in the place of a large result, in the row that is about to be stored: the person sees the result as it was, the
// model reads the row. Decides nothing; the core says whether, a pack makes what is smaller. On any failure the row stays as it is.

import { condenseFact, figuresOf, outlineFact } from '../glue/answers.js'
import { drive, type Core } from '../glue/core.js'
import { answerSource, answersOf, type Reach, type SourceAsk } from './sources'

/** A call whose result may come: what the model asked for. */
export type Called = { readonly tool: string; readonly input: unknown }

type Text = { readonly type: 'text'; readonly text: string }
type Block = { readonly type: string; readonly tool_use_id?: string; readonly content?: string | readonly Text[]; readonly is_error?: boolean }

/** What a result takes of the session. */
export type Results = {
  readonly core: Core
  readonly reach: Reach
  readonly session: string
  readonly agent: string | undefined
  readonly context: object
  /** The facts that the core asks for, too. */
  answer(ask: object): Promise<unknown>
  placed(path: string): Promise<string>
  root(): Promise<string>
  /** Writes a text where the session's own files lie, and gives its path. */
  keep(name: string, text: string): Promise<string>
  carryOut(effects: readonly object[] | undefined): void
}

const MAX_CALLS = 64

// Of calls that are on their way, the oldest goes first.
const calls = new Map<string, Called>()

/** Notes a call that is about to run. */
export function noteCall(id: string, call: Called): void {
  if (calls.size >= MAX_CALLS) calls.delete(calls.keys().next().value ?? '')
  calls.set(id, call)
}

/** The same for a Read, whose arguments stand beside the client's own fields there. */
export function noteRead({ tool_use_id, file_path, offset, limit, pages, allow_large }: Record<string, unknown>): void {
  if (typeof tool_use_id === 'string') noteCall(tool_use_id, { tool: 'Read', input: { file_path, offset, limit, pages, allow_large } })
}

/** The row's content with smaller results; undefined where it stays as it is. */
export async function smaller<T>(results: Results, content: readonly T[]): Promise<T[] | undefined> {
  let isChanged = false
  const blocks = await Promise.all(
    content.map(async block => {
      const text = await smallerText(results, block as Block)
      if (text === undefined) return block
      isChanged = true
      return { ...block, content: typeof (block as Block).content === 'string' ? text : [{ type: 'text', text }] }
    }),
  )
  return isChanged ? blocks : undefined
}

async function smallerText(results: Results, block: Block): Promise<string | undefined> {
  const text = textOf(block)
  const call = calls.get(block.tool_use_id ?? '')
  if (text === undefined || call === undefined) return undefined
  calls.delete(block.tool_use_id ?? '')
  const { core, context, agent = null } = results
  const result = figuresOf(text, block.is_error === true)
  const request = { event: 'PostToolUse', id: block.tool_use_id, ...call, session: results.session, agent, ...context, result }
  const { done, effects } = await drive(core, { do: 'judge', call: request }, ask => factOf(results, call, text, ask))
  results.carryOut(effects)
  return done.verdict === 'answer' ? done.text : undefined
}

function textOf({ type, content }: Block): string | undefined {
  if (type !== 'tool_result') return undefined
  if (typeof content === 'string') return content
  return content?.length === 1 && content[0]?.type === 'text' ? content[0].text : undefined
}

async function factOf(results: Results, call: Called, text: string, ask: object): Promise<unknown> {
  const kind = (ask as { ask: string }).ask
  if (kind !== 'outline' && kind !== 'condense') return results.answer(ask)
  const answers = await answersOf(results.reach)
  const answerPack = async (asked: object): Promise<unknown> => {
    const keep = asked as { ask: string; name: string; text: string }
    if (keep.ask === 'keep') return { path: await results.keep(keep.name, keep.text) }
    return (await answerSource(results.reach, asked as SourceAsk, results.placed)) ?? results.answer(asked)
  }
  if (kind === 'outline') return outlineFact(drive, answers, ask as { path: string; name: string }, 'plain', answerPack)
  const made = { ...call, result: text, root: await results.root() }
  return condenseFact(drive, answers, ask as { budget: number; intents: object[] }, made, answerPack)
}
