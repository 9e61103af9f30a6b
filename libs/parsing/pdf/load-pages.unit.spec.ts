import { expect, it } from 'vitest'
import { ranges } from '../page-ranges'
import { rulesOf } from './load-pages'
import { splitSuperscripts } from './words'

it('names pages in ranges', () => {
  expect(ranges([2])).toBe('page 2')
  expect(ranges([3, 4, 5, 6, 7])).toBe('pages 3–7')
  expect(ranges([1, 3, 4, 9])).toBe('pages 1, 3–4 and 9')
})

/** Returns short lines that do not touch each other, as on a map. */
const strokes = (count: number) => ({
  shapes: [],
  lines: Array.from({ length: count }, (_, index) => {
    const [x, y] = [(index % 50) * 12, Math.floor(index / 50) * 4]
    return { x1: x, x2: x + 6, y1: y, y2: y, stroke: true, fill: false }
  }),
})

it('gives the drawn lines of a page, but none of a drawing', () => {
  expect(rulesOf(strokes(3_000)).across).toHaveLength(3_000)
  expect(rulesOf(strokes(3_001))).toEqual({ across: [], down: [] })
  expect(rulesOf()).toEqual({ across: [], down: [] })
})

const font = { font: 'F', size: 10, bold: false, mono: false, glued: false, ascent: 9, height: 12 }
const plain = (text: string, width: number) => ({ ...font, text, x: 0, right: width, y: 100, bottom: 112 })
const tall = (text: string, width: number) => ({ ...plain(text, width), y: 99.5 })
const read = (...words: ReturnType<typeof plain>[]): string[] => splitSuperscripts(words).map(({ text }) => text)

it('tells raised digits by the box that is taller than their font, and narrower than its digits', () => {
  expect(read(plain('120', 18), tall('1,204.52', 39.9))).toEqual(['120', '1,204.5', '2'])
  expect(read(plain('120', 18), tall('98.5%1,2', 40))).toEqual(['120', '98.5%', '1,2'])
})

it('leaves full-width numbers, words, and fonts without known numbers unchanged', () => {
  expect(read(plain('120', 18), tall('1,204.52', 42), plain('345', 15), tall('Rome1', 28))).toEqual([
    '120',
    '1,204.52',
    '345',
    'Rome1',
  ])
  expect(read(tall('1,204.52', 39.9), tall('55%1', 25))).toEqual(['1,204.52', '55%1'])
})
