import { describe, expect, it } from 'vitest'
import { readText } from './read-text'

const read = (bytes: Uint8Array) => readText(bytes, { name: 'a.txt' })
const of = (text: string, encoding: BufferEncoding = 'utf8'): Uint8Array => Uint8Array.from(Buffer.from(text, encoding))

describe('readText', () => {
  it.each([
    ['UTF-8', of('Zürich\r\n# 1')],
    ['UTF-8 that says so', of('\uFEFFZürich\r\n# 1')],
    ['UTF-16', of('\uFEFFZürich\n# 1', 'utf16le')],
    ['UTF-16 that does not say so', of('Zürich\n# 1', 'utf16le')],
    ['Windows-1252', of('Zürich\r# 1', 'latin1')],
  ])('reads %s', async (_, bytes) =>
    expect(await read(bytes)).toEqual({ markup: 'text', parts: [{ text: 'Zürich\n# 1' }] }),
  )

  it('reads what a program printed in colors', async () =>
    expect(await read(of('\u001b[1;31mERROR\u001b[0m disk full'))).toEqual({
      markup: 'text',
      parts: [{ text: 'ERROR disk full' }],
    }))

  it('begins a page at each form feed', async () =>
    expect(await read(of('one\n\f\n\ftwo\f'))).toEqual({
      markup: 'text',
      parts: [
        { page: 1, text: 'one\n' },
        { page: 3, text: 'two' },
      ],
      pages: 3,
    }))

  it.each([
    ['no-text', of(' \n\t')],
    ['mislabelled', Uint8Array.from({ length: 400 }, (_, at) => (at * 37) % 256)],
    ['mislabelled', of(`%PDF-1.7\n${'\u0001\u0002 abc'.repeat(50)}`)],
  ])('refuses what is %s', async (reason, bytes) => expect(read(bytes)).rejects.toMatchObject({ reason }))
})
