import { describe, expect, it } from 'vitest'
import {
  askedIn,
  extremes,
  find,
  firstParts,
  isMissing,
  isNumeric,
  keysOfRow,
  partName,
  partsOf,
  rowName,
  tablesIn,
  vocabularyOf,
} from './index'
import type { Part, TableSource } from './index'

const source = (text: string, heading = 'Figures', title = 'Report'): TableSource => ({
  id: heading,
  title,
  headingPath: [title, heading],
  text,
})
const kinds = (text: string) => tablesIn(source(text))[0]?.columns.map(({ kind }) => kind)

describe('cells', () => {
  it.each(['', '—', '–', '-', 'n/a', 'N.A.', 'not quoted', 'Not reported', '…', 'none reported'])(
    '“%s” reports nothing',
    (cell) => expect(isMissing(cell)).toBe(true),
  )
  it.each(['0', '0%', 'none of them', 'no', 'dash'])('“%s” reports something', (cell) =>
    expect(isMissing(cell)).toBe(false),
  )
  it.each(['1.21', '19%', '$5 m', '−65', '1,898', '0.33 × 10^24', '10–15 (est.)', '~7'])('“%s” is a number', (cell) =>
    expect(isNumeric(cell)).toBe(true),
  )
  it.each(['2nd facility', 'asia-1', '3-step plan', 'VARCHAR(30)'])('“%s” is not', (cell) =>
    expect(isNumeric(cell)).toBe(false),
  )
})

describe('reading a table', () => {
  it('takes header, rows, caption and marks off', () => {
    const [table] = tablesIn(
      source(
        'Some prose.\n\nTable 3. Heat\n\n| **Place** | `2020` |\n|:---|---:|\n| [Oslo](https://x.y) \\| west | *4* |\n\nMore.',
      ),
    )
    expect(table).toMatchObject({ name: 'Table 3. Heat', rows: [['Oslo | west', '4']] })
    expect(table?.columns.map(({ header, year }) => [header, year])).toEqual([
      ['Place', null],
      ['2020', '2020'],
    ])
  })
  it('is named by its heading where it has no caption', () =>
    expect(tablesIn(source('| A | B |\n|---|---|\n| x | 1 |'))[0]?.name).toBe('Figures'))
  it('joins a second header row', () =>
    expect(
      tablesIn(
        source('| Id | Name | T | T |\n|-|-|-|-|\n| Id | Name | low | high |\n| 1 | a | 2 | 3 |'),
      )[0]?.columns.map(({ header }) => header),
    ).toEqual(['Id', 'Name', 'T low', 'T high']))
  it('reads several tables of a passage', () =>
    expect(tablesIn(source('| A | B |\n|-|-|\n| x | 1 |\n\ntext\n\n| C | D |\n|-|-|\n| y | 2 |'))).toHaveLength(2))

  it.each([
    [
      'names, then numbers',
      '| Place | Code | 2020 |\n|-|-|-|\n| Oslo | o1 | 3 |\n| Moss | m1 | — |',
      ['label', 'label', 'value'],
    ],
    [
      'a metric column',
      '| Metric | Place | 2020 |\n|-|-|-|\n| Heat | Oslo | 3 |\n| Rain | Oslo | 4 |',
      ['metric', 'label', 'value'],
    ],
    ['years as rows', '| Year | Ducks |\n|-|-|\n| 2019 | 120 |\n| 2020 | 135 |', ['year', 'value']],
    [
      'what rows share',
      '| Moon | Planet | Radius |\n|-|-|-|\n| Io | Jupiter | 3 |\n| Europa | Jupiter | 4 |',
      ['label', 'attribute', 'value'],
    ],
    ['words only', '| Name | Type |\n|-|-|\n| PORT | INTEGER |\n| HOST | VARCHAR(255) |', ['label', 'value']],
    [
      'conditions left of a name',
      '| Layers | Heads | Language | Score |\n|-|-|-|-|\n| 6 | 6 | A | 0.1 |\n| 6 | 6 | B | 0.2 |',
      ['key', 'key', 'label', 'value'],
    ],
  ])('tells columns apart: %s', (_, text, expected) => expect(kinds(text)).toEqual(expected))
})

