// What weight.ts does with what the pack says: the world is pretended, and the pack answers as it is told.

import { expect, test } from 'claude-code/testing'
import { linesOf, overviewOf, say, weightAt, type WeightHost } from '../weight'

type Kept = { path: string; text: string }

/** A host that notes what was done, and a pack that asks for `needs` and ends with `outcome`. */
function pretended(needs: object[], outcome: object, more: Partial<WeightHost> = {}) {
  const seen = { facts: [] as unknown[], requests: [] as any[], said: [] as string[], records: [] as string[], kept: [] as Kept[], environments: [] as object[] }
  const host: WeightHost = {
    home: '/home/me',
    pack: async () => ({
      read(text) {
        const request = JSON.parse(text.split('\n')[0] ?? '')
        seen.requests.push(request)
        if (request.do === 'facts') seen.facts.push(...request.facts)
        return request.do === 'facts' || needs.length === 0 ? { v: 1, ...outcome } : { v: 1, call: 1, need: needs }
      },
    }),
    config: async () => ({ config: {}, from: [] }),
    record: code => void seen.records.push(code),
    transcript: async () => '/t.jsonl',
    usage: async () => ({ tokens: 5, window: 10 }),
    now: async () => 7,
    root: async () => '/repo',
    size: async () => 6,
    read: async () => 'a\ufffd\nbc\n',
    bytes: async () => btoa('a\xff\nbc\n'),
    exists: async () => false,
    write: async (path, text) => void seen.kept.push({ path, text }),
    run: async (argv, { env, stdin }) => {
      if (env !== undefined) seen.environments.push(env)
      if (stdin !== undefined) seen.kept.push({ path: String(argv.at(-1)), text: stdin })
      return { exitCode: 0, stdout: 'x'.repeat(50) }
    },
    log: text => seen.said.push(`person: ${text}`),
    append: async text => void seen.said.push(`model: ${text}`),
    ...more,
  }
  return { host, seen }
}

test('the pack gets the moment with the figures of the client, and what it says is handed back', async () => {
  const { host, seen } = pretended([], { done: { verdict: 'pass', person: 'heavy', model: 'full' } })
  const said = await weightAt(host, 'stop')
  expect(seen.requests).toEqual([
    { v: 1, do: 'moment', moment: 'stop', path: '/t.jsonl', now: 7, live: { tokens: 5, window: 10 }, holds: true },
  ])
  await say(host, said)
  expect(seen.said).toEqual(['person: heavy', 'model: full'])
})

test('a range with bytes that are no text comes with the places of its line ends', async () => {
  const { host, seen } = pretended([{ ask: 'text', path: '/t.jsonl', from: 0, bytes: 9 }], { done: { verdict: 'pass' } })
  await weightAt(host, 'stop')
  expect(seen.facts).toEqual([{ bytes: 6, first: 3, last: 6 }])
})

test('a command is cut, and a claim is a file of the session', async () => {
  const asks = [{ ask: 'run', argv: ['git'], bytes: 9 }, { ask: 'claim', session: '11111111-1111-4111-8111-111111111111', name: 'level-1' }, { ask: 'other' }]
  const { host, seen } = pretended(asks, { done: { verdict: 'pass' } })
  await weightAt(host, 'stop')
  expect(seen.facts).toEqual([{ stdout: 'xxxxxxxxx', exit: 0, complete: false }, { won: true }, null])
  expect(seen.environments).toEqual([{ GIT_OPTIONAL_LOCKS: '0', GIT_PAGER: 'cat', GIT_NO_LAZY_FETCH: '1' }])
})

for (const [exitCode, won] of [[0, { won: true }], [1, { won: false }], [2, null]] as const) {
  test(`a claim that ends with ${exitCode}`, async () => {
    const { host, seen } = pretended([{ ask: 'claim', session: '11111111-1111-4111-8111-111111111111', name: 'x' }], { done: { verdict: 'pass' } }, { run: async () => ({ exitCode, stdout: '' }) })
    await weightAt(host, 'stop')
    expect(seen.facts).toEqual([won])
  })
}

