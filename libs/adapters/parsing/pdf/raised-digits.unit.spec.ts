import { expect, it } from 'vitest'
import { withoutRaised } from './raised-digits'

const font = { font: 'F', size: 10, bold: false, mono: false, glued: false, ascent: 9, height: 12 }
const plain = (text: string, width: number) => ({ ...font, text, x: 0, right: width, y: 100, bottom: 112 })
const tall = (text: string, width: number) => ({ ...plain(text, width), y: 99.5 })
const read = (...words: ReturnType<typeof plain>[]): string[] => withoutRaised(words).map(({ text }) => text)

it('tells raised digits by the box that is taller than their font, and narrower than its digits', () => {
  expect(read(plain('120', 18), tall('1,204.52', 39.9))).toEqual(['120', '1,204.5', '2'])
  expect(read(plain('120', 18), tall('98.5%1,2', 40))).toEqual(['120', '98.5%', '1,2'])
})

it('leaves numbers of full width, words, and a font of which no number is known', () => {
  expect(read(plain('120', 18), tall('1,204.52', 42), plain('345', 15), tall('Rome1', 28))).toEqual([
    '120',
    '1,204.52',
    '345',
    'Rome1',
  ])
  expect(read(tall('1,204.52', 39.9), tall('55%1', 25))).toEqual(['1,204.52', '55%1'])
})
