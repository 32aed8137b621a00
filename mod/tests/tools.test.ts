import { describe, expect, test, type Engine } from 'claude-code/testing'
import { TOOLS } from '../tools'
import { sourceOf, worldOf } from './fixtures/world'

const PROJECT = { files: { '/repo/src/a.ts': sourceOf(20), '/repo/README.md': 'Prose.\n' } }
const NAMES = TOOLS.map(({ name }) => name)

describe('tools', () => {
  test('are offered in a project with a language that is known', async ($, on) => {
    const world = worldOf(on, PROJECT)
    await begin($)

    expect(world.offered).toEqual(NAMES)
    expect(world.records).toEqual([])
  })

  test('are not offered in a project of prose', async ($, on) => {
    const world = worldOf(on, { files: { '/repo/README.md': 'Prose.\n' } })
    await begin($)

    expect(world.offered).toEqual([])
    expect(world.records).toEqual([])
  })

  test('are not offered where the configuration says so, or everything is off', async ($, on) => {
    const world = worldOf(on, { files: { ...PROJECT.files, '/repo/.trimtab.json': '{"tools": {"enabled": false}}' } })
    await begin($)

    expect(world.offered).toEqual([])
  })

  test('leave a record where the client does not take them, and calls are judged all the same', async ($, on) => {
    const world = worldOf(on, { files: { '/repo/src/big.ts': sourceOf(600) }, refused: ['tool.register'] })
    await begin($)

    expect(world.records.map(({ code }) => code)).toEqual(['tools-not-offered'])
    const { decision } = await $.tool.check({ tool: 'Bash', input: { command: 'cat src/big.ts' }, tool_use_id: 'b1' })
    expect(decision).toBe('deny')
  })

  test('say that they failed where their pack cannot be loaded, with a record', async ($, on) => {
    const world = worldOf(on, PROJECT)
    await begin($)

    const answered = await $.tool.call({ tool: 'mcp__trimtab__find', name: 'a' })
    expect(answered.deny).toBe("this tool failed; the client's own tools do the same")
    expect(world.records.map(({ code }) => code)).toEqual(['crash'])
  })
})

async function begin($: Engine): Promise<void> {
  await $.session.start({ cwd: '/repo', surface: null, isInteractive: false })
}
