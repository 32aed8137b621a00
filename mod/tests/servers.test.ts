import { describe, expect, test, type Engine } from 'claude-code/testing'
import { sourceOf, worldOf } from './fixtures/world'

const READ = 'mcp__codes__smart_read'
const LOG = 'mcp__codes__smart_log'
const NAMED = { options: { mcp: `${READ}, ${LOG}` } }
const CHECKOUTS = { files: { '/repo/.git/HEAD': 'ref', '/repo/wt/f/.git': 'gitdir: x', '/repo/wt/f/src/a.ts': sourceOf(20) } }

describe('tools of other servers', () => {
  test('that are named are called with the paths of the checkout that the session works in, and every other field', NAMED, async ($, on) => {
    worldOf(on, { ...CHECKOUTS, cwd: '/repo/wt/f' })
    const called: object[] = []
    on('tool.call', (_, e) => {
      called.push(e)
      return { result: 'done', context: ['from the server'] }
    })
    await begin($)

    const input = { path: 'src/a.ts', more: { deep: [1] } }
    expect(await $.tool.call({ tool: READ, ...input })).toMatchObject({ result: 'done', context: ['from the server'] })
    expect(called[0]).toMatchObject({ ...input, path: '/repo/wt/f/src/a.ts' })

    const { context = [] } = await $.tool.call({ tool: LOG, path: 'src/a.ts' })
    expect(context[0]).toBe('from the server')
    expect(context[1]).toContain('answers from `/repo`')
    expect(await $.tool.call({ tool: LOG, path: 'src/a.ts' })).toMatchObject({ context: ['from the server'] })
  })

  test('that an agent calls are called with the paths of its own worktree', NAMED, async ($, on) => {
    worldOf(on, { files: { '/repo/.git/HEAD': 'ref', '/beside/.git': 'gitdir: x', '/beside/src/a.ts': 'x' }, agents: [{ id: 'a1', cwd: '/beside' }] })
    const called: object[] = []
    on('tool.call', (_, e) => {
      called.push(e)
      return { result: 'done' }
    })
    await begin($)

    await $.tool.call({ tool: READ, path: 'src/a.ts', agentId: 'a1' })
    await $.tool.call({ tool: READ, path: 'src/a.ts' })
    expect(called.map(e => (e as { path?: string }).path)).toEqual(['/beside/src/a.ts', 'src/a.ts'])
  })

  test('that are refused or fail beneath stay refused and failed', NAMED, async ($, on) => {
    worldOf(on, { ...CHECKOUTS, cwd: '/repo/wt/f' })
    on('tool.call', () => ({ deny: 'not here' }))
    await begin($)

    expect(await $.tool.call({ tool: LOG, path: 'src/a.ts' })).toMatchObject({ deny: 'not here' })
  })

  for (const [title, mcp] of [['none is named', ''], ['names that are none are named', 'Bash, codes, mcp__codes, mcp__trimtab__find']] as const) {
    test(`are not looked at where ${title}`, { options: { mcp } }, async ($, on) => {
      const world = worldOf(on, { ...CHECKOUTS, cwd: '/repo/wt/f' })
      on('tool.call', () => ({ result: 'done' }))
      await begin($)
      world.forget()

      await $.tool.call({ tool: READ, path: 'src/a.ts' })
      expect(world.calls).toEqual([])
    })
  }
})

async function begin($: Engine): Promise<void> {
  await $.session.start({ cwd: '/repo', surface: null, isInteractive: false })
  await $.turn.start({ text: 'go on', turnId: 't1' })
}
