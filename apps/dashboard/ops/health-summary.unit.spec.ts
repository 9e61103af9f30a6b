import { describe, expect, it } from 'vitest'
import type { DeskNow, ModelNow, OpsOverview, StageNow } from '@plumbline/contracts'
import { healthyText, troublesOf } from './health-summary'

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
const now = (more: Partial<OpsOverview> = {}, stage: Partial<StageNow> = {}): OpsOverview => ({
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
const model: ModelNow = { name: 'small at models.test', calls: 95, failed: 0, p50Ms: 400, p95Ms: 900 }
const desk: DeskNow = { overdue: 0, dueWithinHour: 0, escalated: 0, arrived: 0, decided: 0 }

it('finds nothing if all is well, and names what it looked at', () => {
  const fine = now({ models: [model], desk, memory: { usedBytes: 1, mostBytes: 10 } }, { waiting: 3, oldestMs: 400 })
  expect(troublesOf(fine)).toEqual([])
  expect(healthyText(fine)).toContain('95 model calls succeeded in the last hour, and no answer is held')
})

describe('a stage', () => {
  it.each<[string, Partial<StageNow>, boolean]>([
    ['Stage grader is paused; 3 tasks wait.', { paused: true, waiting: 3 }, true],
    ['Stage grader is paused; no task waits.', { paused: true }, false],
    ['No process serves stage grader; no task waits.', { slots: 0 }, true],
    ['Stage grader abandoned 1 task in the last hour.', { failed: 1 }, false],
    ['Stage grader: 24 tasks wait, the oldest for 12 s.', { waiting: 24, oldestMs: 12_000 }, false],
  ])('is described in words: %s', (text, stage, grave) =>
    expect(troublesOf(now({}, stage))).toMatchObject([{ text, grave }]),
  )
})

describe('the rest of the system', () => {
  it.each<[string, Partial<OpsOverview>, boolean]>([
    [
      'Model small at models.test: 95 of 95 calls failed in the last hour.',
      { models: [{ ...model, failed: 95, failingSince: '2026-11-22T19:43:00Z', lastError: 'refused' }] },
      true,
    ],
    [
      'Model small at models.test: 10 of 95 calls failed in the last hour.',
      { models: [{ ...model, failed: 10 }] },
      false,
    ],
    ['Model small at models.test is slow: p95 20 s.', { models: [{ ...model, p95Ms: 20_000 }] }, false],
    [
      '21 of 21 runs that ended in the last hour ran without a model or a service; their answers may be only quotes.',
      { degraded: 21, runsPerHour: 21 },
      true,
    ],
    [
      'Desk: 4 answers are overdue, 5 due within the hour, 1 escalated in the last hour.',
      { desk: { ...desk, overdue: 4, dueWithinHour: 5, escalated: 1 } },
      true,
    ],
    [
      'Desk: 298 held answers arrived and 14 were decided in the last hour.',
      { desk: { ...desk, arrived: 298, decided: 14 } },
      false,
    ],
    ['Redis memory is 95 % full: 1.9 GB of 2.0 GB.', { memory: { usedBytes: 1.9e9, mostBytes: 2e9 } }, false],
    ['Webhooks: 1 delivery waits for another try.', { webhooks: { waiting: 0, retrying: 1, oldestMs: null } }, false],
    [
      'The last import from source wiki of tenant acme failed.',
      {
        sourcesFailing: [
          { tenant: 'acme', name: 'wiki', collection: 'wiki', since: '2026-11-22T19:00:00Z', error: '401' },
        ],
      },
      false,
    ],
    ['New questions are refused.', { accepting: false, refusing: 'The store is full.' }, true],
  ])('is described in words: %s', (text, more, grave) => expect(troublesOf(now(more))).toMatchObject([{ text, grave }]))

  it('names the time and the last error of a failing model', () =>
    expect(
      troublesOf(
        now({ models: [{ ...model, failed: 95, failingSince: '2026-11-22T19:43:00Z', lastError: 'refused' }] }),
      ),
    ).toMatchObject([{ since: '2026-11-22T19:43:00Z', error: 'refused', runbook: 'models-fail' }]))

  it('lists the grave problems first', () =>
    expect(
      troublesOf(now({ accepting: false, desk: { ...desk, overdue: 1 } }, { failed: 1 })).map(({ grave }) => grave),
    ).toEqual([true, true, false]))
})
