import { afterEach, expect, it } from 'vitest'
import { advance } from '@plumbline/flow'
import { checking, reportOf, ungrounded } from '@plumbline/flow/spec/run-fixtures.spec'
import { silent } from '@plumbline/platform'
import { createMemoryJobQueue } from '@plumbline/ports/memory-job-queue'
import { memoryRunStore } from '@plumbline/ports/run-store/memory-run-store'
import { dispatch, dispatchAll, lookAgainMs, moveRun } from './move'
import { createSweeper, type Sweeper } from './sweeper'

const parkMs = 3 * 24 * 3_600_000
let sweeper: Sweeper
afterEach(() => sweeper.stop())

/** A run that is about to park, in a store whose time the spec sets, and a sweeper that the spec calls. */
const setting = async () => {
  const { run } = checking({ maxRegenerations: 0, maxAugments: 0, parkMs })
  const start = run.movedAt ?? 0
  let now = start
  const store = memoryRunStore({ now: () => now })
  const queue = createMemoryJobQueue()
  await store.create(run, [], '')
  await store.schedule({ lane: run.lane, runId: run.id }, start)
  const clock = { saw: () => {}, skewed: false }
  sweeper = createSweeper({ store, queue, lanes: [run.lane], clock, log: silent })
  const park = async () => {
    const made = await moveRun(store, run.id, (before) => advance(before, reportOf(before, ungrounded(1), now)))
    if (made.kind !== 'moved') throw new Error(made.kind)
    return made
  }
  const retry = () => {
    const result = { outcome: 'retry', by: 'rita', decisionId: 'd1' } as const
    return moveRun(store, run.id, (before) =>
      advance(before, { kind: 'review', taskId: 'review.1', at: now + 1, result }),
    )
  }
  return {
    store,
    queue,
    park,
    retry,
    statusNow: async () => (await store.load(run.id))?.run.status,
    /** Sweeps this long after the run was parked. */
    lookAfter: (ms: number) => {
      now = start + ms
      return sweeper.look()
    },
  }
}

it('leaves a parked run alone until its review is due, and ends it at once then', async () => {
  const { store, queue, park, lookAfter, statusNow } = await setting()
  const made = await park()
  await dispatch({ store, queue }, made.before, made.after)
  for (const later of [1, lookAgainMs, lookAgainMs + 1, parkMs - 1]) expect(await lookAfter(later)).toBe(0)
  expect(await statusNow()).toBe('parked')
  expect(await lookAfter(parkMs)).toBe(1)
  expect(await statusNow()).toBe('expired')
  expect(await lookAfter(2 * parkMs)).toBe(0)
})

it('rests a parked run that a crash left in the list, with one sweep', async () => {
  const { queue, park, lookAfter, statusNow } = await setting()
  await park()
  expect(await lookAfter(lookAgainMs)).toBe(1)
  expect(queue.waiting('main').map(({ data }) => data.taskId)).toEqual(['review.1'])
  expect(await lookAfter(parkMs - 1)).toBe(0)
  expect(await lookAfter(parkMs)).toBe(1)
  expect(await statusNow()).toBe('expired')
})

it('checks a run soon if it continued after a decision and its jobs were lost, even if it was rested late', async () => {
  const { store, queue, park, retry, lookAfter } = await setting()
  const made = await park()
  await retry()
  await dispatch({ store, queue }, made.before, made.after)
  await dispatchAll({ store, queue }, made.after)
  await queue.remove('main', queue.waiting('main'))
  expect(await lookAfter(1 + lookAgainMs)).toBe(1)
  expect(queue.waiting('main').map(({ data }) => data.taskId)).toEqual(['generate.2'])
})
