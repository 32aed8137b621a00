// The module of the plugin: starts the core when the session starts and puts Bash, Grep, PowerShell and Read calls before it.
// Wires and never decides; never allows a call, never answers for a tool but its own, and on any failure leaves the call as it was.
// Arguments are changed only of tools that the person named in the option `mcp`, and the call is asked about as ever.
// `$` stays in this file: clients before 2.1.326, which have no wasm, still load it quietly and leave the work to the command hooks.

/// <reference path="./glue.d.ts" />
import type { CommandRunResult, EngineInterface, PluginOptions, Register } from 'claude-code'
import { createCore, drive, type Core } from '../glue/core.js'
import { scriptOf } from '../glue/pack.js'
import { homeOf } from './home'
import { answer, carryOut, placed, record, type Ask, type Effect, type Host } from './host'
import { recall } from './memory'
import { packOf, type Shelf } from './packs'
import { noteCall, noteRead, smaller, type Results } from './results'
import { forgetReadable, forgetShown, type Reach } from './sources'
import { argumentsOf, offerTools, serversTools, serveTool, TOOLS } from './tools'
import { bandOf, paneOf, showsLine, statusOf } from './ui'
import { linesOf, overviewOf, say, weightAt, type Moment, type Overview, type Said, type WeightHost } from './weight'

// What the command hooks leave to this module, as hooks/hook.sh spells it.
const ACTIONS =
  'PostToolUse:Read,PreToolUse:Bash,PreToolUse:Grep,PreToolUse:PowerShell,PreToolUse:Read,' +
  'UserPromptSubmit:session,Stop:session,PreCompact:session,SessionStart:session,SessionEnd:session'
