import fc from 'fast-check'
import { afterAll, expect, inject, test } from 'vitest'
import { memoryRunStore } from '@plumbline/ports/run-store/memory-run-store'
import { openRedisRunStore } from './redis-run-store'
import { forgetRun, ownRedis, snapshotRun } from '../spec/own-redis.spec'
import { aShownAct, joined, playShown, type ShownAct, writingRun } from '../spec/play-shown'
import { anAct, endOf, faults, firstRun, play, type Act, type Stage } from '../spec/play'

/** The number of random tests that run in parallel to keep Redis busy. Each plays `plays` interleavings. */
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

const eventsOf = async ({ store }: Stage, runId: string) =>
  (await store.ledger(runId, null, 1_000)).map(({ event }) => event)

/** Checks that the run shows the text of the accepted commits, and that its ledger sends exactly this text. */
const showsAccepted = async (stage: Stage, runId: string, shown: string): Promise<void> => {
  const run = (await stage.store.load(runId))?.run
  expect(run?.shown?.text ?? '').toBe(shown)
  expect(joined(await eventsOf(stage, runId))).toBe(shown)
  if (run?.answer && run.draft?.editedBy === undefined) expect(run.answer.text.startsWith(shown)).toBe(true)
}

test(
  'under any order of shown parts, reports, holds, cancellations, newer deliveries and rollbacks, the shown text is that of the accepted commits, and the fake agrees',
  { timeout: 600_000 },
  async () => {
    const seen = new Set<unknown>()
    let longest = 0
    const playShownBoth = async (acts: ShownAct[]): Promise<void> => {
      const runId = `r${(made += 1)}`
      const stages = [onRedis(), inMemory()] as const
      const [told, fake] = await Promise.all([playShown(stages[0], runId, acts), playShown(stages[1], runId, acts)])
      expect(told).toEqual(fake)
      for (const stage of stages) await showsAccepted(stage, runId, told.shown)
      const [run, model] = await Promise.all(stages.map((stage) => stage.store.load(runId)))
      expect(run?.run).toEqual(model?.run)
      for (const reply of told.replies) seen.add(reply)
      seen.add(run?.run.reason)
      for (const event of await eventsOf(stages[0], runId)) seen.add(`${event.type} ${event.task}`)
      longest = Math.max(longest, run?.run.shown?.claims.length ?? 0)
      await forgetRun(redis, runId)
    }
    const property = fc.asyncProperty(fc.array(aShownAct, { minLength: 6, maxLength: 40 }), playShownBoth)
    await Promise.all(
      Array.from({ length: searches }, (_, nth) => fc.assert(property, { numRuns: plays, seed: inject('seed') + nth })),
    )
    expect([...seen]).toEqual(
      expect.arrayContaining([
        ...['moved', 'raced', 'fenced', 'lost', 'stale', 'parked.doubted', 'cancelled.asked'],
        ...['checked generate.1', 'checked grade-answer.1'],
      ]),
    )
    expect(longest).toBeGreaterThan(2)
  },
)

test(
  'writers of one draft at once, each with a newer fence, beside a cancellation: parts join without gap or overlap',
  { timeout: 120_000 },
  async () => {
    const stage = onRedis()
    await Promise.all(
      Array.from({ length: 30 }, async (_, nth) => {
        const runId = `r${(made += 1)}`
        await store.create(writingRun(runId), [], 'body')
        const acts = (player: number): ShownAct[] =>
          Array.from({ length: 24 }, (_, at) => ({
            does: at % 6 === 0 ? 'begin' : at > 15 && player === nth % 8 ? 'cancel' : 'show',
            which: at % 6 === 0 ? 1 : Math.floor(at / 6),
          }))
        const told = await Promise.all(
          Array.from({ length: 8 }, (_, player) => playShown(stage, runId, acts(player), `w${player}.`)),
        )
        const run = (await store.load(runId))?.run
        expect(run?.status).toBe('cancelled')
        await showsAccepted(stage, runId, run?.shown?.text ?? '')
        const shown = (await eventsOf(stage, runId)).filter(({ type }) => type === 'checked').length
        expect(shown).toBeGreaterThan(0)
        // Each accepted commit, except the cancellation, showed one more part of the text.
        expect(told.flatMap(({ replies }) => replies).filter((reply) => reply === 'moved')).toHaveLength(shown + 1)
        await forgetRun(redis, runId)
      }),
    )
  },
)
