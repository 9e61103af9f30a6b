import { describe, expect, it } from 'vitest'
import { utf32 } from './spec/utf32'
import { decodeText, decodedPieces, pageText } from './text-encoding'

const bytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex.replaceAll(' ', ''), 'hex'))
const cp866 = bytes('8e e2 a4 a5 ab 3b 91 e3 ac ac a0 0a 8f e0 ae a4 a0 a6 a8 3b 31 32 30 0a')
const shiftJis = bytes('95 94 96 e5 2c 94 84 8f e3 0a 93 8c 8b 9e 96 7b 8e d0 2c 31 32 30 0a')
const page = (declared: string, hex: string): Uint8Array =>
  Buffer.concat([Buffer.from(`<html><head><meta charset="${declared}"></head><body><p>`), bytes(hex)])
const windows1251 = 'cf f0 e8 e2 e5 f2 2c 20 fd f2 ee 20 ee f2 f7 b8 f2 20 ee 20 ef f0 ee e4 e0 e6 e0 f5'

describe('the encoding of a text', () => {
  it('is told by its characters, even in a short text', () => {
    expect(decodeText(cp866)).toBe('Отдел;Сумма\nПродажи;120\n')
    expect(decodeText(shiftJis)).toBe('部門,売上\n東京本社,120\n')
    expect(decodeText(Buffer.from('Größe;Menge\nStück;5\n', 'latin1'))).toBe('Größe;Menge\nStück;5\n')
    expect(decodeText(Buffer.from('Price £5, ±3 °C, © 2020', 'latin1'))).toBe('Price £5, ±3 °C, © 2020')
  })

  it('is not what a page says where its characters say otherwise', () => {
    for (const declared of ['iso-8859-1', 'utf-8', 'nonsense'])
      expect(pageText(page(declared, windows1251)), declared).toContain('Привет, это отчёт о продажах')
    expect(pageText(page('windows-1251', 'cf'))).toContain('П')
  })

  it.each(['utf-32le', 'utf-32be'])('is %s by its mark of four bytes', (encoding) => {
    const text = 'Zürich 中文 😀\n'
    expect(decodeText(utf32(text, encoding))).toBe(text)
    expect(pageText(utf32('<p>Zürich', encoding))).toBe('<p>Zürich')
    const long = '😀é'.repeat(200_000)
    expect([...decodedPieces(utf32(long, encoding))].join('')).toBe(long)
    const damaged = Buffer.concat([utf32('a', encoding), bytes('ff ff ff ff 00 d8 00 00 00 00 d8 00 61')])
    expect(decodeText(damaged)).toMatch(/^a\ufffd/)
    expect(decodeText(damaged).isWellFormed()).toBe(true)
  })
})
