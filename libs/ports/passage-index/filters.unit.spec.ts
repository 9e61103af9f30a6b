import { describe, expect, it } from 'vitest'
import { Filters } from '@plumbline/contracts'
import { numberOf, passes, rangeOf, timeOf } from './filters'

const of = (filters: unknown, metadata: Record<string, string>): boolean => passes(Filters.parse(filters), metadata)

describe('filters', () => {
  it.each([
    ['the same word', { year: '2024' }, true],
    ['another word', { year: '2023' }, false],
    ['a name that is not there', { missing: '' }, false],
    ['a name of every object', { constructor: 'x' }, false],
    ['one of a list', { year: { in: ['2023', '2024'] } }, true],
    ['none of a list', { year: { in: ['2022'] } }, false],
    ['not another', { year: { not: '2023' } }, true],
    ['not this one', { year: { not: ['2023', '2024'] } }, false],
    ['not, of a name that is not there', { missing: { not: 'x' } }, true],
    ['a list, of a name that is not there', { missing: { in: ['x'] } }, false],
    ['a range, of a name that is not there', { missing: { gte: 0 } }, false],
    ['numbers from', { year: { gte: 2024 } }, true],
    ['numbers above', { year: { gt: 2024 } }, false],
    ['numbers between', { year: { gt: 2023.5, lt: 2024.5 } }, true],
    ['numbers to', { year: { lte: 2023 } }, false],
    ['numbers as numbers, not as words', { pages: { lt: 10 } }, true],
    ['numbers of a word that is none', { team: { gte: 0 } }, false],
    ['a day in a range', { signed: { gte: '2024-06-01', lte: '2024-06-30' } }, true],
    ['after a day', { signed: { gt: '2024-06-30' } }, false],
    ['before a day', { signed: { lt: '2024-06-30' } }, false],
    ['from that day on', { signed: { gte: '2024-06-30' } }, true],
    ['a time on the last day', { sent: { lte: '2024-06-30' } }, true],
    ['a time on the first day', { sent: { gt: '2024-06-30' } }, false],
    ['a time with its zone', { sent: { gte: '2024-06-30T22:00:00Z', lt: '2024-06-30T22:00:01Z' } }, true],
    ['a list and a range', { year: { in: ['2024'], gte: 2025 } }, false],
    ['all of several', { year: '2024', team: { not: 'blue' } }, true],
    ['one of several not', { year: '2024', team: 'blue' }, false],
  ])('%s', (_, filters, passed) =>
    expect(
      of(filters, { year: '2024', pages: '9', team: 'red', signed: '2024-06-30', sent: '2024-07-01T00:00:00+02:00' }),
    ).toBe(passed),
  )

  it('still read the format from before conditions', () =>
    expect(Filters.parse({ year: '2024' })).toEqual({ year: '2024' }))

  it.each([
    ['numbers and days', { year: { gte: 1, lt: '2024-01-01' } }],
    ['nothing', { year: {} }],
    ['no list', { year: { in: [] } }],
    ['another word', { year: { like: 'x' } }],
    ['a number', { year: 2024 }],
    ['no day', { year: { gte: 'soon' } }],
  ])('reject %s', (_, filters) => expect(Filters.safeParse(filters).success).toBe(false))

  it('use the narrower of two bounds', () => {
    expect(rangeOf({ gte: '2024-06-30', gt: '2024-06-01' })).toEqual({ by: 'time', gte: Date.parse('2024-06-30') })
    expect(rangeOf({ lt: '2024-06-01', lte: '2024-06-30' })).toEqual({ by: 'time', lt: Date.parse('2024-06-01') })
    expect(rangeOf({ in: ['x'] })).toBeNull()
  })

  it('tell numbers and times from other text', () => {
    expect(['12', '-0.5', '1e5', '1,200', '', 'x1', ' 7 '].map(numberOf)).toEqual([12, -0.5, null, null, null, null, 7])
    expect(['2024-02-31', '2024', 'June', '2024-06-30T10:00'].map(timeOf)).toEqual([null, null, null, null])
  })
})
