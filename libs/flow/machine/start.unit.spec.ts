import { describe, expect, it } from 'vitest'
import { asked, asking, openIds, policy, t0 } from '../spec/given.spec'
import { start } from './start'

describe('start', () => {
  it('opens admit, which holds no job, and tells that it was asked', () => {
    const given = asking()
    expect(openIds(given)).toEqual(['admit'])
    expect(given.run).toMatchObject({ status: 'queued', createdAt: t0, movedAt: t0, closed: {}, steps: [] })
    expect(given.events).toEqual([
      { type: 'asked', audience: 'asker', task: 'admit', at: t0, question: asked.question, policy: 'standard' },
    ])
  })

  it('takes the deadline of the policy, or the one that was asked for', () => {
    expect(asking({ deadlineMs: 5_000 }).run.deadlineAt).toBe(t0 + 5_000)
    const own = start({ ...asked, deadlineMs: 2_000 }, policy({ deadlineMs: 5_000 })).run
    expect(own.deadlineAt).toBe(t0 + 2_000)
    expect(own.policy.deadlineMs).toBe(2_000)
  })

  it('keeps what the ask brought', () => {
    const { run } = asking(
      {},
      { skills: 'offline', threadId: 't1', filters: { year: '2020' }, metadata: { from: 'web' } },
    )
    expect(run).toMatchObject({
      skills: 'offline',
      threadId: 't1',
      filters: { year: '2020' },
      metadata: { from: 'web' },
    })
  })
})

it('a policy that may not search the web turns it off for its runs', () => {
  expect(asking({ maxWebSearches: 0 }, { webOn: true }).run.webOn).toBe(false)
  expect(asking({ maxWebSearches: 1 }, { webOn: true }).run.webOn).toBe(true)
})
