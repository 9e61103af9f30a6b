import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Ask, ThreadView } from '@plumbline/contracts'
import { createClient } from '@plumbline/client'
import { onceOnly, openHouse, toAnswer, toPark, withPolicy, type House } from './house.spec'

const apiKeys = ['everyone-key:acme:asker', 'board-key-1:acme:asker+reviewer:board', 'other-key-1:other:asker'].join(
  ',',
)
type Key = 'everyone-key' | 'board-key-1' | 'other-key-1'

let house: House
withPolicy('once-only', onceOnly)
beforeAll(async () => {
  house = await openHouse({ apiKeys })
})
afterAll(() => house.close())

const as = (key: Key = 'everyone-key') => createClient({ url: house.url, key })
const ask = (question: string, more: Partial<Ask> = {}, key?: Key) =>
  as(key).ask({ question, policy: 'once-only', ...more })
const answered = async (question: string, threadId: string, key?: Key): Promise<string> => {
  const { id } = await ask(question, { threadId }, key)
  await house.report(id, ...toAnswer(`About ${question} [1].`))
  return id
}
const idsIn = (thread: ThreadView): string[] => thread.items.map(({ id }) => id)
const refused = (status: number, field?: string) =>
  expect.objectContaining({
    problem: expect.objectContaining({
      status,
      ...(field && { errors: [expect.objectContaining({ field })] }),
    }) as object,
  }) as Error

describe('an earlier question asked again', () => {
  it('begins a branch whose history ends before it, and leaves its thread unchanged', async () => {
    const [first, second, third] = [
      await answered('How heavy is Mars?', 'planets'),
      await answered('And Venus?', 'planets'),
      await answered('Which is older?', 'planets'),
    ]
    const anew = await ask('And Mercury?', { replaces: second })
    expect(anew).toMatchObject({ replaces: second, threadId: `branch-${anew.id}` })
    const went = (await house.store.load(anew.id))?.run.inThread
    expect([went?.runId, went?.turns]).toEqual([first, undefined])
    expect(went?.text).toBe('About How heavy is Mars? [1].')
    const branch = await as().thread(anew.threadId ?? '')
    expect(idsIn(branch)).toEqual([first, anew.id])
    expect(branch).toMatchObject({ branchOf: 'planets', title: 'How heavy is Mars?' })
    expect(idsIn(await as().thread('planets'))).toEqual([first, second, third])
    await house.report(anew.id, ...toAnswer())
    const next = await ask('And then?', { threadId: anew.threadId ?? '' })
    expect((await house.store.load(next.id))?.run.inThread?.turns?.map(({ runId }) => runId)).toEqual([first])
  })

  it('that was the first begins with nothing, also while it is under way', async () => {
    const { id } = await ask('How old is Mars?', { threadId: 'first' })
    const anew = await ask('How old is Venus?', { replaces: id, threadId: 'first-b' })
    expect(anew.threadId).toBe('first-b')
    expect((await house.store.load(anew.id))?.run.inThread).toBeUndefined()
    expect(idsIn(await as().thread('first-b'))).toEqual([anew.id])
  })

  it('leads to the same run for a repeated request', async () => {
    const first = await answered('How wide is Mars?', 'again')
    const second = await answered('And Venus?', 'again')
    const body: Ask = { question: 'And Mercury?', replaces: second }
    const anew = await as().ask(body, { idempotencyKey: 'branch-1' })
    expect((await as().ask(body, { idempotencyKey: 'branch-1' })).id).toBe(anew.id)
    expect(idsIn(await as().thread(anew.threadId ?? ''))).toEqual([first, anew.id])
  })

  it('names a run of a thread that its asker may read, and a new thread', async () => {
    const board = await answered('What does the board think?', 'board', 'board-key-1')
    await expect(ask('And I?', { replaces: board })).rejects.toEqual(refused(400, 'replaces'))
    await expect(ask('And I?', { replaces: board }, 'other-key-1')).rejects.toEqual(refused(400, 'replaces'))
    const alone = await ask('Alone?')
    await expect(ask('Again?', { replaces: alone.id })).rejects.toEqual(refused(400, 'replaces'))
    const first = await answered('How deep is Mars?', 'taken')
    await expect(ask('Again?', { replaces: first, threadId: 'taken' })).rejects.toEqual(refused(400, 'threadId'))
  })

  it('shows of what came before only what its reader may read', async () => {
    const shared = 'mixed'
    await answered('What does the board plan?', shared, 'board-key-1')
    const open = await answered('What is planned?', shared)
    const anew = await ask('What is planned, again?', { replaces: open })
    expect(JSON.stringify(await as().thread(anew.threadId ?? ''))).not.toContain('board plan')
    expect((await house.store.load(anew.id))?.run.inThread).toBeUndefined()
  })
})

