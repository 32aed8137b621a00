// What a person sees of the module, on each surface: the band, the row of the status line, the pane, and the same as text.

import type { On } from 'claude-code'
import { describe, expect, test, type Engine } from 'claude-code/testing'
import { packSaying } from './fixtures/packs'
import { worldOf, type World } from './fixtures/world'

// Each starts the core, and a surface takes its time on a busy machine.
const SLOW = { timeoutMs: 30_000 }
const SURFACES = ['terminal', 'desktop', 'vscode', 'mobile'] as const
const LINE = 'trimtab · context 171k of 200k (86 %) · saved about 12k'
const OVERVIEW = {
  sections: [
    { title: null, lines: ['This session is heavy.', '9 turns, 0 compactions.'] },
    { title: 'Results in it, by tool', lines: ['Read   12×   45k  27 % ████', 'Bash    3×    9k   5 % █'] },
  ],
  text: 'the same as text',
}
const SITE = { scroll: { offset: 0, bodyRows: 20 }, view: {} }
const BAND = { plugin: 'trimtab', component: 'AbovePrompt', props: { ...SITE, hasSurvey: false, isCollapsed: false, isWorking: false, maxRows: 10, bodyColumns: 100 } } as const
const PANE = { plugin: 'trimtab', component: 'Pane', requestId: 'trimtab', props: { ...SITE, title: 'trimtab', isFocused: true, bodyColumns: 50, placement: 'dock' } } as const
const STATUS = { plugin: 'trimtab', component: 'StatusLine', surface: 'terminal', props: { text: 'mine' as string | null, isManaged: false, isWorking: false, maxRows: 5, columns: 100 } } as const

