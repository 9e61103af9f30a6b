import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient, ProblemError } from '@plumbline/client'
import { openIngestion } from './ingestion.spec'
import { onceOnly, openHouse, toAnswer, toPark, withPolicy, type House } from './house.spec'

const apiKeys =
  'everyone-1:a:asker, staff-key-1:a:asker:staff, board-key-1:a:asker:staff+board, desk-key-1:a:reviewer, high-desk-1:a:reviewer:*, admin-key-1:a:admin, other-key-1:b:admin:*'
let house: House
const as = (key: string) => createClient({ url: house.url, key })
const status = (promise: Promise<unknown>): Promise<number> =>
  promise.then(
    () => 200,
    (error: unknown) => {
      if (error instanceof ProblemError) return error.problem.status
      throw error
    },
  )

withPolicy('once-only', onceOnly)
beforeAll(async () => {
  house = await openHouse({ apiKeys })
})
afterAll(() => house.close())

describe('a run that read with tags', () => {
  it('exists for readers with the same access, and for nobody else', async () => {
    const { id } = await as('staff-key-1').ask({ question: 'What does the staff earn?' })
    await house.report(id, ...toAnswer())
    const seen = async (key: string) => ({
      view: await status(as(key).run(id)),
      listed: (await as(key).runs()).items.some((run) => run.id === id),
      events: (await fetch(`${house.url}/v1/runs/${id}/events`, { headers: { authorization: `Bearer ${key}` } }))
        .status,
    })
    for (const key of ['staff-key-1', 'board-key-1', 'high-desk-1'])
      expect(await seen(key)).toEqual({ view: 200, listed: true, events: 200 })
    for (const key of ['everyone-1', 'desk-key-1', 'admin-key-1', 'other-key-1'])
      expect(await seen(key)).toEqual({ view: 404, listed: false, events: 404 })
    expect(await status(as('everyone-1').cancel(id))).toBe(404)
    expect(await status(as('everyone-1').feedback(id, { useful: true }))).toBe(404)
  })

  it('is decided at a desk that may read as much', async () => {
    const { id } = await as('board-key-1').ask({ question: 'What is held?', policy: 'once-only' })
    await house.report(id, ...toPark())
    expect((await as('high-desk-1').reviews()).items.map(({ runId }) => runId)).toContain(id)
    expect((await as('desk-key-1').reviews()).items.map(({ runId }) => runId)).not.toContain(id)
    expect(await status(as('desk-key-1').review(id))).toBe(404)
    expect(await status(as('desk-key-1').take(id))).toBe(404)
    expect(await status(as('desk-key-1').decide(id, { taskId: 'review.1', decisionId: 'd', action: 'approve' }))).toBe(
      404,
    )
    expect(await status(as('high-desk-1').review(id))).toBe(200)
  })

  it('that is asked with fewer tags than its key has is readable with these tags alone', async () => {
    const { id } = await as('board-key-1').ask({ question: 'What is for all?', access: [] })
    expect(await status(as('everyone-1').run(id))).toBe(200)
    expect(await status(as('everyone-1').ask({ question: 'What is for the board?', access: ['board'] }))).toBe(400)
  })

  it('is not found by its Idempotency-Key from a key that may read less', async () => {
    const ask = { question: 'Who is to go?' }
    await as('board-key-1').ask(ask, { idempotencyKey: 'who' })
    expect(await status(as('board-key-1').ask(ask, { idempotencyKey: 'who' }))).toBe(200)
    expect(await status(as('everyone-1').ask(ask, { idempotencyKey: 'who' }))).toBe(422)
  })

  it('gives its thread no context if the reader has less access', async () => {
    const first = await as('board-key-1').ask({ question: 'How heavy is the secret?', threadId: 'shared' })
    await house.report(first.id, ...toAnswer())
    const contextOf = async (key: string) => {
      const { id } = await as(key).ask({ question: 'And then?', threadId: 'shared' })
      return (await house.store.load(id))?.run.inThread
    }
    expect(await contextOf('everyone-1')).toBeUndefined()
    await as('board-key-1')
      .ask({ question: 'Again?', threadId: 'kept' })
      .then(({ id }) => house.report(id, ...toAnswer()))
    const { id } = await as('board-key-1').ask({ question: 'And then?', threadId: 'kept' })
    expect((await house.store.load(id))?.run.inThread?.text).toContain('Mars weighs')
  })
})

