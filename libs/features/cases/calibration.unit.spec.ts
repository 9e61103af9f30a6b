import { describe, expect, it } from 'vitest'
import type { CaseRow } from './store/cases'
import { calibrationOf, leastCases, leastShown, strategiesOf } from './calibration'

let made = 0
const row = (score: number | null, action: CaseRow['action'], fields: Partial<CaseRow> = {}): CaseRow => ({
  id: `k${(made += 1)}`,
  runId: `r${made}`,
  taskId: 'review.1',
  decisionId: 'd',
  question: 'How heavy is Mars?',
  policy: 'standard',
  collections: ['planets'],
  reason: 'parked.ungrounded',
  action,
  by: 'rita',
  decider: 'reviewer',
  score,
  decidedAt: new Date(made).toISOString(),
  tries: [],
  byScore: true,
  ...fields,
})
const many = (count: number, score: number, action: CaseRow['action'], fields: Partial<CaseRow> = {}): CaseRow[] =>
  Array.from({ length: count }, () => row(score, action, fields))
const only = (rows: CaseRow[], threshold = 0.9) => calibrationOf(rows, () => threshold)[0]

describe('the agreement of scores and decisions', () => {
  it('is counted by score range, with the drafts that were held without need', () => {
    const own = only([...many(3, 0.9, 'approve'), row(0.9, 'reject'), row(0.1, 'edit'), row(1, 'approve')])
    expect(own).toMatchObject({ cases: 6, approved: 4, falseHolds: 4, precision: 2 / 6, threshold: 0.9 })
    expect(own?.buckets.map(({ from, to, cases, approved }) => [from, to, cases, approved])).toEqual([
      [0, 0.2, 1, 0],
      [0.2, 0.4, 0, 0],
      [0.4, 0.6, 0, 0],
      [0.6, 0.8, 0, 0],
      [0.8, 1, 4, 3],
      [1, 1, 1, 1],
    ])
  })

  it('leaves out unchecked drafts and decisions of askers', () => {
    expect(calibrationOf([row(null, 'approve'), row(0.5, 'reject', { decider: 'asker' })], () => 1)).toEqual([])
  })

  it('is reported for each policy, the one with most cases first', () => {
    const rows = [row(0.5, 'reject', { policy: 'rare' }), ...many(2, 0.5, 'reject')]
    expect(calibrationOf(rows, () => undefined).map(({ policy, cases }) => [policy, cases])).toEqual([
      ['standard', 2],
      ['rare', 1],
    ])
  })
})

describe('a proposed threshold', () => {
  it('is the lowest score at and above which 95 of 100 were approved', () => {
    const rows = [...many(100, 0.8, 'approve'), ...many(3, 0.8, 'reject'), ...many(50, 0.4, 'reject')]
    expect(only(rows)?.proposal).toMatchObject({ kind: 'threshold', parkBelow: 0.8, cases: 103, approved: 100 })
  })

  it('is none below a minimum of cases, and none if too few were approved at every score', () => {
    expect(only(many(leastCases - 1, 0.8, 'approve'))?.proposal).toMatchObject({
      kind: 'too-few',
      cases: leastCases - 1,
      needed: leastCases,
    })
    expect(only(many(leastCases, 0.8, 'approve'))?.proposal).toMatchObject({ kind: 'threshold' })
    expect(only([...many(40, 0.8, 'approve'), ...many(10, 0.8, 'reject')])?.proposal).toMatchObject({ kind: 'none' })
  })

  it('needs a minimum of cases above it', () => {
    const rows = [...many(60, 0.5, 'reject'), ...many(leastCases - 1, 0.9, 'approve')]
    expect(only(rows)?.proposal).toMatchObject({ kind: 'none' })
  })

  it('counts only drafts that were held because of their score', () => {
    const rows = [...many(50, 0.9, 'approve', { byScore: false }), ...many(10, 0.9, 'approve')]
    expect(only(rows)?.proposal).toMatchObject({ kind: 'too-few', cases: 10, preliminary: { cases: 10 } })
  })
})

describe('the uncertainty', () => {
  it('is the 95 % Wilson interval of the approved share, from 10 drafts on', () => {
    expect(only(many(leastShown - 1, 0.5, 'approve'))?.interval).toBeUndefined()
    const own = only([...many(8, 0.5, 'approve'), ...many(2, 0.5, 'reject'), ...many(3, 0.9, 'approve')])
    expect(own?.buckets.map(({ interval }) => interval !== undefined)).toEqual([
      false,
      false,
      true,
      false,
      false,
      false,
    ])
    expect(own?.buckets[2]?.interval?.low).toBeCloseTo(0.4902, 4)
    expect(own?.buckets[2]?.interval?.high).toBeCloseTo(0.9433, 4)
    const sure = only(many(10, 0.5, 'approve'))?.interval
    expect(sure?.low).toBeCloseTo(0.7225, 4)
    expect(sure?.high).toBe(1)
    expect(only(many(10, 0.5, 'reject'))?.interval?.low).toBe(0)
  })

  it('is shown with a preliminary score from 10 drafts on, which proposes nothing', () => {
    const few = (rows: CaseRow[]) => {
      const proposal = only(rows)?.proposal
      return proposal?.kind === 'too-few' ? proposal : undefined
    }
    expect(few(many(leastShown - 1, 0.8, 'approve'))).toEqual({ kind: 'too-few', cases: 9, needed: leastCases })
    const clear = few([...many(12, 0.8, 'approve'), ...many(4, 0.4, 'reject')])
    expect(clear?.preliminary).toMatchObject({ parkBelow: 0.8, cases: 12, approved: 12, interval: { high: 1 } })
    const unclear = few([...many(8, 0.8, 'approve'), ...many(4, 0.8, 'reject')])
    expect(unclear?.preliminary).toMatchObject({ cases: 12, approved: 8 })
    expect(unclear?.preliminary).not.toHaveProperty('parkBelow')
  })
})

describe('rewriting strategies', () => {
  const tried = (strategy: CaseRow['tries'][number]['strategy'], relevant: number, fields: Partial<CaseRow> = {}) =>
    row(0.5, 'reject', { tries: [{ step: 1, try: 2, found: 4, relevant, ...(strategy && { strategy }) }], ...fields })
  const times = (count: number, make: () => CaseRow): CaseRow[] => Array.from({ length: count }, make)

  it('are counted by collection, the best first, with one sentence of the counts', () => {
    const rows = [
      ...times(8, () => tried('narrow-focus', 2)),
      ...times(2, () => tried('narrow-focus', 0)),
      ...times(9, () => tried('expand-terms', 0)),
      tried('expand-terms', 1),
      tried('decompose', 1),
      tried(undefined, 1),
    ]
    expect(strategiesOf(rows)).toEqual([
      {
        collection: 'planets',
        counts: [
          { strategy: 'decompose', tries: 1, succeeded: 1 },
          { strategy: 'narrow-focus', tries: 10, succeeded: 8 },
          { strategy: 'expand-terms', tries: 10, succeeded: 1 },
        ],
        advice: 'narrow-focus succeeded in 8 of 10 tries, expand-terms succeeded in 1 of 10 tries.',
      },
    ])
  })

  it('are not judged by few tries, nor counted twice for a run of two decisions', () => {
    const twice = [tried('decompose', 1, { runId: 'same' }), tried('decompose', 1, { runId: 'same' })]
    expect(strategiesOf(twice)).toMatchObject([
      { counts: [{ tries: 1 }], advice: expect.stringContaining('Too few tries') },
    ])
  })
})
