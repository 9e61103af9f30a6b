import { describe, expect, it } from 'vitest'
import { hyphensOf } from './line-text'
import type { Page, Rule } from './page'
import { wordsAt } from './placed.fixture'
import { findTables } from './find-tables'

const keeps = hyphensOf([])
const rule = (at: number, from = 50, to = 450): Rule => ({ at, from, to })

const wordsIn = (rows: readonly string[][], xs: readonly number[], step = 14): Page['words'] =>
  rows.flatMap((row, index) =>
    row.flatMap((text, column) => (text === '' ? [] : wordsAt(text, xs[column] ?? 0, 100 + index * step))),
  )

const tablesOf = (words: Page['words'], across: Rule[], down: Rule[] = []): string[][][] =>
  findTables({ number: 1, width: 600, height: 800, words, rules: { across, down }, pictured: false }, keeps).tables.map(
    ({ rows }) => rows,
  )

const xs = [54, 204, 304, 404]
const body = [
  ['North', '1,204', '2,310', '11'],
  ['South', '1,310', '2,415', '12'],
  ['West', '1,411', '2,520', '13'],
]

describe('tables that drawn lines show', () => {
  it('parts rows and columns that share one drawn field', () => {
    const words = wordsIn([['Region', '2023', '2024', 'Staff'], ...body], xs)
    const frame = [rule(98), rule(112), rule(160)]
    expect(tablesOf(words, frame, [rule(50, 98, 160), rule(198, 98, 160), rule(450, 98, 160)])).toEqual([
      [['Region', '2023', '2024', 'Staff'], ...body],
    ])
  })

  it('keeps wrapped text of a drawn field in one cell', () => {
    const words = wordsIn(
      [
        ['Step', 'What is done'],
        ['One', 'the papers are'],
        ['', 'read and then'],
        ['', 'put away'],
      ],
      [54, 204],
    )
    const down = [rule(50, 98, 160), rule(198, 98, 160), rule(450, 98, 160)]
    expect(tablesOf(words, [rule(98), rule(112), rule(160)], down)).toEqual([
      [
        ['Step', 'What is done'],
        ['One', 'the papers are read and then put away'],
      ],
    ])
  })

  it('reads rows between lines of one width, across white space and headings', () => {
    const rows = [
      ['Region', '2023', '2024', 'Staff'],
      body[0] ?? [],
      [''],
      [''],
      ['Abroad'],
      [''],
      [''],
      ...body.slice(1),
    ]
    expect(tablesOf(wordsIn(rows, xs), [rule(98), rule(112), rule(245)])).toEqual([
      [['Region', '2023', '2024', 'Staff'], body[0], ['Abroad', '', '', ''], ...body.slice(1)],
    ])
  })

  it('leaves text between lines, and lines narrower than their table', () => {
    const text = ['The words between two lines', 'run on from line to line', 'and are no table']
    expect(
      tablesOf(
        wordsIn(
          text.map((one) => [one]),
          [54],
        ),
        [rule(98), rule(160)],
      ),
    ).toEqual([])
    expect(tablesOf(wordsIn(body, xs), [rule(98, 200), rule(112, 200), rule(160, 200)])).toEqual([])
  })

  it('names each column once under a header over several', () => {
    const head = [...wordsAt('Sales', 268, 86), ...wordsIn([['Region', '2023', '2024', 'Staff'], ...body], xs)]
    const across = [rule(84), rule(98, 204, 330), rule(112), rule(160)]
    expect(tablesOf(head, across)[0]?.[0]).toEqual(['Region', 'Sales 2023', 'Sales 2024', 'Staff'])
  })

  it('splits a row that is one box into the columns of the head, and keeps a text over them whole', () => {
    const head = ['Station', 'Kind', 'Flow', 'Built']
    const rows = [head, ['Aldfield', 'Screw pump', '120', '1998'], ['Birch Hill', 'Piston pump', '340', '']]
    const note = wordsAt('The two rows below are pumps that are leased from the maker', 70, 142)
    const words = [...wordsIn(rows, xs), ...note, ...wordsAt('Dene', 54, 156), ...wordsAt('Vane pump', 204, 156)]
    const lines = [98, 112, 126, 140, 154, 168].map((at) => rule(at))
    const walls = [50, 198, 298, 398, 450].map((at) => rule(at, 98, at === 50 || at === 450 ? 168 : 112))
    const over = 'The two rows below are pumps that are leased from the maker'
    expect(tablesOf(words, lines, walls)).toEqual([[...rows, [over, over, over, over], ['Dene', 'Vane pump', '', '']]])
  })

  it('takes a drawn head without a row for no table', () => {
    const head = [...wordsAt('Years', 320, 100), ...wordsIn([[], ['Item', '2021', '2022', '2023']], xs)]
    const lines = [rule(98), rule(112, 198), rule(126)]
    const walls = [rule(50, 98, 126), rule(198, 98, 126), rule(298, 112, 126), rule(398, 112, 126), rule(450, 98, 126)]
    expect(tablesOf(head, lines, walls)).toEqual([])
    expect(
      tablesOf(
        [...head, ...wordsAt('Sum', 54, 128), ...wordsAt('7', 204, 128)],
        [...lines, rule(140)],
        walls.map((wall) => ({ ...wall, to: 140 })),
      ),
    ).toHaveLength(1)
  })

  it('takes the numbers of a chart for no table', () => {
    const chart = wordsIn(
      [
        ['40', '', '', '12'],
        ['30', '', '', '8'],
        ['20', '', '', '4'],
        ['1997', '1998', '1999', '2000'],
      ],
      xs,
    )
    expect(tablesOf(chart, [rule(98), rule(160)])).toEqual([])
  })
})
