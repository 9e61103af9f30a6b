import fc from 'fast-check'
import { describe, expect, inject, it } from 'vitest'
import { areAlike, evaluate, figure, partsOfFormula, round, unitOf, writeFormula } from './index'

const value = (formula: string, inputs = {}): number | string => {
  const worked = evaluate(formula, inputs)
  return worked.kind === 'worked' ? worked.value : worked.why
}

describe('evaluate', () => {
  it.each<[string, number]>([
    ['1 + 2 * 3', 7],
    ['(1 + 2) × 3', 9],
    ['10 − 4 − 3', 3],
    ['100 / 10 / 2', 5],
    ['100 ÷ 8', 12.5],
    ['2^3^2', 512],
    ['-2^2', -4],
    ['2^-1', 0.5],
    ['2 ** 3', 8],
    ['--4', 4],
    ['5%', 0.05],
    ['200 × 15 %', 30],
    ['1,234.5 + 0.5', 1235],
    ['max(1,200)', 200],
    ['max(1, 2 + 3, (4))', 5],
    ['min(3, 2)', 2],
    ['sum(1, 2, 3) / 2', 3],
    ['avg(1, 2, 6)', 3],
    ['round(2.675, 2)', 2.68],
    ['round(-2.5)', -3],
    ['abs(-3)', 3],
    ['sqrt(16)', 4],
    ['1e3 + .5', 1000.5],
    ['0.1 + 0.2', 0.3],
    ['-0 * 1', 0],
  ])('%s = %d', (formula, expected) => expect(value(formula)).toBe(expected))

  it('works out what 10,000 at 5 % a year become in 3 years, compounded monthly', () => {
    const inputs = { principal: 10_000, rate: 0.05, periods: 12, years: 3 }
    const formula = 'principal × (1 + rate / periods)^(periods × years)'
    expect(round(Number(value(formula, inputs)), 2)).toBe(11_614.72)
    expect(writeFormula(formula, inputs)).toBe('10,000 × (1 + 0.05 / 12)^(12 × 3)')
  })

  it.each<[string, RegExp]>([
    ['', /empty/],
    ['1 +', /ends where a number/],
    ['(1 + 2', /“\)” is missing/],
    ['1 + 2)', /operator is missing before “\)”/],
    ['1 2', /operator is missing before “2”/],
    ['2 apples', /operator is missing before “apples”/],
    ['apples', /“apples” is not among the inputs/],
    ['toString', /not among the inputs/],
    ['constructor(1)', /no function “constructor”/],
    ['max()', /missing before “\)”/],
    ['abs(1, 2)', /takes 1 values, not 2/],
    ['1 / 0', /divides by zero/],
    ['0^-1', /too large/],
    ['(-8)^0.5', /no such power/],
    ['10^400', /too large/],
    ['9^9^9', /too large/],
    ['1e999', /too large/],
    ['sqrt(-1)', /no value/],
    ['ln(0)', /no value/],
    ['1; 2', /“;” has no meaning/],
    ['a = 3', /“=” has no meaning/],
    ['process.exit()', /“\.” has no meaning/],
    ['`${1}`', /no meaning/],
    [`${'('.repeat(40)}1${')'.repeat(40)}`, /nested too deeply/],
    [`${'-'.repeat(60)}1`, /nested too deeply/],
    [`1${' + 1'.repeat(130)}`, /too long/],
    ['1+'.repeat(240) + '1', /too long/],
    ['convert(5, mi, kg)', /one measures length, the other mass/],
    ['convert(5, usd, eur)', /“usd” is no unit/],
    ['convert(5, mi)', /“,” is missing/],
  ])('says in words why it cannot: %s', (formula, why) => expect(value(formula)).toMatch(why))

  it('refuses an input that is no number', () => {
    expect(value('a', { a: Infinity })).toMatch(/“a” is no number/)
    expect(value('a', { a: NaN })).toMatch(/“a” is no number/)
  })

  it('never throws and never gives Infinity or NaN, whatever it is given', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...'0123456789.,+-*/^%() ', 'a', 'max(', 'sqrt(', 'convert(', 'mi', '1e9', '×', '−')),
        (pieces) => {
          const worked = evaluate(pieces.join(''), { a: 3 })
          if (worked.kind === 'worked') expect(Number.isFinite(worked.value)).toBe(true)
          else expect(worked.why).not.toBe('')
        },
      ),
      { numRuns: 2_000, seed: inject('seed') },
    )
  })
})

describe('units', () => {
  it.each<[string, number]>([
    ['convert(5, miles, km)', 8.04672],
    ['convert(10, kg, lb)', 22.046226218488],
    ['convert(30, °c, °f)', 86],
    ['convert(212, fahrenheit, celsius)', 100],
    ['convert(0, kelvin, celsius)', -273.15],
    ['convert(2, hours, minutes)', 120],
    ['convert(1, gallon, litres)', 3.785411784],
    ['convert(3, hectares, acres)', 7.4131614443],
    ['convert(1.5, gb, mb)', 1500],
    ['convert(1, kwh, mj)', 3.6],
    ['convert(2, years, months)', 24],
    ['convert(100, km/h, m/s)', 27.777777777778],
  ])('%s = %d', (formula, expected) => expect(Number(value(formula))).toBeCloseTo(expected, 8))

  it('knows units however they are written, and no currency', () => {
    expect(['Miles', 'square feet', 'degrees Celsius', 'kWh', 'usd', '€', 'banana'].map(unitOf)).toEqual([
      'mi',
      'ft2',
      '°c',
      'kwh',
      undefined,
      undefined,
      undefined,
    ])
    expect([areAlike('mile', 'km'), areAlike('mile', 'kg'), areAlike('day', 'month')]).toEqual([true, false, false])
  })
})

describe('writing', () => {
  it.each<[string, Record<string, number>, string]>([
    ['a - (b - c)', { a: 1, b: 2, c: -3 }, '1 − (2 − (−3))'],
    ['(a + b) * c', { a: 1, b: 2, c: 3 }, '(1 + 2) × 3'],
    ['a / (b * c)', { a: 1, b: 2, c: 3 }, '1 / (2 × 3)'],
    ['(a^b)^c', { a: 1, b: 2, c: 3 }, '(1^2)^3'],
    ['a^b^c', { a: 1, b: 2, c: 3 }, '1^2^3'],
    ['avg(a, b)', { a: 1_000, b: 2.125 }, 'avg(1,000; 2.125)'],
    ['convert(a, mi, km)', { a: 5 }, '5 mi in km'],
    ['a * 15%', { a: 200 }, '200 × 15%'],
    ['a + b', {}, 'a + b'],
  ])('%s', (formula, inputs, text) => expect(writeFormula(formula, inputs)).toBe(text))

  it.each([
    [11_614.722_313, '11,614.72'],
    [16, '16'],
    [-1_234_567.5, '-1,234,567.5'],
    [0.012_345_6, '0.01235'],
    [0, '0'],
    [999.999, '1,000'],
    [1e21, '1e+21'],
  ])('%d is written %s', (number, text) => expect(figure(number)).toBe(text))

  it('tells the numbers and names of a formula', () =>
    expect(partsOfFormula('a * (1 + b / 12)^(12 * c) - a')).toEqual({ numbers: [1, 12, 12], names: ['a', 'b', 'c'] }))
})
