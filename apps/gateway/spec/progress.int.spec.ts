import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { DocumentView } from '@plumbline/contracts'
import { createClient, ProblemError } from '@plumbline/client'
import { openIngestion } from './ingestion.spec'
import { openHouse, type House } from './house.spec'

let house: House
const ingestion = (id: string) => openIngestion(house, 'default')(id)
beforeAll(async () => void (house = await openHouse()))
afterAll(() => house.close())

const add = async (title: string, collection = 'default'): Promise<string> =>
  (await house.client.addDocument({ title, text: `Of ${title}.`, collection })).id
const statusOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 200,
    (error: unknown) => (error instanceof ProblemError ? error.problem.status : 0),
  )
const seenOf = (id: string) => {
  const seen: DocumentView[] = []
  const over = (async () => {
    for await (const view of house.client.documentEvents(id)) seen.push(view)
  })()
  const sees = (is: (view: DocumentView) => boolean) => expect.poll(() => seen.some(is)).toBe(true)
  return { seen, over, sees }
}

describe('the events of a document', () => {
  it('tell how far it is, task by task, and end with it', async () => {
    const id = await add('Mars')
    const { seen, over, sees } = seenOf(id)
    await sees(({ status }) => status === 'queued')
    const open = await ingestion(id)
    await open.tells({ task: 'parse', pages: 3, ofPages: 12, percent: 10 })
    await sees(({ task, progress }) => task === 'parse' && progress.pages === 3 && progress.ofPages === 12)
    await open.tells({ task: 'embed', passages: 40, percent: 60 })
    await sees(({ task, progress }) => task === 'embed' && progress.percent === 60)
    await open.finish(40)
    await over
    expect(seen.at(-1)).toMatchObject({ id, status: 'indexed', progress: { passages: 40, percent: 100 } })
    expect(seen.filter(({ status }) => status === 'indexed')).toHaveLength(1)
  })

  it('continue after the last seen state, and are empty after a seen end', async () => {
    const id = await add('Venus')
    await (await ingestion(id)).finish(1)
    const stream = (last?: string) =>
      fetch(`${house.url}/v1/documents/${id}/events`, last === undefined ? {} : { headers: { 'last-event-id': last } })
    const text = await (await stream()).text()
    const mark = /^id: (\S+)$/m.exec(text)?.[1]
    expect(text).toMatch(/^event: document$/m)
    expect((await stream(mark)).status).toBe(204)
    expect((await stream('something-older')).status).toBe(200)
    expect((await stream('not an id')).status).toBe(400)
  })

  it('are judged for each reader: a tag named all is no full access, and a new tag hides what follows', async () => {
    const keys = ['full:t:admin:*', 'tagged:t:asker:all', 'untagged:t:asker+admin'].map((key) => `key-of-${key}`)
    const guarded = await openHouse({ apiKeys: keys.join(',') })
    onTestFinished(() => guarded.close())
    const clientOf = (name: string) => createClient({ url: guarded.url, key: `key-of-${name}` })
    const add = (access?: string[]) =>
      clientOf('full').addDocument({ title: 'Plan', name: 'plan', text: 'A plan.', collection: 'c', access })
    const { id } = await add()
    const seenBy = (name: string) => {
      const seen: DocumentView[] = []
      const over = (async () => {
        for await (const view of clientOf(name).documentEvents(id)) seen.push(view)
      })().catch(() => undefined)
      return { seen, over }
    }
    const readers = { full: seenBy('full'), tagged: seenBy('tagged') }
    await expect.poll(() => Object.values(readers).map(({ seen }) => seen.length)).toEqual([1, 1])
    await add(['secret'])
    await expect.poll(() => readers.full.seen.some(({ access }) => access?.includes('secret'))).toBe(true)
    await readers.tagged.over
    expect(readers.tagged.seen.filter(({ access }) => access?.includes('secret'))).toEqual([])
  })

  it('continue after Redis was away, and a reader that disconnects frees its slot', async () => {
    const id = await add('Saturn')
    const gone = new AbortController()
    await fetch(`${house.url}/v1/documents/${id}/events`, { signal: gone.signal })
    const open = async () => /^plumbline_streams (\d+)$/m.exec(await (await fetch(`${house.url}/metrics`)).text())?.[1]
    expect(await open()).toBe('1')
    gone.abort()
    await expect.poll(open).toBe('0')
    const { seen, over, sees } = seenOf(id)
    await sees(({ status }) => status === 'queued')
    await house.server.kill()
    await house.server.start()
    await expect
      .poll(() =>
        house.client.document(id).then(
          ({ status }) => status,
          () => 'away',
        ),
      )
      .toBe('queued')
    await (await ingestion(id)).finish(1)
    await over
    // After the reconnection, a reader may also see the state in between.
    expect(seen.map(({ status }) => status).filter((status) => status !== 'processing')).toEqual(['queued', 'indexed'])
  })

  it('end at once when it is removed', async () => {
    const id = await add('Pluto')
    const response = await fetch(`${house.url}/v1/documents/${id}/events`)
    const since = performance.now()
    await house.client.removeDocument(id)
    expect(await response.text()).toContain('"status":"queued"')
    expect(performance.now() - since).toBeLessThan(5_000)
    expect((await fetch(`${house.url}/v1/documents/${id}/events`)).status).toBe(404)
  })
})

