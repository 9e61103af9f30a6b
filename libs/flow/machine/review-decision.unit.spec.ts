import { describe, expect, it } from 'vitest'
import type { Decision } from '@plumbline/contracts'
import type { Run } from '../schema/run'
import { parked } from '../spec/run-fixtures.spec'
import { end } from './advance'
import {
  acceptDecision,
  assignAutomatically,
  assignRun,
  mayBeAssigned,
  returnToPool,
  settleDecision,
} from './review-decision'
import { reviewPassages, reviewTask } from './review'

const { run: held } = parked()
const taskOf = (run: Run) => reviewTask(run)!
const { dueAt, id: taskId } = taskOf(held)
const moved = (result: { kind: string }): Run => {
  expect(result.kind).toBe('moved')
  return (result as unknown as { run: Run }).run
}
const retry: Decision = { action: 'retry', taskId, decisionId: 'd1', guidance: 'Use the table.' }
const pendingAt = (at: number): Run =>
  moved(acceptDecision(held, { decision: retry, who: 'ann', now: dueAt - 100, fourEyes: false, countsAt: at }))

describe('a pending decision', () => {
  it('takes effect at its time', () => {
    const at = dueAt - 50
    expect(moved(settleDecision(pendingAt(at), { at, now: at, fourEyes: false }))).toMatchObject({
      status: 'running',
      decision: { action: 'retry' },
    })
  })

  it('is dropped if the run has no moves left for it by then', () => {
    const at = dueAt - 50
    const pending = pendingAt(at)
    const spent = { ...pending, policy: { ...pending.policy, maxMoves: pending.spent.moves } }
    const run = moved(settleDecision(spent, { at, now: at, fourEyes: false }))
    expect(run.status).toBe('parked')
    expect(taskOf(run).pending).toBeUndefined()
  })
})

it('a decision that is still pending when the draft escalates is dropped, so that others can decide', () => {
  const at = dueAt - 50
  const escalating: Run = { ...pendingAt(at), deadline: { waitMs: 1_000, then: 'escalate' } }
  const run = moved(end(escalating, { status: 'expired', at: dueAt, by: 'sweeper' }))
  expect(run.status).toBe('parked')
  expect(taskOf(run)).toMatchObject({ escalatedAt: dueAt, pending: undefined })
})

describe('an automatic assignment', () => {
  const assigned = moved(assignAutomatically(held, 'ann'))

  it('is made only if nobody has the run', () => {
    expect(assigned).toMatchObject({ assignee: 'ann', autoAssigned: true })
    expect(mayBeAssigned(held, 'bob', true)).toBe(true)
    expect(mayBeAssigned(assigned, 'bob', false)).toBe(false)
    expect(assignAutomatically(assigned, 'bob').kind).toBe('stale')
  })

  it('ends if the reviewer is away, and stays if the reviewer is there', () => {
    expect(returnToPool(assigned, (name) => name === 'ann').kind).toBe('stale')
    expect(moved(returnToPool(assigned, () => false)).assignee).toBeUndefined()
    expect(returnToPool(held, () => false).kind).toBe('stale')
  })
})

describe('an assignment by a person', () => {
  it('changes nothing if the person already has the run, or if nobody has it to give back', () => {
    const assigned = moved(assignRun(held, 'ann'))
    expect(assigned.assignee).toBe('ann')
    expect(assignRun(assigned, 'ann').kind).toBe('stale')
    expect(assignRun(held, null).kind).toBe('stale')
  })

  it('confirms an automatic one, and giving back declines the run', () => {
    const confirmed = moved(assignRun(moved(assignAutomatically(held, 'ann')), 'ann'))
    expect(confirmed).toMatchObject({ assignee: 'ann' })
    expect(confirmed.autoAssigned).toBeUndefined()
    const returned = moved(assignRun(confirmed, null))
    expect(returned.assignee).toBeUndefined()
    expect(taskOf(returned).declined).toEqual(['ann'])
  })

  it('is stale if the run is not held', () => {
    expect(assignRun({ ...held, open: [] }, 'ann').kind).toBe('stale')
  })
})

it('offers the found passages of a run that is held without a draft', () => {
  const { draft: _, ...withoutDraft } = held
  expect(reviewPassages(withoutDraft)).toEqual(['p1'])
})
