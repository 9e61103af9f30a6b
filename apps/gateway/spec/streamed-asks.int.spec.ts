import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StreamEvent } from '@plumbline/contracts'
import { createClient } from '@plumbline/client'
import { drafted } from '@plumbline/flow/spec/run-fixtures.spec'
import { evidenceIn, onceOnly, openHouse, post, toAnswer, toPark, withPolicy, type House } from './house.spec'

let house: House
withPolicy('once-only', onceOnly)
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

const question = 'How heavy is Mars?'
const stream = { accept: 'text/event-stream' }
const ask = (headers: Record<string, string> = {}, body: object = { question }) =>
  post(house.url, '/v1/runs', body, { ...stream, ...headers })
const idOf = (response: Response): string => response.headers.get('location')?.split('/').at(-1) ?? ''
const framesOf = (text: string): string[] => text.split('\n\n').filter((frame) => frame.startsWith('id: '))

describe('an ask whose answer is the stream', () => {
  it('sends what GET /v1/runs/:id/events sends, with the same ids, and names its run', async () => {
    const response = await ask()
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
    const id = idOf(response)
    expect((await house.client.run(id)).status).toBe('queued')
    const sent = response.text()
    await house.report(id, ...toAnswer())
    const frames = framesOf(await sent)
    const again = await (await fetch(`${house.url}/v1/runs/${id}/events`)).text()
    expect(frames).toEqual(framesOf(again))
    expect(frames.at(-1)).toContain('"text":"Mars weighs 6.4e23 kg [1]."')
    const [, third = ''] = /^id: (\S+)/.exec(frames[2] ?? '') ?? []
    const rest = await fetch(`${house.url}/v1/runs/${id}/events`, { headers: { 'last-event-id': third } })
    expect(framesOf(await rest.text())).toEqual(frames.slice(3))
  })

  it('gives with the same key the same run from its beginning', async () => {
    const first = await ask({ 'idempotency-key': 'streamed-1' })
    await house.report(idOf(first), ...toAnswer())
    const frames = framesOf(await first.text())
    const second = await ask({ 'idempotency-key': 'streamed-1' })
    expect(idOf(second)).toBe(idOf(first))
    expect(framesOf(await second.text())).toEqual(frames)
  })

  it('is JSON for clients that accept it too, and a problem if it is refused', async () => {
    const both = await ask({ accept: 'application/json, text/event-stream' })
    expect([both.status, both.headers.get('content-type')]).toEqual([202, 'application/json; charset=utf-8'])
    const refused = await ask({}, { question: '' })
    expect([refused.status, refused.headers.get('content-type')]).toEqual([400, 'application/problem+json'])
  })

  it('ends when the run is cancelled, and shows nothing of a draft that is held', async () => {
    const response = await ask({}, { question, policy: 'once-only' })
    const id = idOf(response)
    const sent = response.text()
    await house.report(id, ...toPark('Mars is made of canary cheese [1].'))
    await house.client.cancel(id)
    const text = await sent
    expect(text).toContain('event: parked')
    expect(text).toContain('"status":"cancelled"')
    expect(text).not.toContain('canary')
  })

  it('is followed by the client, which continues after a break of the stream', async () => {
    let cuts = 0
    // End the response of the POST after its third event, as if a proxy closed the connection.
    const cutting: typeof fetch = async (input, init) => {
      const response = await fetch(input, init)
      if (init?.method !== 'POST' || !response.body) return response
      let frames = 0
      const body = response.body.pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform: (chunk, controller) => {
            controller.enqueue(chunk)
            frames += Buffer.from(chunk).toString().split('\nevent: ').length - 1
            if (frames < 3) return
            cuts += 1
            controller.terminate()
          },
        }),
      )
      return new Response(body, { status: response.status, headers: response.headers })
    }
    const client = createClient({ url: house.url, fetch: cutting })
    const seen: StreamEvent[] = []
    for await (const event of client.askEvents({ question: 'How heavy is Mars, cut?' })) {
      seen.push(event)
      if (event.type !== 'asked') continue
      const [run] = (await house.client.runs({ words: 'cut' })).items
      await house.report(run?.id ?? '', ...evidenceIn, drafted(1, 'Mars weighs 6.4e23 kg [1].'))
      void house.report(run?.id ?? '', ...toAnswer().slice(-1))
    }
    expect(cuts).toBe(1)
    expect(seen.map(({ type }) => type)).toEqual([
      'asked',
      'routed',
      'planned',
      'step-opened',
      'researched',
      'writing',
      'checking',
      'ended',
    ])
  })
})
