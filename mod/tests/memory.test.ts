import { describe, expect, test } from 'claude-code/testing'
import { homeOf } from '../home'
import type { Host } from '../host'
import { recall, remember } from '../memory'
import { hostOf } from './fixtures/host'

const failing = (message: string) => () => Promise.reject(new Error(message))
const home = '/home/me'
let sessions = 0
const newSession = () => `00000000-0000-4000-8000-${String((sessions += 1)).padStart(12, '0')}`

/** A host with a disk and a client that holds things; either can be closed. */
function worldOf({ isFull = false, hasShell = true, read }: { isFull?: boolean; hasShell?: boolean; read?: Host['read'] } = {}) {
  const disk = new Map<string, string>()
  const held = new Map<string, string>()
  const world = { disk, held, isFull, calls: [] as string[] }
  const save = (path: string, text: string) => (world.isFull ? false : (disk.set(path, text), true))
  const host = hostOf({
    home,
    read: async path => {
      world.calls.push('read')
      if (read !== undefined) return read(path, 0, 0)
      const text = disk.get(path)
      if (text === undefined) throw new Error(`trimtab: $.fs.read(${path}) failed: ENOENT`)
      return text
    },
    run: async (argv, stdin) => {
      world.calls.push('run')
      if (!hasShell) throw new Error('ENOENT: Executable not found in $PATH: "sh"')
      return { exitCode: save(String(argv.at(-1)), stdin ?? '') ? 0 : 1 }
    },
    write: async (path, text) => {
      world.calls.push('write')
      if (!save(path, text)) throw new Error('ENOSPC')
    },
    held: async session => held.get(session),
    hold: async (session, text) => held.set(session, text),
  })
  return { ...world, world, host }
}

/** What a realm that was not there at the save would be told: `recall` of a session that this realm never saved, with that one's file. */
async function elsewhere(world: ReturnType<typeof worldOf>, session: string): Promise<unknown> {
  const other = newSession()
  const text = world.disk.get(`/home/me/.trimtab/sessions/${session}.json`)
  if (text !== undefined) world.disk.set(`/home/me/.trimtab/sessions/${other}.json`, text)
  const kept = world.held.get(session)
  if (kept !== undefined) world.held.set(other, kept)
  return recall(world.host, other)
}

