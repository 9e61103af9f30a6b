import { describe, expect, it } from 'vitest'
import { advance } from './advance'
import { newJobs, openJobs } from './jobs'
import {
  admitted,
  after,
  asking,
  checked,
  checking,
  found,
  planned,
  reportOf,
  t0,
  toResearch,
  costing,
} from '../spec/given.spec'

describe('advance', () => {
  it('is stale for a task that is closed, was never open, or is of another kind', () => {
    const given = after(asking(), admitted, toResearch)
    expect(advance(given.run, reportOf(given.run, toResearch))).toEqual({ kind: 'stale' })
    expect(advance(given.run, reportOf(given.run, found('1.1', ['p1'])))).toEqual({ kind: 'stale' })
    expect(advance(given.run, reportOf(given.run, { ...toResearch, taskId: 'plan' }))).toEqual({ kind: 'stale' })
    const ended = after(checking(), checked(1))
    expect(advance(ended.run, reportOf(ended.run, checked(1)))).toEqual({ kind: 'stale' })
  })

  it('never changes the run it was given', () => {
    const { run } = after(asking(), admitted, toResearch)
    const before = structuredClone(run)
    advance(run, reportOf(run, planned('a', 'b')))
    expect(run).toStrictEqual(before)
  })

  it('adds up what was used', () => {
    const usage = { calls: 1, tokensIn: 10, tokensOut: 5, cents: 0.1 }
    const { run } = after(
      asking(),
      admitted,
      { ...toResearch, ...costing(usage) },
      { ...planned('a'), ...costing({ ...usage, cents: 0.2 }) },
    )
    expect(run.usage).toEqual({ calls: 2, tokensIn: 20, tokensOut: 10, cents: 0.3 })
  })

  it('stamps every event with the report’s time and names a task', () => {
    const { events } = after(asking(), admitted, toResearch, planned('a', 'b'), found('1.1', ['p1']))
    expect(events.every(({ task }) => task !== undefined)).toBe(true)
    expect(events.map(({ at }) => at)).toEqual([t0, ...[2, 3, 3, 3, 4, 4].map((seconds) => t0 + seconds * 1_000)])
  })
})

describe('jobs', () => {
  it('are the same for the same run, hold only ids, and have no colon', () => {
    const { run } = after(asking(), admitted, toResearch, planned('a', 'b'))
    const jobs = openJobs(run)
    expect(openJobs(structuredClone(run))).toEqual(jobs)
    expect(jobs).toEqual(
      [1, 2].map((step) => ({
        queue: 'researcher',
        jobId: `${run.id}.research.${step}.1`,
        data: { runId: run.id, taskId: `research.${step}.1` },
      })),
    )
    expect(jobs.some(({ jobId }) => jobId.includes(':'))).toBe(false)
  })

  it('that are new are those that were not open before', () => {
    const before = after(asking(), admitted, toResearch, planned('a', 'b'))
    const { run } = after(before, found('1.1', ['p1']))
    expect(newJobs(before.run, run).map(({ queue }) => queue)).toEqual(['grader'])
    expect(newJobs(null, run)).toEqual(openJobs(run))
  })
})
