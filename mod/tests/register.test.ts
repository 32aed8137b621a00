import { describe, expect, test, type Engine } from 'claude-code/testing'
import { EMPTY_CORE, NO_CORE, TRAPPING_CORE } from './fixtures/cores'
import { PACKED_PACK } from './fixtures/packs'
import { sourceOf, worldOf, type WorldOptions } from './fixtures/world'

const BIG = { files: { '/repo/src/big.ts': sourceOf(600), '/repo/src/small.ts': sourceOf(20) } }

describe('register', () => {
  test('a whole read of a large file is refused with a way on', async ($, on) => {
    worldOf(on, BIG)
    await begin($)

    const byBash = await check($, 'cat src/big.ts')
    expect(byBash.decision).toBe('deny')
    expect(byBash.reason).toContain('big.ts')
    expect(byBash.reason).toContain('sed -n')

    const byRead = await $.tool.check({ tool: 'Read', input: { file_path: '/repo/src/big.ts' }, tool_use_id: 'r1', agentId: 'a1' })
    expect(byRead.decision).toBe('deny')
    expect(byRead.reason).toContain('offset')
  })

  test('a small file passes, and nothing is logged or started', async ($, on) => {
    const world = worldOf(on, BIG)
    await begin($)
    world.forget()

    expect(await check($, 'cat src/small.ts')).toEqual({ decision: 'allow' })
    expect(world.calls.filter(name => !['session.cwd', 'session.root', 'fs.stat', 'fs.read', 'env.get', 'state.get'].includes(name))).toEqual([])
    expect(world.notes()).toEqual([])
  })

  test('a verdict that needs no fact makes no call on the host', async ($, on) => {
    const world = worldOf(on, BIG)
    await begin($)
    world.forget()

    for (const command of ['cargo build', 'git commit -m "cat src/big.ts"', 'echo done']) {
      expect(await check($, command), command).toEqual({ decision: 'allow' })
    }
    expect(world.calls).toEqual([])
  })

  test('PowerShell is refused in its own words, by a pack that is compiled at the first text that needs it', async ($, on) => {
    let compiled = 0
    on('wasm.compile', (_, e, next) => {
      compiled += 1
      return next(e)
    })
    worldOf(on, { ...BIG, packs: { powershell: PACKED_PACK } })
    await begin($)
    await check($, 'cat src/small.ts')
    expect(await inPowerShell($, 'Get-Date')).toEqual({ decision: 'allow' })
    expect(compiled).toBe(1)

    const refused = await inPowerShell($, 'Get-Content src\\big.ts')
    expect(refused.decision).toBe('deny')
    expect(refused.reason).toContain('Get-Content src/big.ts -TotalCount 120')
    expect((await check($, "pwsh -c 'gc src/big.ts'", 'a1')).decision).toBe('deny')
    // The core, the pack that unpacks, and the one that was packed.
    expect(compiled).toBe(3)
  })

  test('calls side by side are told apart', async ($, on) => {
    worldOf(on, BIG)
    await begin($)

    const [big, small, none] = await Promise.all([check($, 'cat src/big.ts'), check($, 'cat src/small.ts'), check($, 'echo done')])
    expect(big.decision).toBe('deny')
    expect([small, none]).toEqual([{ decision: 'allow' }, { decision: 'allow' }])
  })

  test('the call that comes again passes, and an agent has a memory of its own', async ($, on) => {
    worldOf(on, BIG)
    await begin($)

    expect((await check($, 'cat src/big.ts')).decision).toBe('deny')
    expect((await check($, 'cat src/big.ts')).decision).toBe('allow')
    expect((await check($, 'cat src/big.ts', 'a1')).decision).toBe('deny')
    expect((await check($, 'cat src/big.ts', 'a1')).decision).toBe('allow')
  })

  test('a refusal from beneath stays as it is, and the core is not asked', async ($, on) => {
    const verdict = { decision: 'deny', reason: 'not here', rule: 'Bash(cat *)' } as const
    const world = worldOf(on, { ...BIG, verdict })
    await begin($)
    world.forget()

    expect(await check($, 'cat src/big.ts')).toEqual(verdict)
    expect(world.calls).toEqual([])
  })

  test('no path turns a question into an allowance', async ($, on) => {
    const verdict = { decision: 'ask', reason: 'needs approval' } as const
    worldOf(on, { ...BIG, verdict })
    await begin($)

    expect((await check($, 'cat src/big.ts')).decision).toBe('deny')
    for (const command of ['cat src/big.ts', 'cat src/small.ts', 'echo done', 'rm -rf src', '', 'for x in', '\ud800 cat src/big.ts']) {
      expect(await check($, command), command).toEqual(verdict)
    }
    for (const input of [{}, { command: 7 }, null, 'cat src/big.ts', []]) {
      expect(await $.tool.check({ tool: 'Bash', input, tool_use_id: 'odd' }), JSON.stringify(input)).toEqual(verdict)
    }
  })

  test('a question about a call that nobody makes is not judged', async ($, on) => {
    worldOf(on, BIG)
    await begin($)

    expect(await $.tool.check({ tool: 'Bash', input: { command: 'cat src/big.ts' } })).toEqual({ decision: 'allow' })
  })

  for (const refused of [['fs.stat'], ['fs.read'], ['session.cwd', 'session.root'], ['fs.stat', 'fs.read', 'session.cwd', 'session.root', 'session.info']]) {
    test(`a host that does not answer ${refused.join(', ')} lets the call pass`, async ($, on) => {
      worldOf(on, { ...BIG, refused })
      await begin($)

      expect(await check($, 'cat src/big.ts')).toEqual({ decision: 'allow' })
    })
  }

  test('advice is a note beside the result, and no permission decision', async ($, on) => {
    const world = worldOf(on, { ...BIG, env: { TRIMTAB_MODE: 'advise' }, verdict: { decision: 'ask' } })
    await begin($)

    expect(await check($, 'cat src/big.ts', 'a1')).toEqual({ decision: 'ask' })
    expect(world.notes().length).toBe(1)
    expect(world.notes()[0]?.text).toContain('big.ts')
    expect(world.notes()[0]?.agentId).toBe('a1')
  })
})

