import { describe, expect, it } from 'vitest'
import { figure, readFormula, round } from './arithmetic'

const valueOf = async (formula: string, inputs: Record<string, number> = {}): Promise<number | null> => {
  const worked = await readFormula(formula, inputs)
  return worked.kind === 'worked' ? worked.value : null
}

describe('formulas', () => {
  it.each([
    ['10000 * (1 + 0.05/12)^(12*3)', 11_614.722313],
    ['-2^2', -4],
    ['round(2.345, 2)', 2.35],
    ['mean(1, 2, 6) + max(3, 5) - min(3, 5)', 5],
    ['sqrt(16) + abs(-3) + sum(1, 2, 3)', 13],
    ['0.1 + 0.2', 0.3],
    ['200 * 5%', 10],
    ['count("May Day", "Easter") / 4', 0.5],
  ])('%s = %d', async (formula, value) => {
    expect(await valueOf(formula)).toBeCloseTo(value, 6)
  })

  it('read names from their inputs', async () => {
    expect(await valueOf('a / b', { a: 3, b: 4 })).toBe(0.75)
    expect(await valueOf('a / c', { a: 3, b: 4 })).toBeNull()
  })

  it.each([
    'import("fs")',
    'f(x) = x',
    'a = 3',
    '[1, 2]',
    '2; 3',
    '"a"',
    'sum("a")',
    'count(1, 2)',
    'count("a", count("b"))',
    '1:3',
    '3 > 2',
    'true',
    'round',
    'round.constructor("return 1")()',
    'max.apply(1)',
    'evaluate("1")',
    '10,000 * 2',
    '$5 * 2',
    '1 / 0',
    'sqrt(-1)',
    '(-8)^(1/3)',
    '',
    '1+'.repeat(11_000) + '1',
  ])('are rejected if they are not plain arithmetic or have no value: %s', async (formula) => {
    expect(await readFormula(formula)).toMatchObject({ kind: 'unworkable', why: expect.stringMatching(/./) })
  })

  it('list their numbers and can be written with names in place of them', async () => {
    const read = await readFormula('(21.5 - 15.7) / 15.7 * 100')
    if (read.kind !== 'worked') throw new Error(read.why)
    expect(read.numbers).toEqual([21.5, 15.7, 15.7, 100])
    const names = new Map([
      [21.5, 'a'],
      [15.7, 'b'],
    ])
    const formula = read.named((value) => names.get(value))
    expect(formula).toBe('(a - b) / b * 100')
    expect(await valueOf(formula, { a: 21.5, b: 15.7 })).toBe(read.value)
  })
})

describe('numbers', () => {
  it.each([
    [11_614.722313, undefined, '11,614.72'],
    [3, undefined, '3'],
    [3, 2, '3.00'],
    [-1234.5, 0, '-1,235'],
    [0.012345, undefined, '0.01235'],
    [1e16, undefined, '10000000000000000'],
  ])('are written as people write them: %d with %s decimals is %s', (value, decimals, written) => {
    expect(figure(value, decimals)).toBe(written)
  })

  it('are rounded in decimal', () => {
    expect([round(1.005, 2), round(-1.005, 2), round(1250, -2)]).toEqual([1.01, -1.01, 1300])
  })
})