const heat = source(
  '| Place | Id | 2019 | 2020 | 2021 |\n|-|-|-|-|-|\n| Oslo | n-1 | 3% | 4% | 5% |\n| Oslo (2nd site) | n-2 | — | 7% | 8% |\n| Bergen, Vestland | n-3 | 1% | 2% | not quoted |\n| New Moss | n-4 | 9% | 9% | 6% |',
  'Table 1. Waste heat use (WHU) by site: North',
)
const rain = source(
  '| Place | 2020 | 2021 |\n|-|-|-|\n| Oslo | 800 | 700 |\n| Hamar | 500 | 600 |',
  'Table 2. Rain (mm)',
)
const mixed = source(
  '| Metric | Place | 2020 |\n|-|-|-|\n| WHU | Hamar | 11% |\n| Regional average WHU | North Land | 6% |',
  'Table 3. Values quoted elsewhere',
)
const vocabulary = vocabularyOf([heat, rain, mixed])
const answers = (question: string): string[] =>
  askedIn(question, vocabulary, 'question')
    .flatMap(partsOf)
    .map((part) => {
      const { cells } = find(part, vocabulary)
      return `${partName(part)}: ${cells.map((cell) => (cell.missing ? 'missing' : cell.text)).join(', ') || 'absent'}`
    })

describe('finding what a question names', () => {
  it.each([
    ['What was the WHU of Oslo in 2020?', ['WHU Oslo 2020: 4%']],
    ['what was the waste heat use in oslo in 2020', ['waste heat use oslo 2020: 4%']],
    ['What was the WHU of the Oslo 2nd site in 2020?', ['WHU Oslo 2nd site 2020: 7%']],
    [
      'What was the WHU of the second site in Oslo in 2019 and 2020?',
      ['WHU second site in Oslo 2019: missing', 'WHU second site in Oslo 2020: 7%'],
    ],
    ['WHU of Bergen in 2021', ['WHU Bergen 2021: missing']],
    ['WHU of n-4 in 2019', ['WHU n-4 2019: 9%']],
    [
      'WHU and rain of Oslo in 2020 and 2021',
      ['WHU Oslo 2020: 4%', 'WHU Oslo 2021: 5%', 'rain Oslo 2020: 800', 'rain Oslo 2021: 700'],
    ],
    ['WHU of Oslo in 2020 and rain of Hamar in 2021', ['WHU Oslo 2020: 4%', 'rain Hamar 2021: 600']],
    ["Oslo's WHU in 2020 and Bergen's in 2019", ['WHU Oslo 2020: 4%', 'WHU Bergen 2019: 1%']],
    ['For Oslo, the WHU in 2020 and the rain in 2021', ['WHU Oslo 2020: 4%', 'rain Oslo 2021: 700']],
    ['Give the WHU of Oslo in 2020. Also give its rain in 2021.', ['WHU Oslo 2020: 4%', 'rain Oslo 2021: 700']],
    ['WHU of Oslo from 2019 to 2021', ['WHU Oslo 2019: 3%', 'WHU Oslo 2020: 4%', 'WHU Oslo 2021: 5%']],
    ['WHU of Hamar in 2020', ['WHU Hamar 2020: 11%']],
    ['regional average WHU in north land in 2020', ['regional average WHU north land 2020: 6%']],
    ['What WHU did the Heat Agency report for Oslo in 2020?', ['WHU Oslo 2020: 4%']],
    ['What is the WHU in Table 1 for Oslo in 2020?', ['WHU Oslo 2020: 4%']],
  ])('%s', (question, expected) => expect(answers(question)).toEqual(expected))

  it.each([
    'WHU of Moss in 2020',
    'WHU of Oslo Airport in 2020',
    'WHU of the Oslo 3rd site in 2020',
    'WHU of South Bergen in 2020',
    'WHU of oslo west yard in 2020',
    'WHU of Drammen in 2020',
    'WHU of drammen in 2020',
    'average WHU of Oslo in 2020',
    'water use of Oslo in 2020',
    'WHU of Oslo in 2018',
    'rain of Oslo in 2019',
    'regional average WHU of Oslo in 2020',
  ])('does not put a neighbour in its place: %s', (question) =>
    expect(answers(question).every((answer) => answer.endsWith(': absent'))).toBe(true),
  )

  it('remembers the row that was meant where only the year is not there', () => {
    const [part] = askedIn('WHU of Oslo in 2018', vocabulary, 'question').flatMap(partsOf)
    const { near } = find(part!, vocabulary)
    expect(near && rowName(near.table, near.row)).toBe('Oslo')
  })

  it('ranks rows', () => {
    const [part] = askedIn('Which site had the highest WHU in 2020?', vocabulary, 'question').flatMap(partsOf)
    const edge = extremes(find(part!, vocabulary).cells, 'highest')
    expect(edge.map((cell) => [rowName(cell.table, cell.row), cell.text])).toEqual([['New Moss', '9%']])
  })

  it('reads figures of a sentence as claimed values', () => {
    const asked = askedIn('WHU of Oslo was 4% in 2020 and 5% in 2021.', vocabulary, 'claim')
    expect(asked.map(({ years, values }) => [years, values.map(({ value }) => value)])).toEqual([
      [['2020'], [4]],
      [['2021'], [5]],
    ])
  })
})

