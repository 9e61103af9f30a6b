import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checked, drafted } from '@plumbline/flow/spec/run-fixtures.spec'
import { bounds } from '@plumbline/gateway/settings'
import { evidenceIn, openBeside, openHouse, post, toAnswer, withPolicy, type House } from './house.spec'

let house: House
withPolicy('streaming', { streamDrafts: 'on' })
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

const messages = [{ role: 'user', content: 'How heavy is Mars?' }]
const text = 'Mars weighs 6.4e23 kg [1].'

/** Parses the bytes as strictly as a client can: a frame is one line of data with JSON or [DONE], or a comment. */
const framesOf = (bytes: string): unknown[] => {
  expect(bytes.endsWith('\n\n')).toBe(true)
  const frames = bytes.slice(0, -2).split('\n\n')
  return frames.flatMap((frame) => {
    if (/^:[^\n]*$/.test(frame)) return []
    const [, data] = /^data: ([^\n]+)$/.exec(frame) ?? []
    if (data === undefined) throw new Error(`a frame that is neither data nor a comment: ${JSON.stringify(frame)}`)
    return data === '[DONE]' ? [data] : [JSON.parse(data) as unknown]
  })
}

const idsOfRuns = async (): Promise<string[]> => (await house.store.list('default', { cursor: null, limit: 100 })).ids
const stream = async (fields: object = {}, url = house.url): Promise<{ id: string; bytes: Promise<string> }> => {
  const before = await idsOfRuns()
  const answer = await post(url, '/v1/chat/completions', { model: 'standard', messages, stream: true, ...fields })
  expect(answer.status).toBe(200)
  const [id = ''] = (await idsOfRuns()).filter((one) => !before.includes(one))
  return { id, bytes: answer.text() }
}

describe('every frame of a streamed completion is data or a comment', () => {
  it('of an answer with its usage', async () => {
    const { id, bytes } = await stream({ stream_options: { include_usage: true } })
    await house.report(id, ...toAnswer(text))
    const frames = framesOf(await bytes)
    expect(frames.at(-1)).toBe('[DONE]')
    expect(JSON.stringify(frames)).toContain(text)
  })

  it('of a draft and of heartbeats', async () => {
    const { heartbeatMs } = bounds
    bounds.heartbeatMs = 20
    try {
      const { id, bytes } = await stream({ model: 'streaming' })
      await house.report(id, ...evidenceIn)
      await house.store.begin(id, 'generate.1', 'f1', { isolated: true })
      await house.store.appendDraft(id, { taskId: 'generate.1', fence: 'f1', text: 'Mars is' })
      await house.report(id, drafted(1, text), checked(1))
      const frames = framesOf(await bytes)
      expect(frames).toContainEqual(
        expect.objectContaining({ plumbline: { draft: expect.objectContaining({ text: 'Mars is' }) as unknown } }),
      )
    } finally {
      bounds.heartbeatMs = heartbeatMs
    }
  })

  it('of a gateway that stops before the run has ended', async () => {
    const beside = await openBeside(house, {})
    const { bytes } = await stream({}, beside.url)
    await beside.close()
    expect(framesOf(await bytes).at(-1)).toBe('[DONE]')
  })
})

it('the stream of a run still says how soon its reader may come back', async () => {
  const { id } = await house.client.ask({ question: 'How heavy is Venus?' })
  await house.report(id, ...toAnswer(text))
  const events = await fetch(`${house.url}/v1/runs/${id}/events`)
  expect(await events.text()).toMatch(/^retry: \d+\n\n/)
})
