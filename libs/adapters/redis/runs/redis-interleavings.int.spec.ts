import fc from 'fast-check'
import { afterAll, expect, inject, test } from 'vitest'
import { memoryRunStore } from '@plumbline/ports/run-store/memory-run-store'
import { openRedisRunStore } from '..'
import { forgetRun, ownRedis, snapshotRun } from '../spec/own-redis.spec'
import { anAct, endOf, faults, firstRun, play, type Act, type Stage } from '../spec/play'

/** Parallel searches keep Redis busy. Each plays this many interleavings. */
const searches = 20
const plays = Number(process.env.INTERLEAVINGS ?? 600) / searches

const { redis } = await ownRedis()
const store = openRedisRunStore({ redis, answerWithinMs: 20_000 })
afterAll(() => store.close())
let made = 0

const onRedis = (): Stage => ({
  store,
  snapshot: (runId) => snapshotRun(redis, runId),
  forget: (runId) => forgetRun(redis, runId),
})
const inMemory = (): Stage => {
  const memory = memoryRunStore()
  return {
    store: memory,
    snapshot: async (runId) => {
      const restore = memory.snapshot(runId)
      return async () => restore()
    },
    forget: async (runId) => memory.forget(runId),
  }
}

const playBoth = async (acts: Act[]): Promise<void> => {
  const runId = `r${(made += 1)}`
  const [redisStage, memoryStage] = [onRedis(), inMemory()]
  const told = await Promise.all([play(redisStage, runId, acts), play(memoryStage, runId, acts)])
  expect(told[0]).toEqual(told[1])
  const [end, model] = await Promise.all([endOf(redisStage, runId), endOf(memoryStage, runId)])
  expect(end).toEqual(model)
  expect(faults(end)).toEqual([])
  await forgetRun(redis, runId)
}

test(
  'under any order of deliveries, duplicates, errors and rollbacks, each task has one effect, without gaps, and the fake agrees',
  { timeout: 600_000 },
  async () => {
    const property = fc.asyncProperty(fc.array(anAct, { minLength: 8, maxLength: 60 }), playBoth)
    await Promise.all(
      Array.from({ length: searches }, (_, nth) => fc.assert(property, { numRuns: plays, seed: inject('seed') + nth })),
    )
  },
)

test(
  'eight workers at once, each task delivered again and again: one effect for each task',
  { timeout: 120_000 },
  async () => {
    const worker = async (runId: string, seed: number): Promise<void> => {
      for (let turn = 0; ; turn += 1) {
        const run = (await store.load(runId))?.run
        if (!run || run.open.length === 0) return
        const acts: Act[] = [
          { does: 'begin', which: seed + turn, isolated: turn % 3 === 0 },
          ...Array.from({ length: 4 }, () => ({ does: 'report', which: 0, isolated: false }) as const),
        ]
        await play(onRedis(), runId, acts, `w${seed}.${turn}.`)
      }
    }
    await Promise.all(
      Array.from({ length: 30 }, async () => {
        const runId = `r${(made += 1)}`
        await store.create(firstRun(runId), [], 'body')
        await Promise.all(Array.from({ length: 8 }, (_, seed) => worker(runId, seed)))
        const end = await endOf(onRedis(), runId)
        expect(Object.keys(end.run?.closed ?? {})).toHaveLength(5)
        expect(faults({ ...end, ledger: ['asked', ...end.ledger] })).toEqual([])
      }),
    )
  },
)
