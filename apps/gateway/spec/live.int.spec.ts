import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { LiveHint, LiveTopics } from '@plumbline/contracts'
import { createClient } from '@plumbline/client'
import { openIngestion } from './ingestion.spec'
import { evidenceIn, onceOnly, openHouse, toAnswer, toPark, withPolicy, type House } from './house.spec'

let house: House
withPolicy('once-only', onceOnly)
beforeAll(async () => {
  house = await openHouse({
    apiKeys: [
      'planets-key:planets:asker+reviewer+names-reviewers+admin',
      'planets-asker:planets:asker',
      'planets-staff:planets:asker+reviewer:staff',
      'stones-key:stones:asker+reviewer+admin',
    ].join(','),
  })
})
afterAll(() => house.close())

const clientOf = (key: string) => createClient({ url: house.url, key })
const planets = () => clientOf('planets-key')
const get = (query: string, key = 'planets-key', signal?: AbortSignal) =>
  fetch(`${house.url}/v1/live?${query}`, {
    headers: { authorization: `Bearer ${key}` },
    ...(signal && { signal }),
  })
const textOf = (hint: LiveHint): string => ('id' in hint ? `${hint.type} ${hint.id}` : hint.type)

/** Records the change notifications (hints) that a page with these topics receives. */
const watch = (topics: Partial<LiveTopics>, key = 'planets-key') => {
  const heard: string[] = []
  const over = new AbortController()
  const whole = { runs: [], documents: [], desk: false, ...topics }
  const listening = (async () => {
    for await (const hint of clientOf(key).live(whole, { signal: over.signal })) heard.push(textOf(hint))
  })()
  onTestFinished(async () => {
    over.abort()
    await listening
  })
  const hears = (all: string[]) => expect.poll(() => [...heard].sort()).toEqual([...all].sort())
  /** Waits until exactly these hints have arrived since the last call. */
  const next = async (all: string[]) => {
    await hears(all)
    heard.length = 0
  }
  return { heard, hears, next }
}
const ask = async () => (await planets().ask({ question: 'How heavy is Mars?', policy: 'once-only' })).id
const park = async () => {
  const id = await ask()
  await house.report(id, ...toPark())
  return id
}

describe('hints for a page', () => {
  it('begin with each topic once, and continue with changes', async () => {
    const [run, other] = [await ask(), await ask()]
    const { id: document } = await planets().addDocument({ title: 'Mars', text: 'Red.' })
    const page = watch({ runs: [run, run], documents: [document], desk: true })
    await page.next([`run ${run}`, `document ${document}`, 'desk'])
    await house.report(other, ...toAnswer())
    await house.report(run, evidenceIn[0]!)
    await page.next([`run ${run}`])
    await (await openIngestion(house, 'planets')(document)).tells({ task: 'parse', percent: 10 })
    await page.next([`document ${document}`])
  })

  it('cover the desk: a run that is parked, taken, renewed, put back and decided', async () => {
    const desk = watch({ desk: true })
    await desk.next(['desk'])
    const id = await park()
    await desk.next(['desk'])
    expect((await planets().reviews({ limit: 100 })).items.map(({ runId }) => runId)).toContain(id)
    await planets().take(id, { reviewer: 'rita' })
    await desk.next(['desk'])
    await planets().take(id, { reviewer: 'rita' })
    await desk.next(['desk'])
    await planets().putBack(id, { reviewer: 'rita' })
    await desk.next(['desk'])
    await planets().decide(id, { taskId: 'review.1', decisionId: 'd', action: 'reject' })
    await desk.next(['desk'])
  })

  it('leaves out what the caller may not see, and tells one tenant nothing of another', async () => {
    const [run, stones] = [await ask(), watch({ desk: true }, 'stones-key')]
    await stones.next(['desk'])
    const { id: document } = await planets().addDocument({ title: 'Io', text: 'Hot.', access: ['board'] })
    const asker = watch({ runs: [run, 'r-none'], documents: [document] }, 'planets-staff')
    const stranger = watch({ runs: [run], documents: [document], desk: true }, 'stones-key')
    await asker.next([`run ${run}`])
    await stranger.next(['desk'])
    await house.report(run, ...toPark())
    await expect.poll(() => asker.heard.length).toBeGreaterThan(0)
    expect([stones.heard, stranger.heard]).toEqual([[], []])
  })

  it('shows the desk to reviewers only, and fifty of each kind at most', async () => {
    expect((await get('desk=true', 'planets-asker')).status).toBe(403)
    const many = (n: number) => Array.from({ length: n }, (_, i) => `r${i}`).join(',')
    expect((await get(`runs=${many(51)}`)).status).toBe(400)
    expect((await get(`documents=${many(51)}`)).status).toBe(400)
    expect((await get('desk=maybe')).status).toBe(400)
    expect((await get('tenant=stones')).status).toBe(400)
    const gone = new AbortController()
    expect((await get(`runs=${many(50)}&documents=${many(50)}`, 'planets-key', gone.signal)).status).toBe(200)
    gone.abort()
  })

  it('come at most once per 100 ms', async () => {
    const id = await park()
    const desk = watch({ desk: true })
    await desk.next(['desk'])
    const since = performance.now()
    await Promise.all(Array.from({ length: 50 }, () => planets().take(id, { reviewer: 'rita' })))
    await expect.poll(() => desk.heard.length).toBeGreaterThan(0)
    await planets().putBack(id, { reviewer: 'rita' })
    const heard = desk.heard.length
    expect(heard).toBeLessThanOrEqual(Math.ceil((performance.now() - since) / 100) + 1)
  })
})

describe('a gateway', () => {
  const channels = async (): Promise<string[]> =>
    ((await house.redis.call('PUBSUB', 'CHANNELS', '*planets*')) as string[]).filter((name) => name.includes('parked'))

  it('listens to a desk only while somebody watches it', async () => {
    await expect.poll(channels).toEqual([])
    const gone = new AbortController()
    const both = [await get('desk=true', 'planets-key', gone.signal), await get('desk=true')]
    await expect.poll(channels).toEqual(['runs:parked:{planets}:rows'])
    gone.abort()
    await expect.poll(channels).toEqual(['runs:parked:{planets}:rows'])
    await both[1]?.body?.cancel()
    await expect.poll(channels).toEqual([])
  })
})
