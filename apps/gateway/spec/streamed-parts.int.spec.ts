import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChatChunk, ChatCompletion } from '@plumbline/contracts'
import { checked, decided } from '@plumbline/flow/spec/run-fixtures.spec'
import { openaiDocument } from '@plumbline/testing/model-server/openai/document'
import { evidenceIn, onceOnly, openBeside, openHouse, post, withPolicy, type House } from './house.spec'
import {
  first,
  last,
  second,
  showParts,
  showUpTo,
  shownText,
  toDoubt,
  toFailure,
  toHeldRest,
  toWhole,
  wholeText,
} from './shown-parts.spec'

let house: House
withPolicy('once-only', { ...onceOnly, maxRewrites: 0, maxWebSearches: 0 })
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

const question = 'What is Mars like?'
const body = { model: 'once-only', messages: [{ role: 'user' as const, content: question }] }
const ids = async (): Promise<string[]> => (await house.store.list('default', { cursor: null, limit: 100 })).ids

type Streamed = { id: string; text: Promise<string> }
/** Opens a stream. `key`: the idempotency key. */
const open = async (key: string, fields: object = {}, url = house.url): Promise<Streamed> => {
  const before = await ids()
  const headers = { 'idempotency-key': key }
  const answer = await post(url, '/v1/chat/completions', { ...body, stream: true, ...fields }, headers)
  const [id = ''] = (await ids()).filter((one) => !before.includes(one))
  return { id, text: answer.text() }
}
const chunksIn = (text: string): ChatChunk[] =>
  [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data = '']) => JSON.parse(data) as ChatChunk)
const endOf = async (text: Promise<string>) => {
  const chunks = chunksIn(await text)
  for (const chunk of chunks)
    expect((await openaiDocument())?.faultsOf('CreateChatCompletionStreamResponse', chunk) ?? []).toEqual([])
  const [choice] = chunks.at(-1)?.choices ?? []
  return {
    pieces: chunks.flatMap(({ choices: [one] }) => one?.delta.content || []),
    finish: choice?.finish_reason,
    delta: choice?.delta,
    plumbline: chunks.at(-1)?.plumbline as ChatCompletion['plumbline'],
  }
}
const partial = (state: string) => ({ plumbline: { partial: state }, delta: { plumbline: { partial: state } } })

describe('a streamed completion of an answer that is released in parts', () => {
  it('sends each part as it is released, and then only the remainder', async () => {
    const client = new OpenAI({ apiKey: 'any', baseURL: `${house.url}/v1`, maxRetries: 0 })
    const before = await ids()
    const stream = await client.chat.completions.create({ ...body, stream: true })
    const [id = ''] = (await ids()).filter((one) => !before.includes(one))
    await house.report(id, ...evidenceIn)
    const pieces: string[] = []
    let annotations: ChatCompletion['choices'][number]['message']['annotations'] = []
    await showUpTo(house, id, first)
    for await (const chunk of stream as AsyncIterable<ChatChunk>) {
      const [choice] = chunk.choices
      annotations = choice?.delta.annotations ?? annotations
      if (!choice?.delta.content) continue
      pieces.push(choice.delta.content)
      // Continue the run only after the client has received the previous part.
      if (pieces.length === 1) await showUpTo(house, id, shownText)
      if (pieces.length === 2) await house.report(id, ...toWhole())
    }
    expect(pieces).toEqual([first, ` ${second}`, ` ${last}`])
    const marks = annotations.map(({ url_citation: at }) => wholeText.slice(at.start_index, at.end_index))
    expect(marks).toEqual(['[1]', '[1]', '[1]'])
  })

  it('is the same for the same key, and the whole answer at once without a stream', async () => {
    const stream = await open('replayed')
    await showParts(house, stream.id)
    const during = await open('replayed')
    await house.report(stream.id, ...toWhole())
    const text = await stream.text
    expect(await endOf(Promise.resolve(text))).toMatchObject({ finish: 'stop', plumbline: { status: 'answered' } })
    expect(await during.text).toBe(text)
    expect(await (await open('replayed')).text).toBe(text)
    const whole = await post(house.url, '/v1/chat/completions', body, { 'idempotency-key': 'replayed' })
    const { choices, plumbline } = (await whole.json()) as ChatCompletion
    expect(choices[0]?.message.content).toBe(wholeText)
    expect(text).not.toContain('partial')
    expect(plumbline).not.toHaveProperty('partial')
  })

  it('has the caveat after the text, because the text has begun', async () => {
    const stream = await open('caveat')
    await showParts(house, stream.id)
    const { answer } = await house.report(stream.id, ...toWhole({ usefulness: 1 }))
    expect(answer?.caveat).toBeDefined()
    const { pieces, finish } = await endOf(stream.text)
    expect([pieces.join(''), finish]).toEqual([`${wholeText}\n\n${answer?.caveat}`, 'stop'])
    const whole = await post(house.url, '/v1/chat/completions', body, { 'idempotency-key': 'caveat' })
    expect(((await whole.json()) as ChatCompletion).choices[0]?.message.content).toBe(
      `${answer?.caveat}\n\n${wholeText}`,
    )
  })
})

