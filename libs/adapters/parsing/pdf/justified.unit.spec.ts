import { expect, it } from 'vitest'
import { withJustified } from './justified'
import { segmentAt } from './placed.fixture'

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

it('leaves cells beside the column, and where no text runs, as they are', () => {
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