describe('the context', () => {
  test('as it fills up, smaller files are large, but not for an agent, whose own is not known', async ($, on) => {
    worldOf(on, { files: { '/repo/src/big.ts': sourceOf(250), '/repo/src/next.ts': sourceOf(250) } })
    await begin($)

    expect(await check($, 'cat src/big.ts')).toEqual({ decision: 'allow' })
    await $.session.measure({ context: { tokens: 170_000, window: 200_000, percent: 85 }, rateLimits: [], changed: ['context'] })
    expect((await check($, 'cat src/big.ts')).decision).toBe('deny')
    expect(await check($, 'cat src/big.ts', 'a1')).toEqual({ decision: 'allow' })
  })
})

describe('the memory', () => {
  const session = 'b83c0922-48d1-4169-a61e-3688b33797b6'

  test('what was refused is in the file of the command hooks, and of what they refused the module knows', async ($, on) => {
    const world = worldOf(on, BIG)
    world.session.id = session
    await begin($)
    expect((await check($, 'cat src/big.ts')).decision).toBe('deny')
    await settled()
    const [[file, text] = ['', '']] = world.saved
    expect(file).toBe(`${session}.json`)

    // The same memory under another session, as if that one had been another client's.
    const other = session.replace('b83c', 'aaaa')
    world.saved.set(`${other}.json`, text)
    Object.assign(world.session, { id: other, promptId: 'p2' })
    await $.turn.start({ text: 'more', turnId: 't2' })
    expect((await check($, 'cat src/big.ts')).decision).toBe('allow')
    expect(world.records).toEqual([])
  })

  test('a memory of another version, or a damaged one, is an empty one', async ($, on) => {
    const world = worldOf(on, BIG)
    for (const [n, text] of ['{"form":99,"agents":{}}', '{', ''].entries()) {
      const id = session.replace('b83c', `${n}${n}${n}${n}`)
      world.saved.set(`${id}.json`, text)
      Object.assign(world.session, { id, promptId: `p${n}` })
      await begin($)
      expect((await check($, 'cat src/big.ts')).decision, text).toBe('deny')
      expect((await check($, 'cat src/big.ts')).decision, text).toBe('allow')
    }
    expect(world.records).toEqual([])
  })

  test('without a memory that can be read there is advice once, until the next prompt, and one record', async ($, on) => {
    const world = worldOf(on, { ...BIG, unreadable: ['/.trimtab/sessions/'] })
    world.session.id = session
    await begin($)

    for (let again = 0; again < 2; again += 1) expect(await check($, 'cat src/big.ts')).toEqual({ decision: 'allow' })
    await settled()
    expect(world.notes().length).toBe(1)
    expect(world.records.map(row => row.code)).toEqual(['no-memory'])
    expect(world.saved.size).toBe(0)
  })
})

