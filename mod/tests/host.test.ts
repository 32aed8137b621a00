import { describe, expect, test } from 'claude-code/testing'
import { answer, carryOut, type Ask } from '../host'
import { childOf, hostOf, textFile } from './fixtures/host'

const MIB = 1_048_576
const failing = (message: string) => () => Promise.reject(new Error(message))

describe('lines', () => {
  const ask: Ask = { ask: 'lines', path: '/repo/a.ts' }

  test('a small file is counted in one read', async () => {
    const file = textFile('one\ntwo\nthree')
    expect(await answer(hostOf({ read: file.read }), ask)).toEqual({ lines: 2 })
    expect(file.reads).toBe(1)
  })

  test('a file over several ranges is counted whole', async () => {
    const file = textFile('x\n'.repeat(MIB))
    expect(await answer(hostOf({ read: file.read }), ask)).toEqual({ lines: MIB })
    expect(file.reads).toBe(3)
  })

  test('a file of exactly one range is counted', async () => {
    const file = textFile(`${'x'.repeat(MIB - 1)}\n`)
    expect(await answer(hostOf({ read: file.read }), ask)).toEqual({ lines: 1 })
  })

  test('beyond the cap it cannot be told', async () => {
    const file = textFile('x'.repeat(9 * MIB))
    expect(await answer(hostOf({ read: file.read }), ask)).toBe(null)
    expect(file.reads).toBe(8)
  })
})

describe('measure', () => {
  const ask: Ask = { ask: 'measure', argv: ['git', 'log'], cwd: '/repo', chars: 10 }

  test('what ends by itself is complete, with its exit', async () => {
    const started = childOf(['ab\n', 'c\n'], { code: 3 })
    expect(await answer(hostOf({ spawn: started.spawn }), ask)).toEqual({ chars: 5, lines: 2, complete: true, exit: 3 })
    expect(started.env[0]?.GIT_OPTIONAL_LOCKS).toBe('0')
  })

  test('it is left after so many characters, however they arrive', async () => {
    for (const pieces of [['aaaa\nbbbb\ncccc\n'], ['aaaa\nb', 'bbb\nccc', 'c\n']]) {
      const started = childOf(pieces, { code: 0 })
      expect(await answer(hostOf({ spawn: started.spawn }), ask)).toEqual({ chars: 10, lines: 2, complete: false })
      expect(started.isLeft).toBe(true)
    }
  })

  test('it is left when its time is over', async () => {
    const started = childOf(['a\n'], { code: 0, isStuck: true })
    const waits: number[] = []
    const after = (ms: number, ring: () => void) => {
      waits.push(ms)
      setTimeout(ring, 1)
      return { cancel: () => undefined }
    }
    expect(await answer(hostOf({ spawn: started.spawn, after }), ask)).toEqual({ chars: 2, lines: 1, complete: false })
    expect(waits).toEqual([1_000])
    expect(started.isLeft).toBe(true)
  })

  test('one that a signal ended tells nothing, one that did not start rejects', async () => {
    expect(await answer(hostOf({ spawn: childOf([], { code: null }).spawn }), ask)).toBe(null)
    await expect(answer(hostOf(), ask)).rejects.toThrow('not foreseen')
  })
})

describe('stat', () => {
  const ask: Ask = { ask: 'stat', path: '/repo/a.ts' }

  test('a missing path is an answer, an unreadable one is none', async () => {
    for (const [message, fact] of [
      ['trimtab: $.fs.stat(/repo/a.ts) failed: ENOENT', { kind: 'none', bytes: 0, real: '/repo/a.ts' }],
      ['trimtab: $.fs.stat(/repo/a.ts) failed: ENOTDIR', { kind: 'none', bytes: 0, real: '/repo/a.ts' }],
      ['trimtab: $.fs.stat(/repo/a.ts) failed: EACCES', null],
      ['trimtab: $.fs.stat(/repo/ failed: ENOENT) failed: EACCES', null],
    ] as const) {
      expect(await answer(hostOf({ stat: failing(message) }), ask), message).toEqual(fact)
    }
  })

  test('without a real path it cannot be told', async () => {
    const stat = async () => ({ kind: 'other' as const, size: 8 })
    expect(await answer(hostOf({ stat }), ask)).toBe(null)
  })

  test('a Windows path is handed on with slashes, any other as it is', async () => {
    for (const [realPath, real] of [
      ['C:\\Users\\A B\\a.ts', 'C:/Users/A B/a.ts'],
      ['\\\\server\\share\\a.ts', '//server/share/a.ts'],
      ['/repo/odd\\name.ts', '/repo/odd\\name.ts'],
    ] as const) {
      const stat = async () => ({ kind: 'file' as const, size: 8, realPath })
      expect(await answer(hostOf({ stat }), ask)).toEqual({ kind: 'file', bytes: 8, real })
    }
  })
})

