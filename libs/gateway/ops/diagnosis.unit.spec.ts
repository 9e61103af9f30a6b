import { describe, expect, it } from 'vitest'
import type { Bucket, Counts } from '@plumbline/adapters/redis/ops/history'
import { diagnosisOf, findingsOf } from './diagnosis'

const kindsOf = (counts: Record<string, number>) => findingsOf({ runs: 50, ...counts }).map(({ kind }) => kind)

describe('the findings of a collection', () => {
  it.each([
    ['narrower queries helped', { 'helped:narrow-focus': 3, 'helped:decompose': 2 }, 'too-broad'],
    ['more context helped', { 'helped:add-context': 5 }, 'too-narrow'],
    ['other words helped', { 'helped:expand-terms': 2, 'helped:rephrase-intent': 3 }, 'other-vocabulary'],
    ['runs found no answer', { missing: 5 }, 'missing-documents'],
  ])('name a cause if %s', (_, counts, kind) => expect(kindsOf(counts)).toEqual([kind]))

  it('are none for few events or a small share of the runs', () => {
    expect(kindsOf({ missing: 4, 'helped:add-context': 4 })).toEqual([])
    expect(kindsOf({ runs: 1_000, missing: 49, 'helped:narrow-focus': 49 })).toEqual([])
    expect(kindsOf({ runs: 1_000, missing: 50 })).toEqual(['missing-documents'])
    expect(findingsOf({})).toEqual([])
  })

  it('are at most four, the one with most events first', () =>
    expect(kindsOf({ missing: 9, 'helped:decompose': 6, 'helped:add-context': 7, 'helped:expand-terms': 8 })).toEqual([
      'missing-documents',
      'other-vocabulary',
      'too-narrow',
      'too-broad',
    ]))

  it('list only the counts that show them', () => {
    const counts = {
      runs: 40,
      missing: 10,
      empty: 12,
      found: 36,
      graded: 80,
      rejected: 60,
      'helped:expand-terms': 6,
      'tried:expand-terms': 9,
      'tried:rephrase-intent': 4,
    }
    const empty = { what: 'empty-searches', count: 12, of: 48 }
    expect(findingsOf(counts).map(({ evidence }) => evidence)).toEqual([
      [{ what: 'runs-without-documents', count: 10, of: 40 }, empty, { what: 'rejected-grades', count: 60, of: 80 }],
      [{ what: 'helpful-rewrites', strategy: 'expand-terms', count: 6, of: 9 }, empty],
    ])
  })
})

describe('the diagnosis', () => {
  it('sums the counts of each collection, and leaves out other rows and other tenants', () => {
    const row = (...name: string[]): string => JSON.stringify(name)
    const buckets: Bucket[] = [
      {
        at: 0,
        rows: new Map<string, Counts>([
          [row('collection', 'a', 'planets'), { runs: 3, missing: 3 }],
          [row('collection', 'a', 'moons'), { runs: 9 }],
          [row('collection', 'b', 'planets'), { runs: 7 }],
          [row('collection', '*', '*'), { runs: 7 }],
          [row('runs', 'a', 'standard'), { asked: 5 }],
        ]),
      },
      { at: 1, rows: new Map([[row('collection', 'a', 'planets'), { runs: 3, missing: 3 }]]) },
    ]
    const span = { from: 0, to: 3_600_000 }
    const seen = (tenant?: string) =>
      diagnosisOf(buckets, { ...span, ...(tenant && { tenant }) }).collections.map(
        ({ tenant: of, collection, runs, findings }) => [of, collection, runs, findings.length],
      )
    expect(seen('a')).toEqual([
      ['a', 'planets', 6, 1],
      ['a', 'moons', 9, 0],
    ])
    expect(seen()).toHaveLength(3)
  })
})
