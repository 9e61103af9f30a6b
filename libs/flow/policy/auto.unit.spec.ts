import { describe, expect, it } from 'vitest'
import { advance } from '../machine'
import {
  admitted,
  after,
  asking,
  checking,
  costing,
  decided,
  movedBy,
  nothing,
  openIds,
  reportOf,
  routed,
  ungrounded,
  type Given,
} from '../spec/given.spec'
import { auto } from './auto'

const minute = 60_000
const researching = (simple: boolean) =>
  after(asking(auto), admitted, routed({ outcome: 'research', logic: 'l', collections: ['planets'], simple }))
const later = ({ run, events }: Given, said: Parameters<typeof reportOf>[1], ms: number): Given => {
  const next = movedBy(advance(run, reportOf(run, said, run.createdAt + ms)))
  return { ...next, events: [...events, ...next.events] }
}
const dear = costing({ calls: 1, tokensIn: 1, tokensOut: 1, cents: 90 })

describe('auto', () => {
  it('depth by complexity: what the router calls simple gets no plan and one rewrite; all else is planned', () => {
    expect(openIds(researching(false))).toEqual(['plan'])
    const simple = after(researching(true), nothing('1.1'))
    expect(openIds(simple)).toEqual(['research.1.2'])
    expect(openIds(after(simple, nothing('1.2')))).toEqual([])
    expect(simple.events.find(({ type }) => type === 'counter-spent')).toMatchObject({ left: 0 })
  })

  it('depth by deadline: no try is opened for which the time that is left will not do, going by those before', () => {
    // A first try of three minutes leaves seven, and a try with its draft takes six; one of four leaves too little.
    expect(openIds(later(researching(true), nothing('1.1'), 3 * minute))).toEqual(['research.1.2'])
    expect(openIds(later(researching(true), nothing('1.1'), 4 * minute))).toEqual([])
    const held = later(checking(auto), ungrounded(1), 8 * minute)
    expect(held.run).toMatchObject({ status: 'parked', spent: { regenerations: 0 } })
  })

  it('depth by price: the same with the money', () => {
    expect(openIds(after(researching(true), { ...nothing('1.1'), ...dear }))).toEqual([])
    expect(openIds(after(checking(auto), { ...ungrounded(1), ...dear }))).toEqual(['generate.2'])
    expect(
      after(checking(auto), { ...ungrounded(1), ...costing({ calls: 1, tokensIn: 1, tokensOut: 1, cents: 150 }) }).run
        .status,
    ).toBe('parked')
  })

  it('counts the time anew where a person sends a draft back', () => {
    const held = later(checking(auto), ungrounded(1), 9 * minute)
    const again = after(held, decided(1, { outcome: 'retry' }))
    expect(again.run.deadlineAt - (again.run.movedAt ?? 0)).toBe(auto.deadlineMs)
    const redrafted = after(again, {
      taskId: 'generate.2',
      kind: 'generate',
      result: { outcome: 'drafted', text: 'D.', citations: [] },
    })
    expect(openIds(after(redrafted, ungrounded(2)))).toEqual(['generate.3'])
  })
})