describe('a streamed completion whose answer stays incomplete', () => {
  it.each([
    ['held', toHeldRest, { status: 'parked' }, 'incomplete'],
    ['doubted', toDoubt, { reason: 'parked.doubted' }, 'doubted'],
    ['failed', toFailure, { status: 'failed' }, 'incomplete'],
  ] as const)('says so in its side field: %s', async (key, reports, run, state) => {
    const stream = await open(key)
    await showParts(house, stream.id)
    await house.report(stream.id, ...reports())
    const end = await endOf(stream.text)
    expect(end).toMatchObject({ finish: 'content_filter', ...partial(state) })
    expect(end.plumbline).toMatchObject(run)
    expect(end.delta?.annotations).toHaveLength(2)
    // This stream, and the stream of a repeated request, contain only the released parts.
    expect(end.pieces).toEqual([first, ` ${second}`])
    expect(await stream.text).not.toMatch(/kg|Venus/)
    expect(await (await open(key)).text).toBe(await stream.text)
  })

  it('says so if it is cancelled, or if it takes too long', async () => {
    const stream = await open('cancelled')
    await showParts(house, stream.id)
    await house.client.cancel(stream.id)
    expect(await endOf(stream.text)).toMatchObject({ finish: 'content_filter', ...partial('incomplete') })
    const slow = await open('slow')
    await showParts(house, slow.id)
    const beside = await openBeside(house, { clientWaitSeconds: 1 })
    const end = await endOf((await open('slow', {}, beside.url)).text)
    expect(end).toMatchObject({ finish: 'length', ...partial('open') })
    expect(end.pieces).toEqual([first, ` ${second}`])
    await beside.close()
    await house.client.cancel(slow.id)
    await slow.text
  })

  it('never continues with the text of a reviewer, and a later stream has that text alone', async () => {
    const edited = 'Mars is a planet [1].'
    const stream = await open('edited')
    await showParts(house, stream.id)
    await house.report(stream.id, ...toHeldRest(), decided(1, { outcome: 'edited', text: edited }))
    const open2 = await open('edited')
    await house.report(stream.id, checked(2))
    const end = await endOf(open2.text)
    expect(end).toMatchObject({ finish: 'content_filter', ...partial('corrected') })
    expect(end.pieces).toEqual([first, ` ${second}`])
    expect(await endOf((await open('edited')).text)).toMatchObject({ finish: 'stop', pieces: [edited] })
  })

  it('sends rejected text to nobody again', async () => {
    const stream = await open('rejected')
    await showParts(house, stream.id)
    await house.report(stream.id, ...toHeldRest(), decided(1, { outcome: 'rejected' }))
    const again = await (await open('rejected')).text
    expect(again).not.toContain(first)
    expect(await endOf(Promise.resolve(again))).toMatchObject({ finish: 'content_filter' })
  })

  it('marks its message, which the router sees if a client sends it back', async () => {
    const client = new OpenAI({ apiKey: 'any', baseURL: `${house.url}/v1`, maxRetries: 0 })
    const before = await ids()
    const stream = client.chat.completions.stream(body)
    await expect.poll(async () => (await ids()).length).toBe(before.length + 1)
    const [id = ''] = (await ids()).filter((one) => !before.includes(one))
    await showParts(house, id)
    await house.report(id, ...toHeldRest())
    const { choices } = await stream.finalChatCompletion()
    const next = { role: 'user' as const, content: 'And Venus?' }
    const messages = [...body.messages, choices[0]!.message, next]
    const followUp = await open('follow-up', { messages })
    expect((await house.store.load(followUp.id))?.run.inThread).toMatchObject({
      question,
      text: `Only the beginning of the answer: ${shownText}`,
      passageIds: [],
    })
    await house.client.cancel(followUp.id)
    await followUp.text
  })
})

describe('the events of an answer that is released in parts', () => {
  const framesOf = (text: string): string[] => text.split('\n\n').filter((frame) => frame.startsWith('id: '))
  const idOf = (frame = ''): string => /^id: (\S+)/.exec(frame)?.[1] ?? ''
  const events = (id: string, after?: string) =>
    fetch(`${house.url}/v1/runs/${id}/events`, after === undefined ? {} : { headers: { 'last-event-id': after } })
  const ask = () =>
    post(
      house.url,
      '/v1/runs',
      { question, policy: 'once-only' },
      { accept: 'text/event-stream', 'idempotency-key': 'raw' },
    )

  it('are the same bytes at the same offsets for every reader', async () => {
    const asked = await ask()
    const id = asked.headers.get('location')?.split('/').at(-1) ?? ''
    await showParts(house, id)
    const early = await events(id)
    await house.report(id, ...toWhole())
    const frames = framesOf(await asked.text())
    expect(framesOf(await early.text())).toEqual(frames)
    expect(framesOf(await (await ask()).text())).toEqual(frames)
    for (const [n, frame] of frames.slice(0, -1).entries())
      expect(framesOf(await (await events(id, idOf(frame))).text())).toEqual(frames.slice(n + 1))
    const parts = frames
      .filter((frame) => frame.includes('\nevent: checked\n'))
      .map((frame) => JSON.parse(frame.split('data: ')[1] ?? '') as { from: number; text: string; citations: unknown })
    expect(parts).toMatchObject([
      { from: 0, text: first, citations: [{ n: 1, title: 'Title p1' }] },
      { from: first.length, text: ` ${second}`, citations: [{ n: 1 }] },
    ])
  })
})

describe('an ask that turns early release off', () => {
  it('releases nothing early, from every address', async () => {
    const { id } = await house.client.ask({ question, releaseBySentence: 'off' })
    const completion = await open('off', { plumbline: { releaseBySentence: 'off' } })
    for (const run of [id, completion.id]) {
      await house.report(run, ...evidenceIn)
      expect(await showUpTo(house, run, first)).toBe('stale')
      expect((await house.report(run, ...toWhole())).shown).toBeUndefined()
    }
    expect((await endOf(completion.text)).pieces).toEqual([wholeText])
  })

  it('cannot turn it on, or say anything else', async () => {
    for (const releaseBySentence of ['on', true, 'never']) {
      const refused = await post(house.url, '/v1/runs', { question, releaseBySentence })
      expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('releaseBySentence')])
    }
  })
})