describe('memory', () => {
  test('a session that nobody saved has an empty memory', async () => {
    expect(await recall(worldOf().host, newSession())).toEqual({ state: null })
  })

  test('what was saved is there at once, without reading anything', async () => {
    const { host, calls } = worldOf()
    const session = newSession()
    const saving = remember(host, session, 'one')
    expect(await recall(host, session)).toEqual({ state: 'one' })
    expect(await saving).toBe('disk')
    expect(calls).toEqual(['run'])
  })

  test('it goes to the file of the command hooks, and a realm that knows nothing finds it there', async () => {
    const world = worldOf()
    const session = newSession()
    expect(await remember(world.host, session, 'one')).toBe('disk')
    expect([...world.disk]).toEqual([[`/home/me/.trimtab/sessions/${session}.json`, 'one']])
    expect(world.held.get(session)).toBe('')
    expect(await elsewhere(world, session)).toEqual({ state: 'one' })
  })

  test('what the command hooks saved is found', async () => {
    const world = worldOf()
    const session = newSession()
    world.disk.set(`/home/me/.trimtab/sessions/${session}.json`, 'of the hooks')
    expect(await recall(world.host, session)).toEqual({ state: 'of the hooks' })
  })

  test('where the disk does not take it the client holds it, and lets go when the disk takes the next one', async () => {
    const all = worldOf({ isFull: true })
    const session = newSession()
    expect(await remember(all.host, session, 'one')).toBe('client')
    expect(await elsewhere(all, session)).toEqual({ state: 'one' })
    all.world.isFull = false
    expect(await remember(all.host, session, 'two')).toBe('disk')
    expect(await elsewhere(all, session)).toEqual({ state: 'two' })
  })

  test('a worker that dies while the file is being written takes nothing along', async () => {
    const held = new Map<string, string>()
    let end = (): void => undefined
    const run = () => new Promise<{ exitCode: number }>(resolve => (end = () => resolve({ exitCode: 0 })))
    const host = hostOf({ home, run, hold: async (session, text) => held.set(session, text) })
    const session = newSession()
    const saving = remember(host, session, 'one')
    await new Promise(resolve => setTimeout(resolve, 5))
    expect(held.get(session)).toBe('one')
    end()
    expect(await saving).toBe('disk')
  })

  test('where neither takes it, this realm still knows', async () => {
    const host = hostOf({ home, run: async () => ({ exitCode: 1 }) })
    const session = newSession()
    expect(await remember(host, session, 'one')).toBe('nowhere')
    expect(await recall(host, session)).toEqual({ state: 'one' })
  })

  test('where there is no sh the client itself writes the file', async () => {
    const { host, disk, calls } = worldOf({ hasShell: false })
    const session = newSession()
    expect(await remember(host, session, 'one')).toBe('disk')
    expect(disk.get(`/home/me/.trimtab/sessions/${session}.json`)).toBe('one')
    expect(calls).toEqual(['run', 'write'])
  })

  test('a file that cannot be read is "could not tell", and not "nothing yet"', async () => {
    for (const code of ['EACCES', 'EISDIR', 'EIO']) {
      expect(await recall(worldOf({ read: failing(`trimtab: $.fs.read(x) failed: ${code}`) }).host, newSession()), code).toBe(null)
    }
    for (const code of ['ENOENT', 'ENOTDIR']) {
      expect(await recall(worldOf({ read: failing(`trimtab: $.fs.read(x) failed: ${code}`) }).host, newSession()), code).toEqual({ state: null })
    }
  })

  test('without a home no file is looked for', async () => {
    const { host, calls, held } = worldOf()
    const session = newSession()
    const homeless = { ...host, home: undefined }
    expect(await recall(homeless, session)).toEqual({ state: null })
    expect(await remember(homeless, session, 'one')).toBe('client')
    expect(held.get(session)).toBe('one')
    expect(calls).toEqual([])
  })

  test('a home that would lie in the project is none', () => {
    for (const HOME of [undefined, '', 'relative', './x']) expect(homeOf({ HOME, USERPROFILE: undefined })).toBe(undefined)
    expect(homeOf({ HOME: '', USERPROFILE: 'C:\\Users\\A B' })).toBe('C:\\Users\\A B')
    expect(homeOf({ HOME: '/home/me', USERPROFILE: 'C:\\x' })).toBe('/home/me')
  })

  test('an id that is no plain one names no file', async () => {
    for (const session of ['../../x', 'a', 'A'.repeat(12), '']) {
      const { host, calls, held } = worldOf()
      expect(await remember(host, session, 'one')).toBe('client')
      expect(held.get(session)).toBe('one')
      expect(calls, session).toEqual([])
    }
  })

  test('a later save never loses to an earlier one that takes longer', async () => {
    const disk: string[] = []
    let wait = 20
    const run = async (_: readonly string[], stdin?: string) => {
      await new Promise(resolve => setTimeout(resolve, (wait -= 10)))
      disk.push(stdin ?? '')
      return { exitCode: 0 }
    }
    const host = hostOf({ home, run })
    const session = newSession()
    await Promise.all([remember(host, session, 'one'), remember(host, session, 'two')])
    expect(disk).toEqual(['one', 'two'])
  })

  test('this realm knows the last eight; of one before them the disk knows', async () => {
    const { host, calls } = worldOf()
    const first = newSession()
    await remember(host, first, 'first')
    for (let n = 0; n < 8; n += 1) await remember(host, newSession(), `text ${n}`)
    calls.splice(0)
    expect(await recall(host, first)).toEqual({ state: 'first' })
    expect(calls).toEqual(['read'])
  })
})