describe('a document with tags', () => {
  const admin = () => as('admin-key-1')
  const secret = async (title: string, access: string[], collection = 'papers') => {
    const { id } = await admin().addDocument({ title, text: `# ${title}`, collection, access })
    const open = await openIngestion(house)(id)
    await open.parsed({ markup: 'markdown', parts: [{ text: `# ${title}` }] })
    await open.headings(title, [`${title} in detail`])
    await open.finish(1)
    return id
  }

  it('is listed and shown to readers with one of its tags, and to admins', async () => {
    const id = await secret('Salaries', ['staff', 'auditors'])
    const seen = async (key: string) => ({
      view: await status(as(key).document(id)),
      listed: (await as(key).documents()).items.some((one) => one.id === id),
      events: (await fetch(`${house.url}/v1/documents/${id}/events`, { headers: { authorization: `Bearer ${key}` } }))
        .status,
      text: await status(as(key).documentText(id)),
    })
    for (const key of ['staff-key-1', 'board-key-1', 'high-desk-1'])
      expect(await seen(key)).toEqual({ view: 200, listed: true, events: 200, text: 200 })
    for (const key of ['everyone-1', 'desk-key-1', 'other-key-1'])
      expect(await seen(key)).toEqual({ view: 404, listed: false, events: 404, text: 404 })
    expect(await seen('admin-key-1')).toEqual({ view: 200, listed: true, events: 200, text: 403 })
  })

  it('fills no description of its collection, and leaves it when it gets its tags', async () => {
    await secret('Layoffs', ['board'])
    await secret('Canteen', [])
    const described = async () => (await as('everyone-1').collection('papers')).description
    expect(await described()).toMatch(/Canteen: Canteen in detail/)
    expect(await described()).not.toMatch(/Layoffs|Salaries/)
    const named = { name: 'merger.md', title: 'Merger', collection: 'papers' }
    await admin().addDocument({ ...named, text: 'One.' })
    expect(await described()).toContain('Merger')
    await admin().addDocument({ ...named, text: 'One.', access: ['board'] })
    expect(await described()).not.toContain('Merger')
  })

  it('is not counted to others, and a collection of such documents alone is not there for them', async () => {
    await secret('Merger', ['board'], 'secret-plans')
    for (const [title, tags] of [
      ['Hidden', ['board']],
      ['Open', []],
      ['Staff', ['staff']],
    ] as const)
      await secret(title, [...tags], 'counted')
    const seen = async (key: string) => {
      const views = new Map((await as(key).collections()).items.map((one) => [one.name, one]))
      expect((await as(key).collection('counted')).documents).toBe(views.get('counted')?.documents)
      return {
        counted: views.get('counted')?.documents,
        changes: views.get('counted')?.version !== undefined,
        plans: views.get('secret-plans')?.documents,
        one: await status(as(key).collection('secret-plans')),
      }
    }
    for (const key of ['everyone-1', 'desk-key-1'])
      expect(await seen(key)).toEqual({ counted: 1, changes: false, plans: undefined, one: 404 })
    expect(await seen('staff-key-1')).toEqual({ counted: 2, changes: false, plans: undefined, one: 404 })
    expect(await seen('board-key-1')).toEqual({ counted: 3, changes: false, plans: 1, one: 200 })
    for (const key of ['high-desk-1', 'admin-key-1'])
      expect(await seen(key)).toEqual({ counted: 3, changes: true, plans: 1, one: 200 })
  })

  it('lends no name to an ask that may not read it', async () => {
    await secret('Takeover', ['board'], 'takeover')
    const searched = async (key: string, access?: string[]) => {
      const { id } = await as(key).ask({ question: 'What is planned?', ...(access && { access }) })
      return (await house.store.load(id))?.run.collections.includes('takeover')
    }
    expect([
      await searched('everyone-1'),
      await searched('board-key-1', ['staff']),
      await searched('board-key-1'),
    ]).toEqual([false, false, true])
    expect(await status(as('everyone-1').ask({ question: 'What is planned?', collection: 'takeover' }))).toBe(400)
    const both = { question: 'What is planned?', collection: ['papers', 'takeover'] }
    expect(await status(as('everyone-1').ask(both))).toBe(400)
    expect(await status(as('everyone-1').search({ query: 'planned', collection: both.collection }))).toBe(400)
  })

  it('does not come between others and their page of the list', async () => {
    for (let nth = 0; nth < 12; nth += 1)
      await admin().addDocument({
        title: `Hidden ${nth}`,
        text: `Hidden ${nth}`,
        collection: 'many',
        access: ['board'],
      })
    for (let nth = 0; nth < 3; nth += 1)
      await admin().addDocument({ title: `Open ${nth}`, text: `Open ${nth}`, collection: 'many' })
    for (let nth = 12; nth < 24; nth += 1)
      await admin().addDocument({
        title: `Hidden ${nth}`,
        text: `Hidden ${nth}`,
        collection: 'many',
        access: ['board'],
      })
    const page = await as('everyone-1').documents({ collection: 'many', limit: 2 })
    expect(page.items.map(({ title }) => title)).toEqual(['Open 2', 'Open 1'])
    expect(
      (await as('everyone-1').documents({ collection: 'many', limit: 2, cursor: page.next ?? '' })).items.map(
        ({ title }) => title,
      ),
    ).toEqual(['Open 0'])
  })
})