describe('a question while another of its thread is under way', () => {
  it('takes its place where the ask says so: the other is cancelled', async () => {
    const first = await answered('How heavy is Mars?', 'hasty')
    const second = await ask('And Venus?', { threadId: 'hasty' })
    const third = await ask('And Mercury?', { threadId: 'hasty', whenBusy: 'replace' })
    expect((await as().run(second.id)).status).toBe('cancelled')
    expect((await house.store.load(third.id))?.run.inThread?.turns?.map(({ runId }) => runId)).toEqual([first])
    await expect(ask('And?', { threadId: 'hasty', whenBusy: 'refuse' })).rejects.toEqual(refused(409))
  })

  it('leaves one in progress if several replace each other', async () => {
    await ask('One?', { threadId: 'crowd' })
    const all = await Promise.all(
      ['Two?', 'Three?', 'Four?'].map((question) => ask(question, { threadId: 'crowd', whenBusy: 'replace' })),
    )
    const statuses = await Promise.all(all.map(async ({ id }) => (await as().run(id)).status))
    expect(statuses.toSorted()).toEqual(['cancelled', 'cancelled', 'queued'])
  })

  it('does not cancel what its asker may not read, nor what is held', async () => {
    const board = await ask('What does the board think?', { threadId: 'theirs' }, 'board-key-1')
    await expect(ask('And I?', { threadId: 'theirs', whenBusy: 'replace' })).rejects.toEqual(refused(409))
    expect((await as('board-key-1').run(board.id)).status).toBe('queued')
    const held = await ask('Is it cheese?', { threadId: 'held' })
    await house.report(held.id, ...toPark())
    await ask('And now?', { threadId: 'held', whenBusy: 'replace' })
    expect((await as().run(held.id)).status).toBe('parked')
  })
})

describe('a thread as a file', () => {
  it('is what its reader may see, in each form', async () => {
    const first = await answered('How heavy is # Mars?', 'file')
    await as().renameThread('file', { title: 'Weights' })
    const { id: held } = await ask('Is it cheese?', { threadId: 'file' })
    await house.report(held, ...toPark('Mars is made of canary cheese [1].'))
    const theirs = await answered('What does the board think?', 'file', 'board-key-1')
    const [json, jsonl, markdown] = await Promise.all(
      (['json', 'jsonl', 'markdown'] as const).map((form) => as().exportThread('file', form)),
    )
    expect(JSON.parse(json ?? '')).toEqual(await as().thread('file'))
    const lines = (jsonl ?? '')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: string })
    expect(lines.map(({ id }) => id)).toEqual([first, held])
    expect(markdown?.split('\n\n').filter((part) => !/^\d{4}-/.test(part))).toEqual([
      '# Weights',
      '## How heavy is # Mars?',
      'About How heavy is # Mars? [1].',
      '1. Title p1',
      '## Is it cheese?',
      '*The draft is held: too few of its claims are supported by the documents.*\n',
    ])
    expect(`${json}${jsonl}${markdown}`).not.toContain('canary')
    expect(await as('board-key-1').exportThread('file', 'json')).toContain(theirs)
    const response = await fetch(`${house.url}/v1/threads/file/export?as=markdown`, {
      headers: { 'x-api-key': 'everyone-key' },
    })
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="thread.md"')
    await expect(as('other-key-1').exportThread('file', 'json')).rejects.toEqual(refused(404))
  })
})
