import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '@plumbline/client'
import { decided, replied, routed } from '@plumbline/flow/spec/run-fixtures.spec'
import { bounds } from '@plumbline/gateway/settings'
import { onceOnly, openHouse, post, toAnswer, toPark, withPolicy, type House } from './house.spec'

const keys = ['everyone-key:acme:asker', 'board-key-1:acme:asker+reviewer:board', 'other-key-1:other:asker'].join(',')
type Key = 'everyone-key' | 'board-key-1' | 'other-key-1'

let house: House
let refusing: House
withPolicy('once-only', onceOnly)
beforeAll(async () => {
  house = await openHouse({ apiKeys: keys })
  refusing = await openHouse({ threads: 'refuse' })
})
afterAll(() => Promise.all([house.close(), refusing.close()]))

const as = (key: Key) => createClient({ url: house.url, key })
const ask = (question: string, threadId: string, key: Key = 'everyone-key', policy = 'once-only') =>
  as(key).ask({ question, threadId, policy })
const answered = async (question: string, threadId: string, key?: Key, text?: string): Promise<string> => {
  const { id } = await ask(question, threadId, key)
  await house.report(id, ...toAnswer(text))
  return id
}
const contextOf = async (id: string) => (await house.store.load(id))?.run.inThread
const nextIn = async (threadId: string, key?: Key) => contextOf((await ask('And then?', threadId, key)).id)
/** Returns the Redis key of the thread whose last run has this id. */
const placeOf = async (id: string): Promise<string> => {
  for (const key of await house.redis.keys('thread:{acme}:*'))
    if ((await house.redis.get(key))?.startsWith(id)) return key
  throw new Error(`no thread ends with ${id}`)
}
const asking = (url: string, question: string, threadId: string, headers: Record<string, string> = {}) =>
  post(url, '/v1/runs', { question, threadId }, headers)
const by = (key: Key, more: Record<string, string> = {}) => ({ authorization: `Bearer ${key}`, ...more })
const problemOf = async (response: Response) => ({
  status: response.status,
  type: ((await response.json()) as { type: string }).type.replace('urn:plumbline:problem:', ''),
  after: Number(response.headers.get('retry-after')),
})

describe('a thread', () => {
  it('continues: the question back is available for its reply', async () => {
    const { id } = await ask('What is the value?', 'back')
    await house.report(id, routed({ outcome: 'clarify', logic: 'Of what?' }), replied('Which value?'))
    expect(await as('everyone-key').run(id)).toMatchObject({ status: 'needs_input', answer: { text: 'Which value?' } })
    expect(await nextIn('back')).toEqual({
      runId: id,
      status: 'needs_input',
      question: 'What is the value?',
      text: 'Which value?',
      passageIds: [],
    })
  })

  it('has the last run as it was understood, those before it, and what was summed up', async () => {
    const first = await answered('How heavy is Mars?', 'long')
    const second = await ask('And Venus?', 'long')
    const [, ...rest] = toAnswer('Venus weighs 4.9e24 kg [1].')
    const understood = { question: 'How heavy is Venus?', summary: 'It is about planets.' }
    const route = routed({ outcome: 'research', logic: 'Planets.', collections: [], ...understood })
    await house.report(second.id, route, ...rest)
    expect(await as('everyone-key').run(second.id)).toMatchObject({
      question: 'And Venus?',
      standalone: 'How heavy is Venus?',
    })
    const third = await answered('And why?', 'long')
    expect(await contextOf(third)).toEqual({
      runId: second.id,
      status: 'answered',
      question: 'How heavy is Venus?',
      text: 'Venus weighs 4.9e24 kg [1].',
      passageIds: ['p1'],
      turns: [{ runId: first, question: 'How heavy is Mars?', text: 'Mars weighs 6.4e23 kg [1].' }],
      summary: 'It is about planets.',
    })
    expect(await nextIn('long')).toMatchObject({
      runId: third,
      turns: [{ runId: first }, { runId: second.id, question: 'How heavy is Venus?' }],
      summary: 'It is about planets.',
    })
  })

  it('never holds a held draft: only the question, until a person has released it', async () => {
    const before = await answered('How heavy is Mars?', 'held')
    const { id } = await ask('What is it made of?', 'held')
    await house.report(id, ...toPark())
    const next = await answered('And why?', 'held')
    expect(await contextOf(next)).toEqual({
      runId: id,
      status: 'parked',
      question: 'What is it made of?',
      text: '',
      passageIds: [],
      turns: [{ runId: before, question: 'How heavy is Mars?', text: 'Mars weighs 6.4e23 kg [1].' }],
    })
    const later = await answered('And how?', 'held')
    expect(JSON.stringify((await house.store.load(later))?.run)).not.toContain('cheese')
    await house.report(id, decided(1, { outcome: 'approved' }))
    expect((await nextIn('held'))?.turns).toMatchObject([
      { runId: before },
      { runId: id, text: 'Mars is made of cheese [1].' },
      { runId: next },
    ])
  })

  it('holds nothing of a draft that was rejected', async () => {
    const { id } = await ask('What is it made of?', 'rejected')
    await house.report(id, ...toPark(), decided(1, { outcome: 'rejected' }))
    expect(await nextIn('rejected')).toMatchObject({ status: 'rejected', text: '', passageIds: [] })
  })

  it('gives each asker the turns they may read', async () => {
    const open = await answered('How heavy is Mars?', 'rights')
    const secret = await answered('What does the board think?', 'rights', 'board-key-1', 'The secret [1].')
    const forAll = await answered('And then?', 'rights')
    expect(await contextOf(forAll)).toMatchObject({ runId: open, question: 'How heavy is Mars?' })
    expect(JSON.stringify(await contextOf(forAll))).not.toContain('secret')
    const board = await contextOf((await ask('And then?', 'rights', 'board-key-1')).id)
    expect(board).toMatchObject({ runId: forAll, turns: [{ runId: open }] })
    expect(await contextOf(secret)).toMatchObject({ runId: open })
  })

  it('is its tenant’s alone', async () => {
    await answered('How heavy is Mars?', 'shared')
    expect(await nextIn('shared', 'other-key-1')).toBeUndefined()
  })

  it('continues a thread that was stored before entries had a time', async () => {
    const id = await answered('How heavy is Mars?', 'older')
    await house.redis.set(await placeOf(id), id)
    expect(await nextIn('older')).toMatchObject({ runId: id })
  })

  it('passes over a run that took its place and was never stored', async () => {
    const id = await answered('How heavy is Mars?', 'lost')
    await house.redis.set(await placeOf(id), `r-never-stored ${Date.now() - 60_000} ${id}`)
    expect(await nextIn('lost')).toMatchObject({ runId: id })
  })
})

