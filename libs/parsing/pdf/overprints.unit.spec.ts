import { describe, expect, it } from 'vitest'
import { withoutRepeats } from './overprints'
import type { Word } from './page'

/** Returns a word whose letters are five points wide and whose box is eleven points high. */
const at = (text: string, x: number, y = 100, more: Partial<Word> = {}): Word => ({
  text,
  x,
  y,
  right: x + 5 * text.length,
  bottom: y + 11,
  size: 10,
  font: 'F',
  bold: false,
  mono: false,
  glued: false,
  ...more,
})
const read = (...words: Word[]) => {
  const { words: kept, overprinted } = withoutRepeats(words)
  return [kept, overprinted].map((some) => some.map(({ text, glued }) => `${glued ? '+' : ''}${text}`).join(' '))
}

describe('words drawn over each other', () => {
  it('are reported if their texts differ and one covers most of the other', () => {
    expect(read(at('Total', 10), at('9,875.50', 12), at('euros', 80))).toEqual([
      'Total 9,875.50 euros',
      'Total 9,875.50',
    ])
    expect(read(at('Total', 10), at('9,875.50', 12, 104))).toEqual(['Total 9,875.50', 'Total 9,875.50'])
    expect(read(at('Total', 10), at('9,875.50', 23))[1]).toBe('')
    expect(read(at('Total', 10), at('9,875.50', 12, 106))[1]).toBe('')
  })

  it('are none in a filled form, in a watermark, across, or for marks on letters', () => {
    expect(read(at('________', 10), at('Miller', 14))[1]).toBe('')
    expect(read(at('D', 10, 60, { size: 60, right: 60, bottom: 126 }), at('Miller', 14))[1]).toBe('')
    expect(read(at('Miller', 10, 60, { turned: 'up', right: 21, bottom: 126 }), at('1', 12))[1]).toBe('')
    expect(read(at('/e~iɛ', 10), at('i/', 21))[1]).toBe('')
  })

  it('are read once where letters are drawn again at their place, with the space before them', () => {
    expect(read(at('paid', 80), at('paid', 80.4))).toEqual(['paid', ''])
    expect(read(at('S', 10), at('Specifies', 10.2, 100, { glued: true }), at('s', 50.3))).toEqual(['Specifies', ''])
    expect(read(at('paid', 80), at('1', 115), at('2111', 101))).toEqual(['paid 2111', ''])
    expect(read(at('2111', 101), at('2', 115))).toEqual(['2111 2', ''])
  })
})