describe('the option', () => {
  test('a mode that the person set counts', { options: { mode: 'off' } }, async ($, on) => {
    worldOf(on, BIG)
    await begin($)

    expect(await check($, 'cat src/big.ts')).toEqual({ decision: 'allow' })
  })

  test('a mode that nobody set hides no file', async ($, on) => {
    worldOf(on, { files: { ...BIG.files, '/home/me/.trimtab/config.json': '{"mode":"off"}' } })
    await begin($)

    expect(await check($, 'cat src/big.ts')).toEqual({ decision: 'allow' })
  })
})

describe('the handshake', () => {
  test('it is set after the self-check, and keeps the sessions that are there', async ($, on) => {
    const world = worldOf(on, { env: { TRIMTAB_MOD_SESSION: 'a,b,c,d,e,f,g,h' } })
    await begin($)

    expect(world.env).toEqual({
      HOME: '/home/me',
      TRIMTAB_MOD: 'PreToolUse:Bash,PreToolUse:Grep,PreToolUse:PowerShell,PreToolUse:Read',
      TRIMTAB_MOD_SESSION: 'b,c,d,e,f,g,h,s1',
      TRIMTAB_MOD_TURN: 'p1',
    })
  })

  test('each prompt renews the turn and has the configuration read again; /clear adds a session', async ($, on) => {
    const world = worldOf(on, BIG)
    await begin($)
    await check($, 'cat src/small.ts')
    world.forget()
    await check($, 'cat src/small.ts')
    expect(world.calls.includes('env.get')).toBe(false)

    Object.assign(world.session, { id: 's2', promptId: 'p2' })
    await $.turn.start({ text: 'more', turnId: 't2' })
    expect(world.env.TRIMTAB_MOD_TURN).toBe('p2')
    expect(world.env.TRIMTAB_MOD_SESSION).toBe('s1,s2')
    world.forget()
    await check($, 'cat src/small.ts')
    expect(world.calls.includes('env.get')).toBe(true)
  })

  test('a host that does not tell the prompt gets the turn of the engine, in a form that names no prompt', async ($, on) => {
    const world = worldOf(on, { refused: ['session.info'] })
    await begin($)
    expect(world.env.TRIMTAB_MOD_TURN).toBe('turn:t1')

    await submit($)
    expect(world.env.TRIMTAB_MOD_TURN).toBe('turn:t1')
  })

  test('a prompt renews the sign before anything beneath hears of it, and makes no other change', async ($, on) => {
    const world = worldOf(on)
    await begin($)
    const before = { ...world.env }
    world.session.promptId = 'p2'
    world.forget()

    await submit($)
    expect(world.env).toEqual({ ...before, TRIMTAB_MOD_TURN: 'p2' })
    expect(world.calls).toEqual(['session.info', 'env.set', 'prompt.submit'])
  })

  test('before the first prompt the sign is the session, which no prompt equals', async ($, on) => {
    const world = worldOf(on, { refused: ['session.info'] })
    await $.session.start({ cwd: '/repo', surface: null, isInteractive: false })

    expect(world.env.TRIMTAB_MOD_TURN).toBe('s1')
  })

  test("an agent's turn renews nothing", async ($, on) => {
    const world = worldOf(on)
    await begin($)
    world.forget()

    await $.turn.start({ text: 'task', turnId: 't2', agentId: 'a1' })
    expect(world.calls).toEqual([])
  })

  const switchedOff: WorldOptions['env'][] = [{ TRIMTAB_NO_MOD: '1' }, { TRIMTAB_HOOKS: 'off' }]
  for (const env of switchedOff) {
    test(`${JSON.stringify(env)} leaves everything to the command hooks`, async ($, on) => {
      const world = worldOf(on, { ...BIG, env })
      await begin($)

      expect(await check($, 'cat src/big.ts')).toEqual({ decision: 'allow' })
      expect(world.env).toEqual({ HOME: '/home/me', ...env })
      expect(world.records).toEqual([])
    })
  }
})