describe('parsed content of a document', () => {
  it('is there as Markdown and with its pages as JSON once it is read', async () => {
    const id = await add('Tables')
    expect(await statusOf(house.client.documentText(id))).toBe(409)
    const open = await ingestion(id)
    const parsed = {
      markup: 'markdown' as const,
      parts: [
        { page: 1, text: '# One' },
        { page: 2, text: '| a |\n| --- |\n| 1 |' },
      ],
      pages: 2,
    }
    await open.parsed(parsed)
    await open.finish(2)
    expect(await house.client.documentText(id)).toBe('# One\n\n| a |\n| --- |\n| 1 |\n')
    expect(await house.client.documentContent(id)).toEqual(parsed)
    const response = await fetch(`${house.url}/v1/documents/${id}/content`)
    expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect((await fetch(`${house.url}/v1/documents/${id}/content?as=pdf`)).status).toBe(400)
  })
})

describe('a document that failed', () => {
  it('says why and where, and is tried again', async () => {
    const id = await add('Broken')
    await (await ingestion(id)).fail({ error: 'No text on page 3.', problem: { code: 'document.no-text', page: 3 } })
    expect(await house.client.document(id)).toMatchObject({
      status: 'failed',
      error: 'No text on page 3.',
      problem: { code: 'document.no-text', page: 3 },
    })
    expect((await house.client.documents({ status: 'failed' })).items.map((view) => view.id)).toEqual([id])
    expect(await house.client.retryDocument(id)).toMatchObject({ status: 'queued' })
    await (await ingestion(id)).finish(1)
    expect(await statusOf(house.client.retryDocument(id))).toBe(409)
    expect((await house.client.documents({ status: 'failed' })).items).toEqual([])
  })
})

describe('a collection', () => {
  it('is read again as a whole after a change of its settings', async () => {
    const ids = [await add('One', 'again'), await add('Two', 'again')]
    for (const id of ids) await (await ingestion(id)).finish(1)
    expect(
      await house.client.putCollection('again', {
        description: 'Read again.',
        chunking: { by: 'tokens' },
        retrieval: { bm25: { k: 20, weight: 2 }, neighbours: 1 },
      }),
    ).toMatchObject({
      chunking: { by: 'tokens', size: 1_000, overlap: 200 },
      retrieval: { bm25: { k: 20, weight: 2 }, neighbours: 1 },
    })
    expect(await house.client.reindex('again')).toEqual({ documents: 2 })
    expect((await house.client.documents({ collection: 'again', status: 'queued' })).items).toHaveLength(2)
    expect(await house.client.collection('again')).toMatchObject({ name: 'again', documents: 2 })
    expect(await statusOf(house.client.collection('never'))).toBe(404)
    expect(await statusOf(house.client.reindex('never'))).toBe(404)
  })
})
