import { describe, expect, it } from 'vitest'
import { admitted, after, asking, openIds, openTask, planned, refused } from '../spec/given.spec'

describe('admit', () => {
  it('opens what the policy enters with', () => {
    expect(openIds(after(asking({ entry: 'route' }), admitted))).toEqual(['route'])
    expect(openIds(after(asking({ entry: 'plan' }), admitted))).toEqual(['plan'])
    const research = after(asking({ entry: 'research' }), admitted)
    expect(openIds(research)).toEqual(['research.1.1'])
    expect(research.run.steps).toMatchObject([
      { step: 1, question: 'How heavy is Mars?', waitsFor: null, status: 'open', try: 1 },
    ])
  })

  it('leaves the run queued until a stage has reported, and is no move', () => {
    const queued = after(asking({ entry: 'plan' }), admitted)
    expect(queued.run).toMatchObject({ status: 'queued', spent: { moves: 0 }, closed: { admit: 'admitted' } })
    expect(after(queued, planned('q')).run).toMatchObject({ status: 'running', spent: { moves: 1 } })
  })

  it('ends a run that the door refused', () => {
    const { run, events } = after(asking(), refused)
    expect(run).toMatchObject({ status: 'declined', reason: 'declined.refused', open: [] })
    expect(events.slice(1)).toMatchObject([
      { type: 'refused', audience: 'asker', task: 'admit', reason: 'The queue is full.' },
      { type: 'ended', audience: 'asker', task: 'admit', status: 'declined', reason: 'declined.refused' },
    ])
  })

  it('ends at once a run that has not even the moves for the shortest way', () => {
    for (const entry of ['route', 'plan', 'research'] as const)
      expect(after(asking({ entry, maxMoves: 1 }), admitted).run).toMatchObject({
        status: 'unanswered',
        reason: 'unanswered.budget',
      })
    expect(openTask(after(asking({ maxMoves: 2 }), admitted), 'route').id).toBe('route')
  })
})
