import { get } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StreamEvent } from '@plumbline/contracts'
import { checked, drafted } from '@plumbline/flow/spec/run-fixtures.spec'
import { evidenceIn, onceOnly, openHouse, toAnswer, toPark, withPolicy, type House } from './house.spec'

let house: House
withPolicy('once-only', onceOnly)
withPolicy('streaming', { streamDrafts: 'on' })
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

const question = 'How heavy is Mars?'
const all = async (events: AsyncIterable<StreamEvent>): Promise<StreamEvent[]> => {
  const seen: StreamEvent[] = []
  for await (const event of events) seen.push(event)
  return seen
}
const asked = async (policy = 'standard') => (await house.client.ask({ question, policy })).id
const typesOf = (events: StreamEvent[]): string[] => events.map((event) => event.type)
const askerTypes = ['asked', 'routed', 'planned', 'step-opened', 'researched', 'writing', 'checking', 'ended']

/** Returns the first `bytes` bytes of the raw stream. */
const cut = (id: string, bytes: number, after?: string): Promise<string> =>
  new Promise((resolve) => {
    let text = ''
    const request = get(
      `${house.url}/v1/runs/${id}/events`,
      { headers: after ? { 'last-event-id': after } : {} },
      (response) => {
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString()
          if (text.length >= bytes) request.destroy()
        })
        response.on('close', () => resolve(text.slice(0, bytes)))
      },
    )
    request.on('error', () => resolve(text.slice(0, bytes)))
  })
const framesOf = (text: string): { id: string; data: string }[] =>
  [...text.matchAll(/id: (\S+)\nevent: \S+\ndata: (.*)\n\n/g)].map(([, id = '', data = '']) => ({ id, data }))

describe('a stream', () => {
  it('shows an asker what happens as it happens, and ends with the answer', async () => {
    const id = await asked()
    const watching = all(house.client.events(id))
    await house.report(id, ...toAnswer())
    const events = await watching
    expect(typesOf(events)).toEqual(askerTypes)
    expect(events.at(-1)).toMatchObject({
      type: 'ended',
      status: 'answered',
      answer: { text: 'Mars weighs 6.4e23 kg [1].', citations: [{ n: 1, text: 'Text of p1.', title: 'Title p1' }] },
    })
  })

  it('shows the desk everything', async () => {
    const id = await asked()
    await house.report(id, ...toAnswer())
    const events = await all(house.client.events(id, { audience: 'desk' }))
    expect(typesOf(events)).toEqual(expect.arrayContaining(['queried', 'evidence-graded', 'drafted', 'answer-graded']))
    expect(events).toHaveLength((await house.store.ledger(id, null, 100)).length)
  })

  it('of an ended run comes at once', async () => {
    const id = await asked()
    await house.report(id, ...toAnswer())
    expect(typesOf(await all(house.client.events(id)))).toEqual(askerTypes)
  })

  it('has the ids of the ledger and continues after any of them', async () => {
    const id = await asked()
    await house.report(id, ...toAnswer())
    const ledger = await house.store.ledger(id, null, 100)
    const frames = framesOf(await cut(id, 1e6))
    expect(frames.map((frame) => frame.id)).toEqual(
      ledger.filter(({ event }) => event.audience === 'asker').map((entry) => entry.id),
    )
    for (const [n, frame] of frames.entries()) {
      expect(framesOf(await cut(id, 1e6, frame.id))).toEqual(frames.slice(n + 1))
    }
  })

  it('cut at any byte and taken up again is the same stream', async () => {
    const id = await asked()
    await house.report(id, ...toAnswer())
    const whole = framesOf(await cut(id, 1e6))
    const length = (await cut(id, 1e6)).length
    for (let at = 1; at < length; at += Math.ceil(length / 40)) {
      const first = framesOf(await cut(id, at))
      expect([...first, ...framesOf(await cut(id, 1e6, first.at(-1)?.id))]).toEqual(whole)
    }
  })

  it('that has no further events returns 204', async () => {
    const id = await asked()
    await house.report(id, ...toAnswer())
    const last = (await house.store.ledger(id, null, 100)).at(-1)
    const answer = await fetch(`${house.url}/v1/runs/${id}/events`, { headers: { 'last-event-id': last?.id ?? '' } })
    expect(answer.status).toBe(204)
    expect(await all(house.client.events(id, { after: last?.id ?? '' }))).toEqual([])
  })

  it('reports a gap if the last seen event no longer exists, and repeats all stored events', async () => {
    const id = await asked()
    await house.report(id, ...evidenceIn)
    const watching = all(house.client.events(id, { after: '1-1' }))
    await house.report(id, ...toAnswer().slice(evidenceIn.length))
    const [gap, ...rest] = await watching
    expect(gap).toEqual({ type: 'gap', after: '1-1' })
    expect(typesOf(rest)).toEqual(askerTypes)
    // The stream of an ended run also reports the gap, because the reader's last event no longer exists.
    expect(typesOf(await all(house.client.events(id, { after: '1-1' })))).toEqual(['gap', ...askerTypes])
    const desk = await all(house.client.events(id, { after: '1-1', audience: 'desk' }))
    expect(desk).toHaveLength(1 + (await house.store.ledger(id, null, 100)).length)
  })

  it('ends with a gap if its run is deleted while the stream is open', async () => {
    const id = await asked()
    const response = await fetch(`${house.url}/v1/runs/${id}/events`)
    const text = response.text()
    const [last] = (await house.store.ledger(id, null, 100)).slice(-1)
    await expect.poll(() => house.redis.pubsub('NUMSUB', `run:{${id}}:ledger`)).toEqual([`run:{${id}}:ledger`, 1])
    await house.redis.del(`run:{${id}}:state`, `run:{${id}}:ledger`)
    await house.redis.publish(`run:{${id}}:ledger`, '')
    expect((await text).endsWith(`event: gap\ndata: {"type":"gap","after":"${last?.id}"}\n\n`)).toBe(true)
  })

  it('of one run is read once, however many watch it', async () => {
    const own = await openHouse()
    const { id } = await own.client.ask({ question })
    const watching = Array.from({ length: 100 }, () => all(own.client.events(id)))
    const reads = async (): Promise<number> =>
      Number(/cmdstat_xrange:calls=(\d+)/.exec(await own.redis.info('commandstats'))?.[1] ?? 0)
    const streams = async () => /plumbline_streams (\d+)/.exec(await (await fetch(`${own.url}/metrics`)).text())?.[1]
    await expect.poll(streams).toBe('100')
    await own.report(id, ...evidenceIn)
    const before = await reads()
    await own.report(id, ...toAnswer().slice(evidenceIn.length))
    for (const seen of await Promise.all(watching)) expect(typesOf(seen)).toEqual(askerTypes)
    // Each commit wakes all 100 streams. If each stream read the events itself, there would be 100 times as many reads.
    expect((await reads()) - before).toBeLessThan(60)
    await own.close()
  })

  it('is woken in another gateway too', async () => {
    const other = await openHouse({ redisUrl: house.server.url })
    const id = await asked()
    const watching = all(other.client.events(id))
    await house.client.cancel(id)
    expect((await watching).at(-1)).toMatchObject({ type: 'ended', status: 'cancelled' })
    await other.close()
  })

  it('continues after Redis was away', async () => {
    const own = await openHouse()
    const { id } = await own.client.ask({ question })
    const seen: StreamEvent[] = []
    const watching = (async () => {
      for await (const event of own.client.events(id)) seen.push(event)
    })()
    await expect.poll(() => typesOf(seen)).toEqual(['asked'])
    await own.server.kill()
    await own.server.start()
    await expect
      .poll(() =>
        own.store.load(id).then(
          (loaded) => loaded?.run.id,
          () => undefined,
        ),
      )
      .toBe(id)
    await own.report(id, ...toAnswer())
    await watching
    expect(typesOf(seen)).toEqual(askerTypes)
    await own.close()
  })
})

