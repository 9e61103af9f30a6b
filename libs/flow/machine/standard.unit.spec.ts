import { describe, expect, it } from 'vitest'
import {
  admitted,
  after,
  asking,
  checked,
  drafted,
  found,
  good,
  graded,
  openIds,
  planned,
  toResearch,
} from '../spec/given.spec'
import { newJobs, openJobs } from './jobs'

describe('the standard path', () => {
  it('goes from the question to a checked answer', () => {
    const asked = asking()
    expect(asked.run.status).toBe('queued')
    expect(openJobs(asked.run)).toEqual([])

    const routing = after(asked, admitted)
    expect(openJobs(routing.run)).toEqual([
      { queue: 'router', jobId: `${asked.run.id}.route`, data: { runId: asked.run.id, taskId: 'route' } },
    ])
    const researching = after(routing, toResearch, planned('How heavy is Mars?', 'How heavy is Venus?'))
    expect(openIds(researching)).toEqual(['research.1.1', 'research.2.1'])

    const half = after(researching, found('2.1', ['p2']), found('1.1', ['p1']), graded('2.1', { p2: good }))
    expect(openIds(half)).toEqual(['grade-evidence.1.1'])
    const writing = after(half, graded('1.1', { p1: good }))
    expect(newJobs(half.run, writing.run).map(({ queue }) => queue)).toEqual(['generator'])

    const { run } = after(writing, drafted(1), checked(1))
    expect(run).toMatchObject({
      status: 'answered',
      reason: 'answered.checked',
      open: [],
      answer: { text: 'Draft 1 [1].' },
    })
    expect(run.spent.moves).toBe(8)
  })
})