describe('place', () => {
  const here = {
    cwd: async () => '/repo/sub',
    root: async () => '/repo',
    stat: async (path: string) => ({ kind: 'dir' as const, size: 0, realPath: `/real${path}` }),
  }

  test('the main conversation stands where the session stands', async () => {
    expect(await answer(hostOf(here), { ask: 'place' })).toEqual({ cwd: '/real/repo/sub', root: '/real/repo' })
  })

  test('the home folder is told where it is known', async () => {
    for (const [home, told] of [['/home/me', '/home/me'], ['C:\\Users\\A B', 'C:/Users/A B']] as const) {
      expect(await answer(hostOf({ ...here, home }), { ask: 'place' })).toEqual({ cwd: '/real/repo/sub', root: '/real/repo', home: told })
    }
  })

  test('an agent stands in its own folder', async () => {
    const below = ['/repo/tree', { root: '/real/repo' }] as const
    const beside = ['/repository', { root: '/real/repository', start: '/real/repo' }] as const
    for (const [cwd, more] of [below, beside]) {
      const agents = async () => [{ id: 'a0', cwd: '/other' }, { id: 'a1', cwd }]
      expect(await answer(hostOf({ ...here, agents }), { ask: 'place' }, 'a1')).toEqual({ cwd: `/real${cwd}`, ...more })
    }
  })

  test('a relative path of an agent is looked up in its own folder', async () => {
    const agents = async () => [{ id: 'a1', cwd: '/tree' }]
    const stat = async (path: string) => ({ kind: 'file' as const, size: 1, realPath: path })
    for (const [path, agentId, real] of [
      ['src/a.ts', 'a1', '/tree/src/a.ts'],
      ['/b.ts', 'a1', '/b.ts'],
      ['src/a.ts', undefined, 'src/a.ts'],
      ['', 'a1', '/tree/'],
      ['', undefined, '.'],
    ] as const) {
      expect(await answer(hostOf({ stat, agents }), { ask: 'stat', path }, agentId)).toEqual({ kind: 'file', bytes: 1, real })
    }
  })

  test('an agent that the client does not list stands where the session stands', async () => {
    expect(await answer(hostOf(here), { ask: 'place' }, 'a1')).toEqual({ cwd: '/real/repo/sub', root: '/real/repo' })
  })
})

describe('config', () => {
  test('layers come in order, a missing file is left out and an unreadable one is told', async () => {
    const host = hostOf({
      options: { mode: 'strict' },
      home: '/home/me',
      variables: async () => ({ TRIMTAB_MODE: 'advise', TRIMTAB_BYPASS: '' }),
      read: async path => {
        if (path === '/repo/.trimtab.json') return '{}'
        throw new Error(`trimtab: $.fs.read(${path}) failed: ${path.startsWith('/home/me/') ? 'EACCES' : 'ENOENT'}`)
      },
    })
    expect(await answer(host, { ask: 'config', root: '/repo' })).toEqual({
      layers: [
        { from: 'user', error: 'EACCES' },
        { from: 'project', text: '{}' },
        { from: 'options', value: { mode: 'strict' } },
        { from: 'env', value: { TRIMTAB_MODE: 'advise' } },
      ],
    })
  })

  test('without a home, a folder of the project is not taken for the person\'s own', async () => {
    const read = async () => '{}'
    expect(await answer(hostOf({ variables: async () => ({}), read }), { ask: 'config', root: '/repo' })).toEqual({
      layers: [
        { from: 'project', text: '{}' },
        { from: 'local', text: '{}' },
      ],
    })
  })

  test('nothing set is no layer', async () => {
    const host = hostOf({ options: { mode: '' }, home: '/home/me', variables: async () => ({}), read: failing('x failed: ENOENT') })
    expect(await answer(host, { ask: 'config', root: '/repo' })).toEqual({ layers: [] })
  })
})

describe('effects', () => {
  test('what was saved for a session comes back', async () => {
    carryOut(hostOf(), 'PreToolUse', [{ effect: 'save', session: 'n1', state: 'text' }])
    expect(await answer(hostOf(), { ask: 'state', session: 'n1' })).toEqual({ state: 'text' })
  })

  test('a memory that the disk did not take is on record', async () => {
    for (const [hold, detail] of [[async () => undefined, 'client'], [failing('not here'), 'nowhere']] as const) {
      const rows: string[] = []
      const run = async (argv: readonly string[]) => ({ exitCode: rows.push(String(argv.at(-1))) })
      carryOut(hostOf({ hold, run }), 'PreToolUse', [{ effect: 'save', session: 'n2', state: 'text' }])
      await settled()
      expect(rows.map(row => [JSON.parse(row).code, JSON.parse(row).detail])).toEqual([['state-not-saved', detail]])
    }
  })

  test('an ask or an effect of a later wire is passed over', async () => {
    expect(await answer(hostOf(), { ask: 'weather' } as unknown as Ask)).toBe(null)
    carryOut(hostOf(), 'PreToolUse', [{ effect: 'dance' } as never])
  })

  test('a record never throws, whatever the client does', async () => {
    const broken = () => {
      throw new Error('gone')
    }
    for (const host of [hostOf(), hostOf({ debug: broken }), hostOf({ run: broken, kept: broken })]) {
      carryOut(host, 'PreToolUse', [{ effect: 'record', code: 'trap' }])
    }
    await settled()
  })

  test('where there is no sh the rows go to the store', async () => {
    const rows: string[] = []
    const host = hostOf({ kept: async () => ['older'], keep: async kept => rows.push(...kept) })
    carryOut(host, 'PreToolUse', [{ effect: 'record', code: 'trap', detail: 'x' }])
    await settled()
    expect(rows[0]).toBe('older')
    expect(JSON.parse(rows[1] ?? '')).toEqual({ time: expect.any(String), version: '0.1.0', route: 'mod', event: 'PreToolUse', code: 'trap', detail: 'x' })
  })

  test('a fault that comes with every call starts only so many programs', async () => {
    let runs = 0
    const host = hostOf({ run: async () => ({ exitCode: (runs += 1) }) })
    for (let n = 0; n < 100; n += 1) carryOut(host, 'PreToolUse', [{ effect: 'record', code: 'trap' }])
    await settled()
    expect(runs > 0 && runs <= 20).toBe(true)
  })
})

function settled(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, 5))
}