describe('rows that numbers tell apart', () => {
  const tried = source(
    '| # enc-layers | # dec-layers | Model | Score | Time (secs) |\n|-|-|-|-|-|\n| 6 | 6 | Tern | 0.8 | 2.7 |\n| 6 | 6 | Skua | 0.9 | 5.3 |\n| 4 | 2 | Tern | 0.7 | 1.2 |\n| 4 | 2 | Skua | 0.6 | 2 |',
  )
  const wide = vocabularyOf([tried])
  const look = (text: string) =>
    askedIn(text, wide, 'question')
      .flatMap(partsOf)
      .flatMap((part) => find(part, wide).cells.map((cell) => cell.text))
  it.each([
    ['What is the score of Tern with 6 encoder and 6 decoder layers?', ['0.8']],
    ['What is the time in seconds of Skua with 4 encoder layers and 2 decoder layers?', ['2']],
    ['What is the time in dollars of Skua with 4 encoder layers?', []],
    ['Score of Tern (# enc-layers 4, # dec-layers 2)', ['0.7']],
    ['What is the score of Tern with 8 encoder and 6 decoder layers?', []],
    ['What is the score of Tern with 4 encoder layers and with 6 encoder layers?', ['0.7', '0.8']],
    ['What is the score of Tern with 4, 5 or 6 encoder layers?', ['0.7', '0.8']],
    ['What is the score of Tern with 4 or 6 encoder layers and 6 decoder layers?', ['0.8']],
    ['What is the score of the TERN_TWO model?', []],
    ['What is the score of Tern?', ['0.8', '0.7']],
  ])('%s', (text, expected) => expect(look(text)).toEqual(expected))
})

describe('numbers that tell rows apart, as they are written', () => {
  const tried = source(
    '| Batch size | Dose (mg) | Beams | Model | Score |\n|-|-|-|-|-|\n| 1,024 | 5 mg | 4 | Tern | 0.8 |\n| 1,024 | 5 mg | 4 | Skua | 0.9 |\n| 2,048 | 10 mg | | Tern | 0.7 |\n| 2,048 | 10 mg | | Skua | 0.6 |',
  )
  const wide = vocabularyOf([tried])
  it.each([
    ['What is the score of Tern with batch size 1,024?', ['0.8']],
    ['What is the score of Tern with batch size 2048?', ['0.7']],
    ['What is the score of Skua at dose 10?', ['0.6']],
    ['What is the score of Skua at a batch size of 2048?', ['0.6']],
    ['What is the score of Tern with 0 beams?', []],
  ])('%s', (text, expected) =>
    expect(
      askedIn(text, wide, 'question')
        .flatMap(partsOf)
        .flatMap((part) => find(part, wide).cells.map((cell) => cell.text)),
    ).toEqual(expected),
  )
})