describe('ui', () => {
  test('the band is there after a turn, dim, on every surface, and not before', SLOW, async ($, on) => {
    await begin($, on)
    for (const surface of SURFACES) {
      const ui = await $.ui.mount({ ...BAND, surface })
      expect(await ui.find({ type: 'Text', text: /trimtab/ }), surface).toBeUndefined()
      await ui.unmount()
    }
    await measure($)
    for (const surface of SURFACES) {
      const ui = await $.ui.mount({ ...BAND, surface })
      const row = await ui.find({ type: 'Text', text: /trimtab/ })
      expect([row?.text, row?.props.dimColor], surface).toEqual([LINE, true])
      await ui.unmount()
    }
  })

  test('a band that is on screen is drawn anew after each turn, and nothing is made where no surface has asked', SLOW, async ($, on) => {
    const world = await begin($, on)
    await measure($)
    expect(world.calls.filter(name => name === 'ui.invalidate')).toEqual([])
    const ui = await $.ui.mount({ ...BAND, surface: 'desktop' })
    await measure($)
    expect(world.calls.filter(name => name === 'ui.invalidate')).toEqual(['ui.invalidate'])
    await ui.unmount()
  })

  test('the band stays out of a survey, of an agent\'s transcript, and after the session was cleared', SLOW, async ($, on) => {
    await begin($, on)
    await (await $.ui.mount({ ...BAND, surface: 'terminal' })).unmount()
    await measure($)
    for (const more of [{ hasSurvey: true }, { view: { agentId: 'a1' } }]) {
      const ui = await $.ui.mount({ ...BAND, surface: 'terminal', props: { ...BAND.props, ...more } })
      expect(await ui.find({ type: 'Text', text: /trimtab/ }), JSON.stringify(more)).toBeUndefined()
      await ui.unmount()
    }
    await $.session.end({ reason: 'clear', sessionId: 's1', resume: { id: 's1' } })
    const ui = await $.ui.mount({ ...BAND, surface: 'terminal' })
    expect(await ui.find({ type: 'Text', text: /trimtab/ })).toBeUndefined()
    await ui.unmount()
  })

  test('where no figure is known nothing is drawn', SLOW, async ($, on) => {
    await begin($, on, { band: null, status: null })
    await (await $.ui.mount({ ...BAND, surface: 'terminal' })).unmount()
    await measure($)
    for (const surface of SURFACES) {
      const ui = await $.ui.mount({ ...BAND, surface })
      expect(await ui.find({ type: 'Text', text: /trimtab/ }), surface).toBeUndefined()
      await ui.unmount()
    }
    const pane = await $.ui.mount({ ...PANE, surface: 'desktop' })
    expect(await pane.find({ type: 'Text', text: /Results/ })).toBeUndefined()
    await pane.unmount()
  })

  test('a status line that shows ours keeps the band out of the terminal, and of no other surface', SLOW, async ($, on) => {
    await begin($, on)
    const status = await $.ui.mount({ ...STATUS, props: { ...STATUS.props, text: `mine | ${LINE}` } })
    await measure($)
    expect((await status.find({ type: 'Text' }))?.text).toBe(`mine | ${LINE}`)
    for (const [surface, isThere] of [['terminal', false], ['desktop', true], ['vscode', true]] as const) {
      const ui = await $.ui.mount({ ...BAND, surface })
      expect((await ui.find({ type: 'Text', text: /trimtab/ })) !== undefined, surface).toBe(isThere)
      await ui.unmount()
    }
    await status.unmount()
  })

  test('a status line of the person\'s own stays as it is, and the band is there', SLOW, async ($, on) => {
    await begin($, on)
    const status = await $.ui.mount({ ...STATUS, props: { ...STATUS.props, text: 'in /repo/trimtab: 42 %' } })
    await measure($)
    expect((await status.find({ type: 'Text' }))?.text).toBe('in /repo/trimtab: 42 %')
    const band = await $.ui.mount({ ...BAND, surface: 'terminal' })
    expect((await band.find({ type: 'Text', text: /trimtab/ }))?.text).toBe(LINE)
    await band.unmount()
    await status.unmount()
  })

  for (const [text, expected] of [['mine', `mine\n${LINE}`], [null, LINE], [`mine | ${LINE}`, `mine | ${LINE}`]] as const) {
    test(`with \`ui.status\` our row stands under the person's, once only: ${JSON.stringify(text)}`, SLOW, async ($, on) => {
      await begin($, on, { band: LINE, status: LINE })
      await (await $.ui.mount(STATUS)).unmount()
      await measure($)
      const status = await $.ui.mount({ ...STATUS, props: { ...STATUS.props, text } })
      expect((await status.find({ type: 'Text' }))?.text).toBe(expected)
      const band = await $.ui.mount({ ...BAND, surface: 'terminal' })
      expect(await band.find({ type: 'Text', text: /trimtab/ })).toBeUndefined()
      await band.unmount()
      await status.unmount()
    })
  }

  for (const maxRows of [0, 1, 2]) {
    test(`a row of the person's that would be cut for ours stays, and the band comes: ${maxRows} of 3 rows`, SLOW, async ($, on) => {
      await begin($, on, { band: LINE, status: LINE })
      await (await $.ui.mount(STATUS)).unmount()
      await measure($)
      const status = await $.ui.mount({ ...STATUS, props: { ...STATUS.props, text: 'mine\nand more', maxRows } })
      expect((await status.find({ type: 'Text' }))?.text).toBe('mine\nand more')
      const band = await $.ui.mount({ ...BAND, surface: 'terminal' })
      expect((await band.find({ type: 'Text', text: /trimtab/ }))?.text).toBe(LINE)
      await band.unmount()
      await status.unmount()
    })
  }

  test('/trimtab opens the pane, which shows every row, on every surface that has one', SLOW, async ($, on) => {
    const world = await begin($, on)
    for (const surface of ['terminal', 'desktop', 'vscode'] as const) {
      world.surfaces = [surface]
      expect(await look($)).toEqual({})
      const ui = await $.ui.mount({ ...PANE, surface })
      const texts = (await ui.findAll({ type: 'Text' })).map(({ text }) => text)
      expect(texts, surface).toEqual(OVERVIEW.sections.flatMap(({ title, lines }) => [...(title === null ? [] : [title]), ...lines]))
      const table = await ui.find({ type: 'Text', text: /Bash/ })
      expect([table?.props.mono, table?.props.wrap], surface).toEqual([true, 'truncate-end'])
      await ui.unmount()
    }
    expect(world.opened).toEqual(Array(3).fill(expect.objectContaining({ id: 'trimtab', focus: true, closeOnEscape: true })))
  })

  test('/trimtab is text for the person alone where there is no surface, or none that places panes', SLOW, async ($, on) => {
    const world = await begin($, on)
    expect(await look($)).toEqual({ text: 'the same as text', isTextDisplayOnly: true })
    expect(world.opened).toEqual([])
    world.surfaces = ['mobile']
    world.isPlaced = false
    expect(await look($)).toEqual({ text: 'the same as text', isTextDisplayOnly: true })
    expect(world.opened.length).toBe(1)
  })

  test('an open pane is read anew after a turn, one that was closed is not', SLOW, async ($, on) => {
    const world = await begin($, on)
    world.surfaces = ['terminal']
    await look($)
    await (await $.ui.mount({ ...BAND, surface: 'terminal' })).unmount()
    for (const panes of [[], [{ id: 'trimtab', title: 'trimtab', isShown: true, isPlaced: true }]]) {
      world.panes = panes
      world.calls.splice(0)
      await measure($)
      expect(world.calls.filter(name => name === 'session.usage').length, JSON.stringify(panes)).toBe(panes.length)
    }
  })

  test('a pack that cannot be loaded leaves a record, and words of its own for the command', SLOW, async ($, on) => {
    const world = await begin($, on, null)
    await (await $.ui.mount({ ...BAND, surface: 'terminal' })).unmount()
    await measure($)
    expect(await look($)).toEqual({ text: 'What this session weighs cannot be told; ~/.trimtab/errors.jsonl says why.', isTextDisplayOnly: true })
    expect(world.records.map(({ code, detail }) => `${code} ${detail}`)).toEqual(['crash throw', 'crash throw'])
    const ui = await $.ui.mount({ ...BAND, surface: 'terminal' })
    expect(await ui.find({ type: 'Text', text: /trimtab/ })).toBeUndefined()
    await ui.unmount()
  })

  test('where the command hooks do the work the command says so', SLOW, async ($, on) => {
    await begin($, on, undefined, { TRIMTAB_NO_MOD: '1' })
    expect((await look($)).text).toContain('command hooks')
  })
})

