import { describe, expect, it } from 'vitest'
import type { OpsOverview, StageNow } from '@plumbline/contracts'
import { troubles } from './verdict'

const well: StageNow = {
  stage: 'grader',
  waiting: 0,
  active: 0,
  delayed: 0,
  failed: 0,
  oldestMs: null,
  paused: false,
  slots: 16,
  tasksPerMinute: 0,
  p50Ms: null,
  p95Ms: null,
}
const now = (stage: Partial<StageNow>, more: Partial<OpsOverview> = {}): OpsOverview => ({
  at: '2026-11-22T20:00:00Z',
  accepting: true,
  stages: [{ ...well, ...stage }],
  held: { waiting: 0, oldestMs: null },
  runs: {},
  runsPerHour: 0,
  p50Ms: null,
  p95Ms: null,
  oldestMs: null,
  ...more,
})

describe('what should be looked at', () => {
  it('is nothing where all is well', () => expect(troubles(now({ waiting: 3, oldestMs: 400 }))).toEqual([]))

  it.each<[string, Partial<StageNow>, boolean]>([
    ['grader is paused; 3 wait until it is resumed.', { paused: true, waiting: 3 }, true],
    ['grader is paused; nothing waits until it is resumed.', { paused: true }, false],
    ['No process serves grader; nothing waits. Start one.', { slots: 0 }, true],
    ['grader gave up 1 task in the last hour.', { failed: 1 }, false],
    [
      'grader: 24 wait, the oldest for 12 s. More of its processes would help.',
      { waiting: 24, oldestMs: 12_000 },
      false,
    ],
  ])('is said in words: %s', (text, stage, grave) => expect(troubles(now(stage))).toMatchObject([{ text, grave }]))

  it('is first of all that nothing is taken in', () =>
    expect(troubles(now({ failed: 1 }, { accepting: false, refusing: 'The store is full.' }))[0]).toMatchObject({
      text: 'No question is taken in. The store is full.',
      grave: true,
    }))
})