describe('a draft', () => {
  const deltas = async (id: string, fence: string, ...texts: string[]) => {
    for (const text of texts) await house.store.appendDraft(id, { taskId: 'generate.1', fence, text })
  }
  const begin = (id: string, fence: string) => house.store.begin(id, 'generate.1', fence, { isolated: true })
  const textOf = (events: StreamEvent[]): string =>
    events.reduce((text, event) => (event.type === 'draft' ? text.slice(0, event.from) + event.text : text), '')

  it('is streamed if the policy says so, marked unchecked, and a new start voids earlier text', async () => {
    const id = await asked('streaming')
    await house.report(id, ...evidenceIn)
    const seen: StreamEvent[] = []
    const watching = (async () => {
      for await (const event of house.client.events(id)) seen.push(event)
    })()
    await begin(id, 'f1')
    await deltas(id, 'f1', 'Mars is ', 'made of')
    await expect.poll(() => textOf(seen)).toBe('Mars is made of')
    await begin(id, 'f2')
    await deltas(id, 'f2', 'Mars weighs ', 'a lot [1].')
    await expect.poll(() => textOf(seen)).toBe('Mars weighs a lot [1].')
    expect(seen.filter((event) => event.type === 'draft').every((event) => event.unchecked)).toBe(true)
    await house.report(id, drafted(1, 'Mars weighs a lot [1].'), checked(1))
    await watching
    expect(typesOf(seen.filter((event) => event.type !== 'draft'))).toEqual(askerTypes)
  })

  it('is complete for readers who stay and who return during the check', async () => {
    const id = await asked('streaming')
    await house.report(id, ...evidenceIn)
    const seen: StreamEvent[] = []
    const watching = (async () => {
      for await (const event of house.client.events(id)) seen.push(event)
    })()
    await begin(id, 'f1')
    await deltas(id, 'f1', 'Mars weighs ')
    await expect.poll(() => textOf(seen)).toBe('Mars weighs ')
    await deltas(id, 'f1', 'a lot [1].')
    await house.report(id, drafted(1, 'Mars weighs a lot [1].'))
    const later: StreamEvent[] = []
    const watchingLater = (async () => {
      for await (const event of house.client.events(id)) later.push(event)
    })()
    await expect.poll(() => textOf(later)).toBe('Mars weighs a lot [1].')
    await house.report(id, checked(1))
    await Promise.all([watching, watchingLater])
    expect(textOf(seen)).toBe('Mars weighs a lot [1].')
    const types = typesOf(seen)
    expect(types.lastIndexOf('draft')).toBeLessThan(types.indexOf('checking'))
  })

  it('is not streamed by any other policy', async () => {
    const id = await asked()
    await house.report(id, ...evidenceIn)
    await begin(id, 'f1')
    await deltas(id, 'f1', 'Mars is made of cheese')
    const watching = all(house.client.events(id))
    await house.report(id, drafted(1), checked(1))
    expect(typesOf(await watching)).toEqual(askerTypes)
  })
})

describe('waiting for an answer', () => {
  it('a parked run says so and continues after its decision', async () => {
    const id = await asked('once-only')
    const watching = all(house.client.events(id))
    await house.report(id, ...toPark())
    await house.client.decide(id, { taskId: 'review.1', decisionId: 'd1', action: 'approve' })
    const events = await watching
    expect(typesOf(events)).toEqual([...askerTypes.slice(0, -1), 'parked', 'ended'])
    expect(events.at(-1)).toMatchObject({ reason: 'answered.decided', answer: { text: 'Mars is made of cheese [1].' } })
  })
})