type Seen = World & { surfaces: string[]; panes: object[]; opened: object[]; isPlaced: boolean }

/** A session with a pack that says this of it. */
async function begin($: Engine, on: On, lines: object | null = { band: LINE, status: null }, env: Record<string, string> = {}): Promise<Seen> {
  const packs: Record<string, string> = lines === null ? {} : { weight: packSaying({ v: 1, done: { verdict: 'pass', ...lines, overview: OVERVIEW } }) }
  const answers = { usage: () => ({ value: { startedAt: 0, context: { window: 200_000 }, rateLimits: [] } }) }
  const seen = Object.assign(worldOf(on, { packs, env, ...answers }), { surfaces: [], panes: [], opened: [], isPlaced: true }) as Seen
  on('session.surfaces', () => ({ value: seen.surfaces as never }))
  on('ui.panes', () => ({ value: seen.panes as never }))
  on('ui.open', (_, e) => {
    seen.opened.push(e)
    return { value: seen.isPlaced ? { isPlaced: true } : { isPlaced: false, reason: 'no room' } }
  })
  on('ui.invalidate', () => {
    seen.calls.push('ui.invalidate')
    return { value: undefined as never }
  })
  on('command.run', () => ({ text: 'nobody answers' }))
  on('session.end', (_, e) => e as never)
  on('ui.render', { component: 'StatusLine' }, ($, e) => {
    const { Text } = $.ui.resolve(e)
    return Text({ children: [e.props.text ?? ''] })
  })
  await $.session.start({ cwd: '/repo', surface: null, isInteractive: false })
  await $.turn.start({ text: 'go on', turnId: 't1' })
  return seen
}

/** A turn has ended. */
async function measure($: Engine): Promise<void> {
  await $.session.measure({ context: { tokens: 171_000, window: 200_000, percent: 86 }, rateLimits: [], changed: ['context'] })
}

async function look($: Engine) {
  return $.command.run({ command: 'trimtab', args: '', origin: { kind: 'composer' }, presentation: { isFullscreen: true, columns: 160 } })
}