describe('two questions in one thread at once', () => {
  it('are answered one after the other: the second knows what the first said', async () => {
    const { id } = await ask('How heavy is Mars?', 'two')
    const second = ask('And Venus?', 'two')
    await house.report(id, ...toAnswer())
    expect(await contextOf((await second).id)).toMatchObject({ runId: id, text: 'Mars weighs 6.4e23 kg [1].' })
  })

  it('continue when the first is held', async () => {
    const { id } = await ask('What is it made of?', 'two-held')
    const second = ask('And Venus?', 'two-held')
    await house.report(id, ...toPark())
    expect(await contextOf((await second).id)).toMatchObject({ runId: id, status: 'parked', text: '' })
  })

  it('never run side by side, however many come', async () => {
    let atWork = 0
    let most = 0
    const before = await Promise.all(
      Array.from({ length: 8 }, async (_, n) => {
        const { id } = await ask(`Question ${n}?`, 'many')
        most = Math.max(most, (atWork += 1))
        const said = toAnswer()
        await house.report(id, ...said.slice(0, -1))
        atWork -= 1
        await house.report(id, ...said.slice(-1))
        return contextOf(id)
      }),
    )
    expect(most).toBe(1)
    expect(new Set(before.map((context) => context?.runId)).size).toBe(8)
    expect(Math.max(...before.map((context) => context?.turns?.length ?? 0))).toBe(6)
  })

  it('are one where the request is the same, and it waits for nothing', async () => {
    const again = by('everyone-key', { 'idempotency-key': 'same' })
    const first = await asking(house.url, 'How heavy is Mars?', 'same', again)
    const second = await asking(house.url, 'How heavy is Mars?', 'same', again)
    expect([first.status, second.status]).toEqual([202, 202])
    expect(await second.json()).toMatchObject({ id: ((await first.json()) as { id: string }).id, status: 'queued' })
  })

  it('are refused with 429 where too many of a tenant wait already, until somebody hangs up', async () => {
    const { id } = await ask('How heavy is Mars?', 'crowd')
    const asks = (signal: AbortSignal) =>
      fetch(`${house.url}/v1/runs`, {
        method: 'POST',
        headers: { ...by('everyone-key'), 'content-type': 'application/json' },
        body: JSON.stringify({ question: 'And Venus?', threadId: 'crowd' }),
        signal,
      })
    const gone = new AbortController()
    const asked = Array.from({ length: bounds.threadAsks / 2 + 1 }, () => asks(gone.signal))
    expect(await problemOf(await Promise.race(asked))).toEqual({ status: 429, type: 'tenant-limit', after: 30 })
    expect((await asking(house.url, 'How heavy is Mars?', 'crowd', by('other-key-1'))).status).toBe(202)
    gone.abort()
    await Promise.allSettled(asked)
    const tried = (): Promise<number | string> =>
      asks(AbortSignal.timeout(300)).then(
        ({ status }) => status,
        () => 'waits',
      )
    await expect.poll(tried).toBe('waits')
    await house.report(id, ...toAnswer())
    // No run was created for a disconnected request.
    expect(await nextIn('crowd')).toMatchObject({ runId: id })
  })

  it('are refused with 409 where the first does not end in time', async () => {
    const { threadMs } = bounds
    bounds.threadMs = 300
    try {
      await ask('How heavy is Mars?', 'slow')
      const late = await asking(house.url, 'And Venus?', 'slow', by('everyone-key'))
      expect(await problemOf(late)).toEqual({ status: 409, type: 'thread-busy', after: 2 })
    } finally {
      bounds.threadMs = threadMs
    }
  })

  it('are refused by setting: the second at once', async () => {
    const { id } = (await (await asking(refusing.url, 'How heavy is Mars?', 'one')).json()) as { id: string }
    expect(await problemOf(await asking(refusing.url, 'And Venus?', 'one'))).toEqual({
      status: 409,
      type: 'thread-busy',
      after: 2,
    })
    await refusing.report(id, ...toAnswer())
    expect((await asking(refusing.url, 'And Venus?', 'one')).status).toBe(202)
  })
})
