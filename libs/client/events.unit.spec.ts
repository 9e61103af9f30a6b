import { array, assert, asyncProperty, constantFrom, integer, record, string } from 'fast-check'
import { describe, expect, inject, it } from 'vitest'
import { messages, type Message } from './events'

async function* chunksOf(bytes: Uint8Array, cuts: number[]): AsyncGenerator<Uint8Array> {
  let from = 0
  for (const at of [...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]) {
    if (at > from) yield bytes.slice(from, at)
    from = Math.max(from, at)
  }
}
const read = async (bytes: Uint8Array, cuts: number[]): Promise<Message[]> => {
  const seen: Message[] = []
  for await (const message of messages(chunksOf(bytes, cuts))) seen.push(message)
  return seen
}
const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('server-sent events', () => {
  it('are the same however their bytes were cut', async () => {
    const event = record({
      id: constantFrom('1-0', '17-3'),
      text: string({ unit: 'grapheme' }).map((text) => JSON.stringify(text)),
    })
    await assert(
      asyncProperty(
        array(event, { minLength: 1, maxLength: 6 }),
        array(integer({ min: 0 }), { maxLength: 12 }),
        async (events, cuts) => {
          const bytes = encode(events.map(({ id, text }) => `id: ${id}\nevent: x\ndata: ${text}\n\n`).join(''))
          expect(await read(bytes, cuts)).toEqual(events.map(({ id, text }) => ({ id, data: text })))
        },
      ),
      { seed: inject('seed') },
    )
  })

  it('may have other line ends, several data lines, comments and no space', async () => {
    expect(await read(encode(': beat\n\nid:1-0\r\ndata:a\r\ndata: b\r\n\r\nretry: 5\n\n'), [])).toEqual([
      { id: undefined, data: '' },
      { id: '1-0', data: 'a\nb' },
      { id: undefined, data: '' },
    ])
  })

  it('may end their lines with carriage returns alone', async () => {
    const bytes = encode('id: 1-0\rdata: a\r\rdata: b\r\rdata: c\r\r')
    expect((await read(bytes, [])).map(({ data }) => data)).toEqual(['a', 'b', 'c'])
    expect((await read(bytes, [9, 17, 18])).map(({ data }) => data)).toEqual(['a', 'b', 'c'])
  })

  it('that were cut off are not passed on', async () => {
    expect(await read(encode('data: a\n\ndata: half'), [])).toEqual([{ id: undefined, data: 'a' }])
  })
})