for (const [what, run] of [
  ['with a shell', undefined],
  ['without one', () => Promise.reject(new Error('ENOENT'))],
] as const) {
  test(`what is to be kept lies in the person's folder, ${what}, and word of a full session where it belongs`, async () => {
    const effects = [
      { effect: 'save', session: 'handoff-1', state: '{}' },
      { effect: 'leave', name: 'handoff-needed', project: true, text: 'a' },
      { effect: 'leave', name: 'handoff-needed', project: false, text: 'b' },
    ]
    const { host, seen } = pretended([], { done: { verdict: 'pass' }, effects }, run === undefined ? {} : { run })
    await weightAt(host, 'end')
    expect(seen.kept).toEqual([
      { path: '/home/me/.trimtab/weight/handoff-1.json', text: '{}' },
      { path: '/repo/.trimtab/handoff-needed', text: 'a' },
      { path: '/home/me/.trimtab/handoff-needed', text: 'b' },
    ])
  })
}

test('a compaction that can wait is asked about with its trigger', async () => {
  const { host, seen } = pretended([], { done: { verdict: 'pass', skip: 'not now', more: true } })
  const said = await weightAt(host, 'compact', 'auto', 1)
  expect(said.skip).toBe('not now')
  expect(seen.requests[0]).toEqual({ v: 1, do: 'moment', moment: 'compact', trigger: 'auto', path: '/t.jsonl', now: 7, live: { tokens: 5, window: 10 }, holds: true })
})

test('a pack that cannot be loaded leaves a record, and nothing is said', async () => {
  const { host, seen } = pretended([], {}, { pack: () => Promise.reject(new TypeError('no')) })
  expect(await weightAt(host, 'prompt')).toEqual({})
  expect(seen.records).toEqual(['weight'])
})

test('a pack that trapped passes, with a record', async () => {
  const { host, seen } = pretended([], {}, { pack: async () => ({ read: () => null }) })
  expect((await weightAt(host, 'prompt')).person).toBe(undefined)
  expect(seen.records).toEqual(['trap'])
})

test('a line that could not be shown was unheard, and took the other with it', async () => {
  const { host, seen } = pretended([], {}, { log: () => Promise.reject(new Error('gone')) })
  await say(host, { person: 'heavy', model: 'full' })
  expect(seen.said).toEqual(['model: full'])
  expect(seen.records).toEqual(['not-said'])
})

test('what is said when the rest of the transcript was read in the background cannot reject unheard', async () => {
  const outcomes = [{ verdict: 'pass', more: true }, { verdict: 'pass', person: 'heavy' }]
  const { host, seen } = pretended([], {}, {
    pack: async () => ({ read: () => ({ v: 1, done: outcomes.length > 1 ? outcomes.shift() : outcomes[0] }) }),
    log: () => Promise.reject(new Error('gone')),
  })
  await weightAt(host, 'prompt')
  for (let turn = 0; turn < 50 && seen.records.length === 0; turn += 1) await Promise.resolve()
  expect(seen.records).toEqual(['not-said'])
})

test('the line is made of the figures that are handed in, and the transcript is not looked at', async () => {
  const refuses = { transcript: () => Promise.reject(new Error('not now')) }
  const { host, seen } = pretended([], { done: { verdict: 'pass', band: 'a line', status: null } }, refuses)
  const [config, live, told] = [{ mode: 'answer' }, { tokens: 5, window: 10 }, { rules: [] }]
  expect(await linesOf(host, config, live, told)).toEqual({ band: 'a line', status: null })
  expect(seen.requests).toEqual([{ v: 1, do: 'line', config, live, told }])
})

test('for a person who looks all of the transcript is read, and what could not be told is a failure', async () => {
  const overview = { sections: [], text: 'a' }
  const { host, seen } = pretended([], { done: { verdict: 'pass', overview } })
  expect(await overviewOf(host, {})).toEqual(overview)
  expect(seen.requests).toEqual([{ v: 1, do: 'overview', path: '/t.jsonl', live: { tokens: 5, window: 10 }, told: {}, holds: true }])
  await expect(overviewOf(pretended([], { done: { verdict: 'pass' } }).host, {})).rejects.toThrow('no overview')
})
