import { expect, it } from 'vitest'
import { segmentOf, segmentsOf, withJustified } from './lines'
import { segmentAt, wordsAt } from './placed.fixture'

const raised = (text: string, x: number) => wordsAt(text, x, 98, { size: 7, bottom: 105, glued: true })
const behind = (text: string, mark: string): string =>
  segmentOf([...wordsAt(text, 0, 100), ...raised(mark, text.length * 5), ...wordsAt('kg', 60, 100)]).text

it('separates a raised number from the text before it', () => {
  expect(behind('10', '24')).toBe('10^24 kg')
  expect(behind('1,234', '1')).toBe('1,234^1 kg')
  expect(behind('1', 'st')).toBe('1st kg')
  expect(
    segmentOf([...wordsAt('H', 0, 100), ...wordsAt('2', 5, 104, { size: 7, bottom: 111, glued: true })]).text,
  ).toBe('H2')
})

const full = (y: number) => segmentAt('these words fill all the column', 0, y)
const prose = [full(100), full(112), full(124)]
const width = prose[0]?.right ?? 0
const read = (words: [string, number][]): string[] =>
  withJustified([...prose, ...words.map(([text, x]) => segmentAt(text, x, 136))])
    .slice(3)
    .map(({ text }) => text)

it('makes a justified line whole that was drawn wide apart between the edges of its column', () => {
  expect(width).toBe(155)
  expect(
    read([
      ['winter', 0],
      ['hall', 58],
      ['measured', 115],
    ]),
  ).toEqual(['winter', 'hall', 'measured'])
  expect(
    read([
      ['winter', 0],
      ['demand', 57.5],
      ['measured', 115],
    ]),
  ).toEqual(['winter demand measured'])
})

it('leaves cells beside the column, and outside of running text, unchanged', () => {
  expect(
    read([
      ['winter', 0],
      ['demand', 57.5],
      ['measured', 115],
      ['1.15', 200],
      ['0.5', 260],
    ]),
  ).toEqual(['winter demand measured', '1.15', '0.5'])
  expect(
    read([
      ['winter', 0],
      ['demand', 57.5],
      ['and', 115],
    ]),
  ).toEqual(['winter', 'demand', 'and'])
  expect(withJustified([segmentAt('a', 0, 10), segmentAt('b', 30, 10), segmentAt('c', 60, 10)])).toHaveLength(3)
})

it('joins a currency sign, a bracket and a percent sign in columns of their own with their number', () => {
  const cells = (...placed: [string, number][]): string[] =>
    segmentsOf(placed.flatMap(([text, x]) => wordsAt(text, x, 100))).map(({ text }) => text)
  expect(cells(['Revenue', 0], ['$', 100], ['12,345', 150], ['€', 200], ['7.1', 260])).toEqual([
    'Revenue',
    '$12,345',
    '€7.1',
  ])
  expect(cells(['Loss', 0], ['(4,321', 100], [')', 134], ['(9', 200], [')%', 212], ['20.0', 300], ['%', 326])).toEqual([
    'Loss',
    '(4,321)',
    '(9)%',
    '20.0%',
  ])
  expect(cells(['a', 0], ['$', 10], ['5', 18], ['rate', 60], ['100', 95], ['%', 112])).toEqual([
    'a $ 5',
    'rate',
    '100 %',
  ])
  expect(cells(['$', 0], ['Budget', 40], ['5', 300], ['%', 340])).toEqual(['$', 'Budget', '5', '%'])
})
