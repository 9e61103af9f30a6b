import type { Claim, RunView } from '@plumbline/contracts'
import { describe, expect, it } from 'vitest'
import {
  contextPrecision,
  contextRecall,
  endingOf,
  holds,
  holdsGold,
  percentile,
  share,
  supportedIn,
  tracedIn,
  wordF1,
} from './answers-figures'

const claim = (kind: Claim['kind'], verdict: Claim['verdict']): Claim => ({
  text: '',
  kind,
  verdict,
  reason: '',
  passageId: null,
})
const ended = (status: RunView['status'], text = '') => ({
  view: { status, answer: { text, citations: [] } } as unknown as RunView,
})

describe('figures of answers', () => {
  it('faithfulness counts every claim', () => {
    expect(share([supportedIn([claim('fact', 'supported'), claim('number', 'contradicted')])])).toBe(0.5)
    expect(share([])).toBeNaN()
  })

  it('numbers and names are traced to what is cited', () => {
    const cited = ['The Arvika depot (AD) opened 1994 with 14 trucks.']
    expect(share([tracedIn('The depot in Arvika has 14 trucks [1].', cited)])).toBe(1)
    expect(share([tracedIn('The depot in Bergsjo has 15 trucks [1].', cited)])).toBe(0)
    expect(share([tracedIn('The depot in Arvika has 15 trucks [2].', cited)])).toBe(0.5)
    expect(share([tracedIn('In 1994 the AD of Arvika had 14 trucks [1].', cited)])).toBe(1)
  })

  it('an answer holds the gold one as whole words, all parts of it or one of its other names', () => {
    expect(holdsGold('It lies in Canton, Massachusetts [1].', [['Canton, Massachusetts']])).toBe(true)
    expect(holdsGold('It was 1.20 and 1.16 [1].', [['1.20', '1.16']])).toBe(true)
    expect(holdsGold('It was 1.20 [1].', [['1.20', '1.16']])).toBe(false)
    expect(holdsGold('It is open until 3 A.M.', [['three'], ['3 a.m.']])).toBe(true)
    expect(holdsGold('It was 112 [1].', [['12']])).toBe(false)
    expect(holdsGold('There is no such film.', [['no']])).toBe(false)
    expect(holdsGold('No, only one is.', [['no']])).toBe(true)
    expect(holdsGold('', [['x']])).toBe(false)
  })

  it('F1 takes each word once', () => {
    expect(wordF1('Niger Niger [1]', [['Niger River']])).toBe(0.5)
    expect(wordF1('the Niger River', [['Congo'], ['Niger River']])).toBeCloseTo(0.8)
    expect(wordF1('', [['Niger']])).toBe(0)
  })

  it('gold passages that come first count for more', () => {
    expect(contextPrecision([[0], [1], []])).toBe(1)
    expect(contextPrecision([[], [0], [1]])).toBeCloseTo((1 / 2 + 2 / 3) / 2)
    expect(contextPrecision([[], []])).toBe(0)
    expect(contextRecall([[0], [0], []], 2)).toBe(0.5)
  })

  it('are recognized by the run’s status', () => {
    expect(endingOf(ended('answered', 'In 2020 it was 1.2 [1].'))).toBe('answered')
    expect(endingOf(ended('parked', 'Something'))).toBe('held')
    expect(endingOf(ended('unanswered', 'Nothing'))).toBe('declined')
    expect(endingOf(ended('failed'))).toBe('other')
  })

  it('hold if enough content is traced, and fail without content or with a failed run', () => {
    expect(
      [{ traced: 0.95 }, { traced: 0.94 }, { traced: null }, { other: 1 }].map((row) =>
        holds({ traced: 1, other: 0, floor: 0.95, ...row }),
      ),
    ).toEqual([true, false, false, false])
    expect(holds({ traced: null, other: 0, floor: null })).toBe(true)
  })

  it('percentiles are those of the unsorted values', () => {
    expect([percentile([5, 1, 3], 0.5), percentile([5, 1, 3], 0.95), percentile([], 0.5)]).toEqual([3, 5, 0])
  })
})
