import { describe, expect, it } from 'vitest'
import { passageBoxes } from './passage-boxes'

const width = 6
/** Creates a page of lines that are 20 points apart, with letters 6 points wide. */
const page = (...lines: string[]) => ({
  width: 600,
  height: 800,
  words: lines.flatMap((line, at) =>
    [...line.matchAll(/\S+/g)].map(({ 0: text, index }) => ({
      text,
      x: index * width,
      y: at * 20,
      width: text.length * width,
      height: 10,
    })),
  ),
})

describe('the position of a passage on its page', () => {
  const text = page(
    'Water report 2023',
    'The Lindale plant replenished 412 million litres,',
    'more than it took from the river.',
    'The Orrin plant did not take part.',
  )

  it('is a box for each of its lines', () => {
    expect(
      passageBoxes(text, 'The Lindale plant replenished 412 million litres, more than it took from the river.'),
    ).toEqual([
      { x: 0, y: 20, width: 49 * width, height: 10 },
      { x: 0, y: 40, width: 33 * width, height: 10 },
    ])
  })

  it('is found where marks, case and a few words differ', () => {
    const [box, ...rest] = passageBoxes(text, '**the orrin plant** did – not – take any part')
    expect(box).toMatchObject({ y: 60, x: 0 })
    expect(rest).toEqual([])
  })

  it('is found for rows of a table, cells apart', () => {
    const table = page(
      'Region          2022      2023',
      'North            412       538',
      'South            120        98',
    )
    const boxes = passageBoxes(table, '| Region | 2022 | 2023 |\n| --- | --- | --- |\n| South | 120 | 98 |')
    expect(boxes.filter(({ y }) => y === 40)).toHaveLength(3)
    expect(boxes.filter(({ y }) => y === 20)).toHaveLength(0)
  })

  it('is none where the page says something else, or nothing', () => {
    expect(passageBoxes(text, 'Employees may carry over five days of leave.')).toEqual([])
    expect(passageBoxes(page(), 'The Orrin plant')).toEqual([])
    expect(passageBoxes(text, '')).toEqual([])
  })

  it('is told in time for the longest passage on the fullest page', () => {
    const many = page(...Array.from({ length: 400 }, (_, at) => `row ${at} holds the value ${at * 7} of that year`))
    const rows = Array.from({ length: 300 }, (_, at) => `row ${at + 50} holds the value ${(at + 50) * 7}`).join('\n')
    expect(passageBoxes(many, rows).length).toBeGreaterThan(100)
  })
})