describe('what a row is told by', () => {
  it('is every number that stands there', () => {
    const [tried] = tablesIn(
      source(
        '| Size | Beams | Model | Score |\n|-|-|-|-|\n| 8 | 4 | Tern | 1 |\n| 8 | 4 | Skua | 2 |\n| 9 | | Tern | 3 |\n| 9 | | Skua | 4 |',
      ),
    )
    expect([0, 2].map((row) => keysOfRow(tried!, row))).toEqual([['Size 8', 'Beams 4'], ['Size 9']])
  })
})

describe('ranking over several tables', () => {
  const sites = source(
    '| Place | Site code | 2022 |\n|-|-|-|\n| Oslo | n-1 | 1.2 |\n| Moss | n-2 | 1.1 |',
    'Heat loss by site',
  )
  const quoted = source(
    '| Metric | Place | 2022 |\n|-|-|-|\n| Heat loss | Oslo (2nd building) | 1.4 |\n| Regional average heat loss | North | 1.9 |',
    'Heat loss quoted elsewhere',
  )
  const wide = vocabularyOf([sites, quoted])
  const top = (text: string) =>
    askedIn(text, wide, 'question')
      .flatMap(partsOf)
      .flatMap((part) => extremes(find(part, wide).cells, 'highest').map(({ text: value }) => value))
  it('ranks what is asked for where a table is headed so, and no average beside single rows', () => {
    expect(top('Which site code had the highest heat loss in 2022?')).toEqual(['1.2'])
    expect(top('Which place had the highest heat loss in 2022?')).toEqual(['1.4'])
  })
})

describe('a question of hundreds of cells', () => {
  it('is cut to as many as are wanted, the first', () => {
    const wide = vocabularyOf([
      source('| Place | Heat loss 2019 | Heat loss 2020 |\n|-|-|-|\n| Oslo | 1 | 2 |\n| Moss | 3 | 4 |'),
    ])
    const [asked] = askedIn('What is the heat loss of Oslo and Moss in 2019 and 2020?', wide, 'question')
    const told = (parts: Part[]) => parts.map(({ label, year }) => `${label[0]?.raw ?? ''} ${year ?? ''}`)
    expect(told(partsOf(asked!))).toEqual(['Oslo 2019', 'Oslo 2020', 'Moss 2019', 'Moss 2020'])
    expect(told(firstParts(asked!, 3))).toEqual(['Oslo 2019', 'Oslo 2020', 'Moss 2019'])
  })
})

describe('a question of much blank and no end', () => {
  it('is read at once', () => {
    const from = performance.now()
    askedIn(
      `highest which${' '.repeat(4_000)}x`,
      vocabularyOf([source('| Place | 2022 |\n|-|-|\n| Oslo | 1.2 |')]),
      'question',
    )
    expect(performance.now() - from).toBeLessThan(1_000)
  })
})

describe('columns of several measures', () => {
  const planets = source(
    '| Body | Kind | Mean radius (km) | Launched (year) |\n|-|-|-|-|\n| Aro | rocky | 2,439 | 1977 |\n| Bel | gas | 69,911 | — |\n| Cor | gas | 58,232 | 1989 |',
    'Bodies',
  )
  const wide = vocabularyOf([planets])
  const look = (question: string) =>
    askedIn(question, wide, 'question')
      .flatMap(partsOf)
      .flatMap((part) => find(part, wide).cells.map(({ text }) => text))
  it.each([
    ['What is the mean radius of Bel?', ['69,911']],
    ['What kind of body is Aro?', ['rocky']],
    ['When was Cor launched?', ['1989']],
    ['When was Bel launched?', ['—']],
    ['What is the mean radius of gas bodies?', ['69,911', '58,232']],
    ['What is the mass of Bel?', []],
    ['What is the largest gas body?', []],
    ['Which gas body is the largest?', []],
    ['Which body has the largest mean radius?', ['2,439', '69,911', '58,232']],
  ])('%s', (question, expected) => expect(look(question)).toEqual(expected))
})
