import { describe, expect, it } from 'vitest'
import { isDamaged, isMisdecoded, isRightToLeft, withTextWarnings } from './text-health'

/** Decodes UTF-8 in another encoding, like a program that guesses the encoding wrong. */
const misread = (text: string, as: string): string => new TextDecoder(as).decode(new TextEncoder().encode(text))

describe('text that was decoded in a wrong encoding', () => {
  it.each([
    'Größe und Maß der Tür',
    'déjà vu à la fenêtre',
    'Příliš žluťoučký kůň',
    'Цена за единицу',
    '価格と数量',
    'it’s “quoted” – twice',
  ])('is recognized in the same text unchanged: %s', (text) => {
    for (const as of ['windows-1252', 'iso-8859-1']) expect(isMisdecoded(misread(text, as))).toBe(true)
    expect(isMisdecoded(text)).toBe(false)
  })

  it.each(['plain words', '„Spaß“ und „Fuß“ für Möbel, Bücher und Öl', 'AÇÃO À MÃO', '«CAFÉ» — 20 °C ± 1'])(
    'is not what other text is: %s',
    (text) => expect(isMisdecoded(text)).toBe(false),
  )
})

it('is damaged if more than one letter in a hundred is unreadable', () => {
  expect(isDamaged(`${'a'.repeat(200)}\ufffd\ue001`)).toBe(false)
  expect(isDamaged(`${'a'.repeat(200)}\ufffd\ue001\u0003`)).toBe(true)
  expect(isDamaged('')).toBe(false)
})

it('runs from right to left where its letters do', () => {
  expect(isRightToLeft('שלום עולם, in two scripts')).toBe(true)
  expect(isRightToLeft('The letter א comes first in it')).toBe(false)
})

it('is named with its pages, once for each kind', () => {
  const warnings = (pages: (number | undefined)[]) =>
    withTextWarnings({
      markup: 'text',
      parts: pages.map((page) => ({ ...(page !== undefined && { page }), text: '\ufffd\ufffd' })),
    }).warnings
  expect(warnings([2, 3])).toMatchObject([
    { kind: 'damaged-text', pages: [2, 3], words: expect.stringContaining('of pages 2–3 are missing') as unknown },
  ])
  expect(warnings([undefined])).toEqual([
    { kind: 'damaged-text', words: expect.stringContaining('Letters of the text are missing') as unknown },
  ])
  const said = [{ kind: 'damaged-text' as const, words: 'Said before.' }]
  expect(withTextWarnings({ markup: 'text', parts: [{ text: '\ufffd' }], warnings: said }).warnings).toBe(said)
})
