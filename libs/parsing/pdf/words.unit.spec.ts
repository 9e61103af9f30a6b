import { expect, it } from 'vitest'
import { linesOf } from './lines'
import { wordsOf } from './words'

const font = { fontSize: 12, fontHeight: 12, fontAscent: 9, fontDescent: -3, height: 12 }
/** Like a symbol font: on the same baseline, the stated height is two and a half times the font size. */
const signs = { ...font, fontName: 'SymbolMT', fontAscent: 24, fontDescent: -6, height: 30 }

it('places a sign on its line even if its font claims to be far too tall', () => {
  const foots = [100, 114, 128, 142]
  const words = wordsOf(
    foots.flatMap((foot, at) => [
      ...(at % 2 === 1 ? [{ ...signs, text: '•', x: 50, y: foot - 24, width: 6 }] : []),
      { ...font, fontName: 'Garamond', text: `line${at}`, x: 70, y: foot - 9, width: 200 },
    ]),
  )
  expect(linesOf(words).map((line) => line.map(({ text }) => text))).toEqual([
    ['line0'],
    ['•', 'line1'],
    ['line2'],
    ['•', 'line3'],
  ])
})
