import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '@plumbline/client'
import { checked, claim } from '@plumbline/flow/spec/run-fixtures.spec'
import { evidenceIn, onceOnly, openHouse, toAnswer, toPark, withPolicy, type House } from './house.spec'

let house: House
withPolicy('once-only', onceOnly)
const apiKeys =
  'asker-of-a:a:asker,second-of-a:a:asker,reviewer-a:a:reviewer,asker-of-b:b:asker+reviewer,legal-of-a:a:asker:legal'
const as = (key: string) => createClient({ url: house.url, key })
beforeAll(async () => {
  house = await openHouse({ apiKeys })
})
afterAll(() => house.close())

const called = (cents: number) => ({
  calls: [{ skill: 'answer', model: 'm', usage: { calls: 1, tokensIn: 1, tokensOut: 1, cents } }],
})

describe('runs are found', () => {
  it('by score, cost, thread and the words they carry', async () => {
    const asker = as('asker-of-a')
    const ask = async (metadata: Record<string, string>, threadId?: string) =>
      (await asker.ask({ question: 'How heavy is Mars?', metadata, ...(threadId && { threadId }) })).id
    const whole = await ask({ team: 'red', year: '2024' })
    await house.report(whole, ...toAnswer())
    const dear = await ask({ team: 'blue', year: '2023' }, 'planets')
    const [drafting, checking] = toAnswer().slice(-2)
    await house.report(dear, ...evidenceIn, { ...drafting!, ...called(12.5) }, checking!)
    const held = (await asker.ask({ question: 'Is Mars cheese?', policy: 'once-only' })).id
    await house.report(held, ...toPark())
    const found = async (query: Parameters<typeof asker.runs>[0]) => (await asker.runs(query)).items.map(({ id }) => id)
    expect(await found({ minCents: 10 })).toEqual([dear])
    expect(await found({ maxCents: 10 })).toEqual([held, whole])
    expect(await found({ threadId: 'planets' })).toEqual([dear])
    expect(await found({ minScore: 0.9 })).toEqual([dear, whole])
    // The held run is missing, because an asker must not learn the score of a held draft.
    expect(await found({ maxScore: 1 })).toEqual([dear, whole])
    expect(await found({ metadata: { team: 'red' } })).toEqual([whole])
    expect(await found({ metadata: { year: { gte: 2023, lt: 2024 } } })).toEqual([dear])
    expect(await found({ metadata: { team: { not: ['red', 'blue'] } } })).toEqual([held])
    expect(await found({ metadata: { team: { in: ['red', 'blue'] } }, limit: 1 })).toEqual([dear])
    const [first] = (await asker.runs({ minCents: 10 })).items
    expect(first).toMatchObject({ id: dear, cents: 12.5, score: 1 })
    await expect(asker.runs({ minScore: 2 })).rejects.toThrow('from 0 to 1')
    const wrong = await fetch(`${house.url}/v1/runs?metadata=red`, { headers: { 'x-api-key': 'asker-of-a' } })
    expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('send JSON')])
  })
})

describe('feedback', () => {
  it('is read beside its run, and listed for reviewers', async () => {
    const asker = as('asker-of-a')
    const { id } = await asker.ask({ question: 'How heavy is Venus?', metadata: { list: 'feedback' } })
    await house.report(id, ...evidenceIn, ...toAnswer().slice(-2, -1), checked(1, { claims: [claim('supported')] }))
    await asker.feedback(id, { useful: true })
    await as('second-of-a').feedback(id, { useful: false, note: 'Of 2019.' })
    const { items } = await asker.feedbackOf(id)
    expect(items).toEqual([
      { useful: true, at: expect.any(String) },
      { useful: false, note: 'Of 2019.', at: expect.any(String) },
    ])
    const [first, second] = (await as('reviewer-a').feedbackOf(id)).items
    expect([first?.by, second?.by]).toEqual([expect.stringMatching(/^key-/), expect.stringMatching(/^key-/)])
    expect(first?.by).not.toBe(second?.by)
    const { id: liked } = await asker.ask({ question: 'How heavy is Mercury?' })
    await asker.feedback(liked, { useful: true })
    const listed = async (useful?: boolean) =>
      (await as('reviewer-a').feedbacks(useful === undefined ? {} : { useful })).items.map(({ runId }) => runId)
    expect(await listed()).toEqual([liked, id])
    expect(await listed(false)).toEqual([id])
    expect((await as('asker-of-b').feedbacks()).items).toEqual([])
    await expect(asker.feedbacks()).rejects.toMatchObject({ problem: { status: 403 } })
    await expect(as('asker-of-b').feedbackOf(id)).rejects.toMatchObject({ problem: { status: 404 } })
  })

  it('of a run with more access than its reader is not shown', async () => {
    const { id } = await as('legal-of-a').ask({ question: 'What did legal say?' })
    await as('legal-of-a').feedback(id, { useful: false, note: 'A secret of legal.' })
    await expect(as('asker-of-a').feedbackOf(id)).rejects.toMatchObject({ problem: { status: 404 } })
    expect(JSON.stringify(await as('reviewer-a').feedbacks({ limit: 100 }))).not.toContain('legal')
  })

  it('that was kept before it had a time and a key is read', async () => {
    const { id } = await as('asker-of-a').ask({ question: 'How old is Mars?' })
    await house.redis.rpush(`run:{${id}}:feedback`, JSON.stringify({ useful: true, note: 'Old.' }))
    expect((await as('asker-of-a').feedbackOf(id)).items).toEqual([{ useful: true, note: 'Old.' }])
  })
})