describe('a core that cannot be trusted', () => {
  for (const [plugin, detail] of [[NO_CORE, 'compile'], [EMPTY_CORE, 'self-check']] as const) {
    test(`with ${plugin.name} the command hooks do the work, and there is a record`, { plugins: [plugin] }, async ($, on) => {
      // As a module that lived before, in this client or in the one around it, has left them.
      const world = worldOf(on, { ...BIG, env: { TRIMTAB_MOD: 'PreToolUse:Bash', TRIMTAB_MOD_SESSION: 's1', TRIMTAB_MOD_TURN: 'p0' } })
      await begin($)

      await submit($)
      expect(await check($, 'cat src/big.ts')).toEqual({ decision: 'allow' })
      expect(world.env).toEqual({ HOME: '/home/me', TRIMTAB_MOD_SESSION: 's1', TRIMTAB_MOD_TURN: 'p0' })
      expect(world.records.map(row => [row.code, row.detail])).toEqual([['core-broken', detail]])
    })
  }

  test('an instance that trapped is replaced, the call passes, and there is a record', { plugins: [TRAPPING_CORE] }, async ($, on) => {
    const world = worldOf(on, BIG)
    await begin($)

    // Each instance answers its first request, whatever that is, and traps at the next: here, at the refresh of the session's start.
    expect(world.records.map(row => row.code)).toEqual(['trap'])
    for (const code of ['trap', 'no-outcome', 'trap', 'no-outcome']) {
      expect(await check($, 'cat src/big.ts'), code).toEqual({ decision: 'allow' })
      expect(world.records.at(-1)?.code).toBe(code)
    }
    expect(world.env.TRIMTAB_MOD).toBe('PreToolUse:Bash,PreToolUse:Grep,PreToolUse:PowerShell,PreToolUse:Read')
  })
})

async function begin($: Engine): Promise<void> {
  await $.session.start({ cwd: '/repo', surface: null, isInteractive: false })
  await $.turn.start({ text: 'go on', turnId: 't1' })
}

/** A prompt as it enters, before its turn. */
async function submit($: Engine): Promise<void> {
  await $.prompt.submit({ text: 'more', origin: { kind: 'composer' }, wait: false })
}

function settled(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, 20))
}

let calls = 0

function check($: Engine, command: string, agentId?: string) {
  return $.tool.check({ tool: 'Bash', input: { command }, tool_use_id: `u${(calls += 1)}`, ...(agentId === undefined ? {} : { agentId }) })
}

function inPowerShell($: Engine, command: string) {
  return $.tool.check({ tool: 'PowerShell', input: { command }, tool_use_id: `u${(calls += 1)}` })
}
