import { describe, expect, it } from 'vitest'
import type { Policy } from '../policy/policy'
import type { StartAsk } from './start'
import {
  admitted,
  after,
  asking,
  checked,
  claim,
  drafted,
  found,
  good,
  graded,
  nothing,
  openIds,
  planned,
  ungrounded,
} from '../spec/given.spec'

describe('which step is augmented', () => {
  const two = (fields: Partial<Policy> = {}, ask: Partial<StartAsk> = {}) =>
    after(
      asking({ entry: 'plan', whenUngrounded: 'augment', whenPoor: 'go-on', ...fields }, ask),
      admitted,
      planned('a', 'b', 'c'),
      found('1.1', ['p1', 'p4']),
      graded('1.1', { p1: good, p4: good }),
      found('2.1', ['p2']),
      graded('2.1', { p2: good }),
      nothing('3.1'),
      drafted(1),
    )

  it('the one whose evidence the failed claim cites', () => {
    expect(openIds(after(two(), ungrounded(1, claim('unsupported', { passageId: 'p2' }))))).toEqual(['research.2.2'])
  })
  it('the one whose question was missed', () => {
    const given = checked(1, { claims: [claim('unsupported')], parts: [{ what: 'b', outcome: 'missed' }] })
    expect(openIds(after(two(), given))).toEqual(['research.2.2'])
  })
  it('else the one with the least evidence, the first of several', () => {
    expect(openIds(after(two(), ungrounded(1, claim('unsupported'))))).toEqual(['research.3.2'])
    const even = after(
      asking({ entry: 'plan', whenUngrounded: 'augment' }),
      admitted,
      planned('a', 'b'),
      found('1.1', ['p1']),
      graded('1.1', { p1: good }),
      found('2.1', ['p2']),
      graded('2.1', { p2: good }),
      drafted(1),
    )
    expect(openIds(after(even, ungrounded(1, claim('unsupported'))))).toEqual(['research.1.2'])
  })
})
