import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunList } from '@plumbline/contracts'
import type { Run } from '@plumbline/flow'
import { routeTask } from '@plumbline/ports/run-store/sample-run'
import { openHouse, post, toAnswer, type House } from './house.spec'

const callers = Array.from({ length: 8 }, (_, n) => `key-${n}-of-searcher`)
const runs = 500

let house: House
let stored: Run[]
const keyed = (caller = callers[0] ?? '') => ({ headers: { 'x-api-key': caller } })

/** Returns text that compresses about as well as a real run, because a search decompresses and parses each run. */
const words = (n: number): string =>
  Array.from({ length: 5_000 }, (_, at) => (((n + 1) * (at + 7) * 2_654_435_761) % 99_991).toString(36)).join(' ')

/** Stores runs that have ended, as copies of an answered one. */
const storeEnded = async (): Promise<Run[]> => {
  const asked = await post(house.url, '/v1/runs', { question: 'How heavy is Mars?' }, keyed().headers)
  const { id } = (await asked.json()) as { id: string }
  const answered = await house.report(id, ...toAnswer())
  const copies = Array.from({ length: runs - 1 }, (_, n) => {
    const question = `How heavy is moon m${n}? ${n === runs - 2 ? 'Callisto' : ''}`
    return { ...answered, id: `${id}${n}`, createdAt: answered.createdAt - n, question, words: words(n) }
  })
  for (const run of copies) {
    await house.store.create({ ...run, status: 'running', open: [routeTask()] }, [], '')
    const version = (await house.store.load(run.id))?.version ?? ''
    await house.store.commit({ run, version, by: null, events: [], evidence: [] })
  }
  return copies
}

const get = (query: string, caller?: string) => fetch(`${house.url}/v1/runs?${query}`, keyed(caller))
const foundIn = async (answer: Response): Promise<RunList> => {
  expect(answer.status).toBe(200)
  return (await answer.json()) as RunList
}
const search = async (query: string): Promise<RunList> => foundIn(await get(query))

/** Returns the processor time of this process, which does not depend on other programs. */
const processorMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** Returns the processor time for decompressing and parsing all runs without a pause. */
const decodingMs = async (): Promise<number> => {
  const texts = await Promise.all(stored.map(({ id }) => house.redis.hget(`run:{${id}}:state`, 'run')))
  const began = processorMs()
  for (const text of texts) JSON.parse(brotliDecompressSync(Buffer.from(text?.slice(1) ?? '', 'base64')).toString())
  return processorMs() - began
}

/** Measures how much of the processor time is spent in blocks of more than `longerThanMs` between two timer ticks. */
const watchLoop = (longerThanMs: number) => {
  const began = processorMs()
  let last = began
  let blockedMs = 0
  const tick = (): void => {
    const now = processorMs()
    if (now - last > longerThanMs) blockedMs += now - last
    last = now
  }
  const timer = setInterval(tick, 1)
  return {
    blockedShare: (): number => {
      clearInterval(timer)
      tick()
      return blockedMs / (last - began)
    },
  }
}

beforeAll(async () => {
  house = await openHouse({ apiKeys: callers.map((key) => `${key}:t:asker`).join(',') })
  stored = await storeEnded()
})
afterAll(() => house.close())

describe('searches of 500 runs', () => {
  it('of many callers at once leave the event loop free', async () => {
    const wholeMs = await decodingMs()
    const watch = watchLoop(wholeMs / 4)
    const answers = await Promise.all(callers.map((caller) => get('words=callisto', caller)))
    expect(watch.blockedShare()).toBeLessThan(0.3)
    const found = await Promise.all(answers.map(foundIn))
    expect(found.map(({ items }) => items.map(({ id }) => id))).toEqual(callers.map(() => [stored.at(-1)?.id]))
  })

  it('find every word of a question, in pages, and by other fields too', async () => {
    expect((await search('words=HEAVY+moon+m17%3F')).items.map(({ id }) => id)).toEqual([stored[17]?.id])
    const first = await search('words=moon&limit=3')
    expect(first.items.map(({ id }) => id)).toEqual(stored.slice(0, 3).map(({ id }) => id))
    const second = await search(`words=moon&limit=3&cursor=${first.next}`)
    expect(second.items.map(({ id }) => id)).toEqual(stored.slice(3, 6).map(({ id }) => id))
    expect((await search('minCents=100000&status=answered')).items).toEqual([])
  })

  it('of one tenant are bounded: more than it may have at once are refused, and fit later', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => get('words=callisto')))
    const statuses = answers.map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(8)
    const refused = answers.find(({ status }) => status === 429)
    expect(await refused?.json()).toMatchObject({ type: 'urn:plumbline:problem:tenant-limit' })
    expect(Number(refused?.headers.get('retry-after'))).toBeLessThanOrEqual(2)
    expect((await get('words=callisto')).status).toBe(200)
  })
})
