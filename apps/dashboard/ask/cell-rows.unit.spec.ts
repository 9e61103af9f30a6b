import { describe, expect, it } from 'vitest'
import { cellRows } from './cell-rows'

const memory = {
  text: '| Kind | Lasts (people) | Size (items) |\n|---|---|---|\n| Short-term memory | 20–30 seconds | 7 |',
}
const moons = { text: '| Planet | 2019 | 2023 |\n|---|---|---|\n| Saturn | 82 | 146 |' }

describe('sentences about cells', () => {
  it('become rows', () => {
    expect(cellRows('For Short-term memory, Lasts (people) is 20–30 seconds [1].', [memory])).toBe(
      'Short-term memory · Lasts (people): **20–30 seconds** [1]',
    )
    expect(cellRows('For Short-term memory, Size is 7 items [1] [2].', [memory])).toBe(
      'Short-term memory · Size: **7 items** [1] [2]',
    )
    const both = 'For Saturn, Known moons in 2019 is 82 [1]. For Saturn, Known moons in 2023 is 146 [1].'
    expect(cellRows(both, [moons])).toBe(
      'Saturn · Known moons in 2019: **82** [1]\nSaturn · Known moons in 2023: **146** [1]',
    )
  })

  it('stay sentences if no quote has their cell, or if they say something else', () => {
    for (const sentence of [
      'For Mars, Known moons in 2023 is 146 [1].',
      'For Saturn, Known moons in 2023 is 145 [1].',
      'For Saturn, Known moons in 2021 is 146 [1].',
      'The table lists Saturn without a value for 2021 [1].',
      'For short, this is the summary.',
    ])
      expect(cellRows(sentence, [moons])).toBe(sentence)
    expect(cellRows('For Saturn, Known moons in 2023 is 146 [1].', [])).toContain('For Saturn')
  })
})
