import { describe, expect, it } from 'vitest'
import { end } from './end'
import { openJobs } from './jobs'
import {
  admitted,
  after,
  asking,
  checked,
  checking,
  movedBy,
  parked,
  planned,
  t0,
  ungrounded,
} from '../spec/given.spec'

const at = t0 + 99_000

describe('end', () => {
  it('cancelled: closes every open task', () => {
    const given = after(asking({ entry: 'plan' }), admitted, planned('a', 'b'))
    const { run, events } = movedBy(end(given.run, { status: 'cancelled', by: 'asker', at }))
    expect(run).toMatchObject({ status: 'cancelled', reason: 'cancelled.asked', open: [], endedAt: at })
    expect(run.closed).toMatchObject({ 'research.1.1': 'cancelled', 'research.2.1': 'cancelled' })
    expect(openJobs(run)).toEqual([])
    expect(events).toEqual([
      { type: 'ended', audience: 'asker', at, status: 'cancelled', reason: 'cancelled.asked', by: 'asker' },
    ])
  })

  it('cancelled: a parked draft is not released', () => {
    const { run } = movedBy(end(parked({ whenParkedTooLong: 'caveat' }).run, { status: 'cancelled', by: 'asker', at }))
    expect(run.status).toBe('cancelled')
    expect(run.answer).toBeUndefined()
  })

  it('expired: the deadline has passed', () => {
    const { run } = movedBy(end(checking().run, { status: 'expired', by: 'sweeper', at }))
    expect(run).toMatchObject({ status: 'expired', reason: 'expired.deadline' })
    expect(run.answer).toBeUndefined()
  })

  it('expired: a parked run is refused, or released with a caveat, as its policy says', () => {
    const overdue = { status: 'expired', by: 'sweeper', at } as const
    const refused = movedBy(end(parked().run, overdue)).run
    expect(refused).toMatchObject({ status: 'expired', reason: 'expired.review-overdue' })
    expect(refused.answer).toBeUndefined()
    expect(movedBy(end(parked({ whenParkedTooLong: 'caveat' }).run, overdue)).run).toMatchObject({
      status: 'answered',
      reason: 'answered.review-overdue',
      answer: { text: 'Draft 1 [1].', caveat: expect.stringContaining('nobody has reviewed it') },
    })
  })

  it('overspent: leaves undone what is open, and releases nothing that was not checked', () => {
    const given = after(asking({ entry: 'plan' }), admitted, planned('a', 'b'))
    const { run, events } = movedBy(end(given.run, { status: 'overspent', by: 'worker', at }))
    expect(run).toMatchObject({
      status: 'unanswered',
      reason: 'unanswered.budget',
      open: [],
      closed: { 'research.1.1': 'overspent', 'research.2.1': 'overspent' },
    })
    expect(events[0]).toMatchObject({
      type: 'noted',
      audience: 'asker',
      note: expect.stringContaining('budget is used up'),
    })
    expect(movedBy(end(checking().run, { status: 'overspent', by: 'worker', at })).run).toMatchObject({
      status: 'unanswered',
      reason: 'unanswered.budget',
    })
  })

  it('overspent: a draft that did not stand goes where the policy says, under a number not used before', () => {
    const rewriting = after(checking(), ungrounded(1))
    const { run } = movedBy(end(rewriting.run, { status: 'overspent', by: 'worker', at }))
    expect(run).toMatchObject({
      status: 'parked',
      reason: 'parked.budget',
      draft: { draft: 2 },
      open: [{ id: 'review.2' }],
    })
    const augmenting = after(checking({ whenUngrounded: 'augment', whenSpent: 'caveat' }), ungrounded(1))
    expect(movedBy(end(augmenting.run, { status: 'overspent', by: 'worker', at })).run).toMatchObject({
      status: 'answered',
      reason: 'answered.with-caveat',
    })
  })

  it('overspent: a draft that stood is released as incomplete', () => {
    const better = after(checking(), checked(1, { usefulness: 1 }))
    expect(movedBy(end(better.run, { status: 'overspent', by: 'worker', at })).run).toMatchObject({
      status: 'answered',
      reason: 'answered.incomplete',
    })
  })

  it('overspent: a parked run waits for its person, whatever is spent', () =>
    expect(end(parked().run, { status: 'overspent', by: 'worker', at })).toEqual({ kind: 'stale' }))

  it('is stale for a run that has ended', () => {
    expect(end(after(checking(), checked(1)).run, { status: 'cancelled', by: 'asker', at })).toEqual({ kind: 'stale' })
  })
})