const MAX_SESSIONS = 8
// By name: with a pattern every tool's call waits for the worker, and Bash could not be moved to the background (2.1.332).
const CODE_TOOLS = TOOLS.map(({ name }) => `mcp__trimtab__${name}` as const)
// Results that may be too large: the least budget of the core, what the client saved because it was large, what it refused for its size.
const LARGE = /^(?:[^]{8000}|<persisted-output>|File content \()/
// The model is told once in a minute at most.
const TICK_MS = 30_000
// What `/trimtab` opens, as wide and as high as what it shows.
const PANE = { id: 'trimtab', title: 'trimtab', focus: true, closeOnEscape: true, columns: 50, rows: 40 } as const

type Limits = readonly { kind: string; percentUsed: number }[]

// One start for the realm, however many hooks wait for it; null where the command hooks are to do the work.
let starting: Promise<Core | null> | undefined
// Of the conversation that the next call belongs to. Kept here, because `tool.check` does not carry it and asking costs a round trip.
let session = ''
// Of the main conversation, as of its last turn; an agent's own is not told.
let context: { tokens: number; window: number } | undefined
let home: string | undefined
// A turn of the main conversation is under way.
let isTurning = false
// The model was offered the code tools.
let isOffered: boolean | undefined
// What is drawn, as of the last turn; not made before a surface has asked.
let shown: { isAsked?: true; statusLine?: string | null; band?: string; status?: string; overview?: Overview } = {}

/** Registers the hooks. None stands on a `classic.*` event: on a managed machine those are skipped, and the model is told of each one. */
export const register: Register = (on, options) => {
  on('session.start', async ($, e, next) => {
    await beginTurn($, options)
    await offer($, options)
    // A turn can be long, and its end is late for a word on a full context.
    if ((await coreOf($, options)) !== null) $.clock.every(TICK_MS, () => void (isTurning && weigh($, options, 'tick')))
    return next(e)
  }).catch(($, e, next) => {
    record(hostOf($, options), 'SessionStart', 'crash', next.error.kind)
    return next(e)
  })

  // Before the command hooks of this prompt, one of which looks whether the sign was renewed for it (hooks/prompt.sh).
  on('prompt.submit', async ($, e, next) => {
    await hearPrompt($, options)
    const { model } = await weigh($, options, 'prompt')
    return next(model === undefined ? e : { ...e, context: [...(e.context ?? []), model] })
  }).catch(($, e, next) => {
    record(hostOf($, options), 'UserPromptSubmit', 'crash', next.error.kind)
    return next(e)
  })

  // Every turn of the main conversation: of a prompt, after /clear or /resume, and one that the client starts itself.
  on('turn.start', async ($, e, next) => {
    if (e.agentId === undefined) await beginTurn($, options, e.turnId)
    isTurning ||= e.agentId === undefined
    return next(e)
  }).catch(($, e, next) => {
    record(hostOf($, options), 'UserPromptSubmit', 'crash', next.error.kind)
    return next(e)
  })

  // After each turn of the main conversation, so that no call waits for the figure.
  on('session.measure', async ($, e, next) => {
    const { tokens, window } = e.context
    context = tokens === undefined ? undefined : { tokens, window }
    const result = await next(e)
    if (shown.isAsked) await show($, options, e.context, e.rateLimits)
    return result
  }).catch(($, e, next) => {
    record(hostOf($, options), 'SessionMeasure', 'crash', next.error.kind)
    return next(e)
  })

  // A Read that the client refuses for the size of its file does not come to the permission check.
  on('tool.call', { tool: 'Read' }, (_$, e, next) => {
    noteRead(e)
    return next(e)
  }).catch(($, e, next) => {
    record(hostOf($, options), 'PreToolUse', 'crash', next.error.kind)
    return next(e)
  })

  // Before the permission check: these tools only read, and ask themselves what a Read may show.
  on('tool.call', { tool: CODE_TOOLS }, async ($, e, next) => {
    if ((await coreOf($, options)) === null) return next(e)
    const host = hostOf($, options)
    return serveTool(reachOf($), e, session, ask => answer(host, ask as Ask, e.agentId), path => placed(host, path, e.agentId))
  }).catch(($, _e, next) => {
    record(hostOf($, options), 'PreToolUse', 'crash', next.error.kind)
    return { deny: 'this tool failed; the client\'s own tools do the same' }
  })

  const named = serversTools(options.mcp)
  if (named.length > 0) {
    on('tool.call', { tool: named }, async ($, e, next) => {
      const core = await coreOf($, options)
      if (core === null || core.isDead) return next(e)
      const input = argumentsOf(e)
      noteCall(e.tool_use_id, { tool: e.tool, input })
      const host = hostOf($, options)
      const call = { id: e.tool_use_id, tool: e.tool, input, session, agent: e.agentId ?? null, answers: true }
      const { done, effects } = await drive(core, { do: 'judge', call }, ask => answer(host, ask as Ask, e.agentId))
      carryOut(host, 'PreToolUse', effects as Effect[] | undefined)
      const result = await next(done.input === undefined ? e : { ...e, ...done.input })
      return done.text === undefined || result.deny !== undefined ? result : { ...result, context: [...(result.context ?? []), done.text] }
    }).catch(($, e, next) => {
      record(hostOf($, options), 'PreToolUse', 'crash', next.error.kind)
      return next(e)
    })
  }

  on('turn.complete', async ($, e, next) => {
    const result = await next(e)
    if (e.agentId !== undefined) return result
    isTurning = false
    await weigh($, options, 'stop')
    return result
  }).catch(($, e, next) => {
    record(hostOf($, options), 'Stop', 'crash', next.error.kind)
    return next(e)
  })

  // Some clients compact without this event, or ahead of time; then the next prompt sees it in the transcript.
  on('session.compact', async ($, e, next) => {
    if (e.agentId !== undefined || e.trigger === 'precompute') return next(e)
    const { skip } = await weigh($, options, 'compact', e.trigger)
    if (skip !== undefined) return { skip }
    const result = await next(e)
    if (result.skip === undefined) {
      await forgetShown(session)
      await weigh($, options, 'compacted')
    }
    return result
  }).catch(($, e, next) => {
    record(hostOf($, options), 'PreCompact', 'crash', next.error.kind)
    return next(e)
  })

  on('command.run', { command: PANE.id }, $ => look($, options)).catch(($, _e, next) => {
    record(hostOf($, options), 'Look', 'crash', next.error.kind)
    return { text: 'What this session weighs cannot be told; ~/.trimtab/errors.jsonl says why.', isTextDisplayOnly: true }
  })

  // The row above the prompt is this plugin's own. The status line, the terminal's alone, is the person's, and ours stands under it.
  on('ui.render', { component: ['AbovePrompt', 'Pane', 'StatusLine'] }, ($, e, next) => {
    if (e.component === 'Pane' && e.requestId !== PANE.id) return next(e)
    shown.isAsked = true
    if (e.component === 'Pane') return shown.overview ? paneOf($.ui.resolve(e), shown.overview.sections) : next(e)
    if (e.component === 'AbovePrompt') {
      if (!shown.band || e.props.hasSurvey || e.props.view.agentId || (e.surface === 'terminal' && showsLine(shown.statusLine, shown.band))) return next(e)
      return bandOf($.ui.resolve(e), shown.band)
    }
    const text = statusOf(e.props.text, shown.status, e.props.maxRows)
    if (showsLine(text, shown.band) !== showsLine(shown.statusLine, shown.band)) $.ui.invalidate('ui.render')
    shown.statusLine = text
    return text === e.props.text ? next(e) : next({ ...e, props: { ...e.props, text } })
  }).catch(($, e, next) => {
    record(hostOf($, options), 'Render', 'crash', next.error.kind)
    return next(e)
  })

  on('session.end', async ($, e, next) => {
    await weigh($, options, 'end')
    // What comes after /clear has no figures yet.
    if (shown.isAsked) $.ui.invalidate('ui.render')
    shown = {}
    return next(e)
  }).catch(($, e, next) => {
    record(hostOf($, options), 'SessionEnd', 'crash', next.error.kind)
    return next(e)
  })

  // A pattern, because not every client has each of them (Grep is gone from native builds).
  on('tool.check', { tool: /^(Bash|Edit|Glob|Grep|PowerShell|Read|Write)$/ }, async ($, e, next) => {
    const verdict = await next(e)
    // A refusal from beneath stands. Without an id nothing is about to run, and another plugin's call does not reach the model.
    if (verdict.decision === 'deny' || e.tool_use_id === undefined || next.origin.plugin !== 'engine') return verdict
    const core = await coreOf($, options)
    if (core === null) return verdict

    const host = hostOf($, options)
    const ofMain = e.agentId === undefined ? { context } : {}
    // Its result comes to the row below; what changes a file has none worth a word.
    if (e.tool !== 'Edit' && e.tool !== 'Write') noteCall(e.tool_use_id, { tool: e.tool, input: e.input })
    const call = { id: e.tool_use_id, tool: e.tool, input: e.input, session, agent: e.agentId ?? null, ...ofMain, answers: true }
    const { done, effects } = await drive(core, { do: 'judge', call }, (ask: object) => answer(host, ask as Ask, e.agentId))
    carryOut(host, 'PreToolUse', effects as Effect[] | undefined)
    if (core.isDead) await $.env.set('TRIMTAB_MOD', undefined)
    if (typeof done.text !== 'string') return verdict
    if (done.verdict === 'redirect') return { ...verdict, decision: 'deny', reason: done.text }
    if (done.verdict === 'advise') await tell($, done.text, e.agentId)
    return verdict
  }).catch(($, e, next) => {
    record(hostOf($, options), 'PreToolUse', 'crash', next.error.kind)
    // Replays what was settled beneath, or runs it for the first time: the call goes on as if this plugin were not there.
    return next(e)
  })

  // A result, before its row is stored: of agents too, and on managed machines. The client tests the pattern, and only large texts come here.
  // Servers give their text in a block.
  for (const content of named.length > 0 ? [LARGE, { text: LARGE }] : [LARGE]) {
    on('session.append', { door: 'tool-result', message: { content: { content } } }, async ($, e, next) => {
      const results = await resultsOf($, options, e.agentId)
      const made = results === null ? undefined : await smaller(results, e.message.content)
      return next(made === undefined ? e : { ...e, message: { ...e.message, content: made } })
    }).catch(($, e, next) => {
      record(hostOf($, options), 'PostToolUse', 'crash', next.error.kind)
      return next(e)
    })
  }
}

/** Lists the code tools where the configuration has them on. A client or an organisation that takes none leaves a record. */
async function offer($: EngineInterface, options: PluginOptions): Promise<void> {
  const core = await coreOf($, options)
  if (core === null || core.isDead) return
  const host = hostOf($, options)
  try {
    const { layers } = (await answer(host, { ask: 'config' })) as { layers: object[] }
    const { config } = core.step({ do: 'config', layers })
    if (config?.enabled !== true) return
    isOffered = false
    if (config.tools.enabled) isOffered = await offerTools(reachOf($), await $.session.root(), tool => $.tool.register(tool))
    await $.command.register({ name: PANE.id, description: 'What this session weighs, what was said and saved, what is on', immediate: true })
  } catch {
    record(host, 'SessionStart', 'tools-not-offered')
  }
}

/** Makes what is drawn anew, from the client's own figures and what was counted. */
async function show($: EngineInterface, options: PluginOptions, live: { tokens?: number; window: number }, limits: Limits): Promise<void> {
  const host = await weightOf($, options)
  if (host === null) return
  const [told, { config }] = await Promise.all([toldOf($, options, limits), host.config()])
  Object.assign(shown, await linesOf(host, config, live, told))
  if ((await $.ui.panes()).some(({ id }) => id === PANE.id)) shown.overview = await overviewOf(host, told)
  $.ui.invalidate('ui.render')
}

/** Opens the pane, or tells the same as text, which no request carries, where there is none. */
async function look($: EngineInterface, options: PluginOptions): Promise<CommandRunResult> {
  const host = await weightOf($, options)
  if (host === null) return { text: 'The command hooks do the work here; `npx trimtab doctor` says why.', isTextDisplayOnly: true }
  const { rateLimits } = await $.session.usage()
  shown.overview = await overviewOf(host, await toldOf($, options, rateLimits))
  // A pane would wait for a surface for ever.
  const { isPlaced } = (await $.session.surfaces()).length > 0 ? await $.ui.open(PANE) : { isPlaced: false }
  if (!isPlaced) return { text: shown.overview.text, isTextDisplayOnly: true }
  $.ui.invalidate('ui.render')
  return {}
}

/** What the transcript does not tell. */
async function toldOf($: EngineInterface, options: PluginOptions, limits: Limits): Promise<object> {
  const [core, memory] = await Promise.all([coreOf($, options), recall(hostOf($, options), session)])
  const rules = memory ? core?.step({ do: 'tally', state: memory.state }).rules : undefined
  return { rules, tools: isOffered, limits: limits.map(({ kind, percentUsed }) => ({ kind, percent: percentUsed })), route: 'the module' }
}

function coreOf($: EngineInterface, options: PluginOptions): Promise<Core | null> {
  return (starting ??= start($, options))
}

/** Who weighs the session; nobody where the command hooks do the work. */
async function weightOf($: EngineInterface, options: PluginOptions): Promise<WeightHost | null> {
  const core = await coreOf($, options)
  if (core === null || core.isDead) return null
  const host = hostOf($, options)
  return {
    home,
    pack: () => packOf(shelfOf($), 'weight'),
    config: async () => {
      const { layers } = (await answer(host, { ask: 'config' })) as { layers: { from: string }[] }
      return { config: core.step({ do: 'config', layers }).config, from: layers.map(({ from }) => from) }
    },
    record: (code, detail) => record(host, 'Weight', code, detail),
    transcript: async () => (await $.session.info()).transcriptPath,
    usage: async () => (await $.session.usage({ breakdown: 'summary' })).context,
    now: () => $.clock.now(),
    root: () => $.session.root(),
    size: async path => (await $.fs.stat(path)).size,
    read: (path, offset, length) => $.fs.read(path, { offset, length }),
    bytes: async (path, offset, length) => (await $.fs.read(path, { as: 'bytes', offset, length })).base64,
    exists: path => $.fs.exists(path),
    write: (path, text) => $.fs.write(path, text),
    run: (argv, how) => $.process.run(argv, how),
    log: text => $.ui.log(text),
    append: text => $.session.append({ message: { type: 'user', content: [{ type: 'text', text }] } }),
  }
}

/** What there is to say at a moment is said, but for the line for the model that goes along with a prompt. */
async function weigh($: EngineInterface, options: PluginOptions, moment: Moment, trigger?: string): Promise<Said> {
  const host = await weightOf($, options)
  if (host === null) return {}
  const said = await weightAt(host, moment, trigger)
  await say(host, moment === 'prompt' ? { person: said.person } : said)
  return said
}

/** Where packs.ts finds the packs; the path of the one that unpacks the others is spelled out because the client wants it so. */
function shelfOf($: EngineInterface): Shelf {
  return {
    read: async path => Uint8Array.fromBase64((await $.fs.read(`${$.plugin.root}/pkg/${path}`, { as: 'bytes' })).base64),
    compile: bytes => $.wasm.compile(bytes),
    inflate: () => $.wasm.compile('../pkg/packs/inflate.wasm'),
  }
}

/** Compiles and checks the core. A core that cannot be trusted is no core, and leaves a record. */
async function start($: EngineInterface, options: PluginOptions): Promise<Core | null> {
  let step = 'environment'
  try {
    const [noMod, hooks] = await Promise.all([$.env.get('TRIMTAB_NO_MOD'), $.env.get('TRIMTAB_HOOKS')])
    if (noMod === '1' || hooks === 'off') return null
    home = homeOf({ HOME: await $.env.get('HOME'), USERPROFILE: await $.env.get('USERPROFILE') })
    session = await $.session.id()
    step = 'compile'
    const module = await $.wasm.compile('../pkg/trimtab_bg.wasm')
    step = 'self-check'
    const core = createCore(module)
    core.selfCheck()
    return core
  } catch (error) {
    // An older client lacks `$.wasm`, which is no fault of anyone.
    if (step === 'compile' && error instanceof TypeError) $.ui.log('no wasm in this client', { to: 'debug' })
    else record(hostOf($, options), 'SessionStart', 'core-broken', step)
    // Said by this module before its worker died, or by that of the client in whose shell this one was started.
    await $.env.set('TRIMTAB_MOD', undefined)
    return null
  }
}

/** Renews the sign that this module lives, for the prompt that is about to be handed to the command hooks. */
async function hearPrompt($: EngineInterface, options: PluginOptions): Promise<void> {
  const core = await coreOf($, options)
  if (core === null || core.isDead) return
  const prompt = await promptOf($)
  if (prompt !== undefined) await $.env.set('TRIMTAB_MOD_TURN', prompt)
}

/**
 * Has the configuration read again and takes the session over.
 * @param turnId left out at the start of a session, when there is no turn
 */
async function beginTurn($: EngineInterface, options: PluginOptions, turnId?: string): Promise<void> {
  const core = await coreOf($, options)
  if (core === null || core.isDead) return
  forgetReadable()
  carryOut(hostOf($, options), 'UserPromptSubmit', core.step({ do: 'refresh' }).effects as Effect[] | undefined)
  const [id, prompt] = await Promise.all([$.session.id(), promptOf($)])
  if (id !== session) context = undefined
  session = id
  // A session's id is no prompt's: a module that dies before the first prompt is missed at it. The colon says that no prompt can be compared.
  await takeOver($, prompt ?? (turnId === undefined ? session : `turn:${turnId}`))
}

/** The `prompt_id` of the command hooks' payloads. */
async function promptOf($: EngineInterface): Promise<string | undefined> {
  return (await $.session.info().catch(() => undefined))?.promptId
}

/** Tells the command hooks, through their environment, that this session's calls are judged here. */
async function takeOver($: EngineInterface, turn: string): Promise<void> {
  const served = ((await $.env.get('TRIMTAB_MOD_SESSION')) ?? '').split(',').filter(id => id !== '' && id !== session)
  await $.env.set('TRIMTAB_MOD_SESSION', [...served, session].slice(-MAX_SESSIONS).join(','))
  await $.env.set('TRIMTAB_MOD_TURN', turn)
  await $.env.set('TRIMTAB_MOD', ACTIONS)
}

/** Puts advice beside the results of this turn, as a note that names the plugin. */
async function tell($: EngineInterface, text: string, agentId: string | undefined): Promise<void> {
  const message = { type: 'user' as const, content: [{ type: 'text' as const, text }] }
  await $.session.append(agentId === undefined ? { message } : { message, agentId })
}

/** What results.ts may do, and nothing more. */
async function resultsOf($: EngineInterface, options: PluginOptions, agent: string | undefined): Promise<Results | null> {
  const core = await coreOf($, options)
  if (core === null || core.isDead) return null
  const host = hostOf($, options)
  return {
    core,
    reach: reachOf($),
    session,
    agent,
    context: agent === undefined ? { context } : {},
    answer: ask => answer(host, ask as Ask, agent),
    placed: path => placed(host, path, agent),
    root: () => $.session.root(),
    keep: async (name, text) => {
      const { scratchpadDir } = await $.session.info()
      const folder = scratchpadDir ?? (home === undefined ? undefined : `${home}/.trimtab/scratch/${session}`)
      if (folder === undefined) throw new Error('no folder to keep it in')
      // The core knows the folder's name again.
      const path = `${folder}/trimtab-results/${name}`
      await $.fs.write(path, text)
      return path
    },
    carryOut: effects => carryOut(host, 'PostToolUse', effects as Effect[] | undefined),
  }
}

/** What host.ts may do, and nothing more; the names of variables are spelled out because the client wants them so. */
function hostOf($: EngineInterface, options: PluginOptions): Host {
  return {
    options,
    home,
    cwd: () => $.session.cwd(),
    root: () => $.session.root(),
    agents: () => $.agent.list(),
    stat: path => $.fs.stat(path, { resolve: true }),
    read: (path, offset, length) => $.fs.read(path, { offset, length }),
    variables: async () => ({
      TRIMTAB_MODE: await $.env.get('TRIMTAB_MODE'),
      TRIMTAB_HOOKS: await $.env.get('TRIMTAB_HOOKS'),
      TRIMTAB_BYPASS: await $.env.get('TRIMTAB_BYPASS'),
    }),
    script: async (language, text) => scriptOf(await packOf(shelfOf($), language), text),
    spawn: (argv, cwd, env) => $.process.spawn({ argv, cwd, env }),
    after: (ms, ring) => $.clock.after(ms, ring),
    debug: line => $.ui.log(line, { to: 'debug' }),
    run: (argv, stdin) => $.process.run(argv, { timeoutMs: 2_000, ...(stdin === undefined ? {} : { stdin }) }),
    write: (path, text) => $.fs.write(path, text),
    kept: () => $.store.get('errors'),
    keep: rows => $.store.set('errors', [...rows]),
    held: async session => (await $.state.get({ plugin: 'trimtab', key: 'memory', id: session })).value,
    hold: async (session, text) => $.state.set({ plugin: 'trimtab', key: 'memory', id: session }, text),
  }
}

/** What the code tools may do, and nothing more. */
function reachOf($: EngineInterface): Reach {
  return {
    pack: name => packOf(shelfOf($), name),
    stat: path => $.fs.stat(path),
    read: (path, offset, length) => $.fs.read(path, { offset, length }),
    list: path => $.fs.list(path),
    run: (argv, cwd, env, timeoutMs) => $.process.run(argv, { cwd, env, timeoutMs }),
    check: path => $.tool.check({ tool: 'Read', input: { file_path: path } }),
  }
}
