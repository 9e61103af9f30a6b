import { Redis } from 'ioredis'
import type { Run } from '@plumbline/flow'
import type { LedgerEntry } from '@plumbline/ports/run-store/run-store'
import { seconds, type Row, type Scale } from '../row'
import { pause, until } from '../wait'
import { inWorld, type World } from '../world'
import { decide, parked, ungrounded } from './reviews'

const open = 'runs:open:main'
const longestLateMs: Record<Scale, number> = { full: 2_000, short: 5_000 }
const sizes: Record<Scale, { runs: number; parkMs: number }> = {
  short: { runs: 80, parkMs: 12_000 },
  full: { runs: 600, parkMs: 40_000 },
}
const decisions: { action: string; fields?: Record<string, string> }[] = [
  { action: 'approve' },
  { action: 'edit', fields: { text: 'An edited draft [1].' } },
  { action: 'retry' },
  { action: 'research', fields: { guidance: 'What is missing.' } },
  { action: 'reject' },
]

const askBriefly = async (world: World): Promise<string> => {
  const answer = await fetch(`${world.url}/v1/runs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ question: 'What is due?', policy: 'brief', metadata: ungrounded }),
  })
  return ((await answer.json()) as { id: string }).id
}
const askAll = async (world: World, count: number): Promise<string[]> => {
  const ids: string[] = []
  while (ids.length < count) ids.push(...(await Promise.all(Array.from({ length: 20 }, () => askBriefly(world)))))
  return ids
}

/** Counts the checks of runs for lost jobs. Each check writes the time of the next one to a sorted set (`zadd`). */
const countingLooks = async (world: World) => {
  const listener = new Redis(world.redis.url)
  let looks = 0
  listener.on('message', (_channel, event) => void (looks += event === 'zadd' ? 1 : 0))
  await listener.subscribe(`__keyspace@0__:${open}`)
  return { count: () => looks, stop: () => listener.disconnect() }
}

type Due = { id: string; taskId: string; dueAt: number }
const dueOf = async (world: World, ids: string[]): Promise<Due[]> => {
  const runs = await world.load(ids)
  return runs.flatMap((run) => {
    const task = run?.open.find(({ kind }) => kind === 'review')
    return run && task?.kind === 'review' ? [{ id: run.id, taskId: task.id, dueAt: task.dueAt }] : []
  })
}

const looksAtRest = async (world: World, due: Due[]): Promise<{ looks: number; restedMs: number }> => {
  const redis = new Redis(world.redis.url)
  const atRest = async (): Promise<boolean> => {
    const scores = await redis.zmscore(open, ...due.map(({ id }) => id))
    return due.every(({ dueAt }, n) => Number(scores[n]) === dueAt)
  }
  await until('all rest', atRest, 5_000)
  const counting = await countingLooks(world)
  const restedMs = Math.min(...due.map(({ dueAt }) => dueAt)) - Date.now() - 1_500
  await pause(restedMs)
  const looks = counting.count()
  counting.stop()
  redis.disconnect()
  return { looks, restedMs }
}

type Answer = { id: string; decisionId: string; status: number }
const decideAround = (world: World, due: Due[]): Promise<Answer[]> =>
  Promise.all(
    due.map(async ({ id, taskId, dueAt }, n) => {
      await pause(Math.max(0, dueAt - 1_000 + (3_000 * n) / due.length - Date.now()))
      const { action, fields } = decisions[n % decisions.length] ?? { action: 'approve' }
      const decisionId = `decision-${id}`
      return { id, decisionId, status: await decide(world, id, taskId, decisionId, action, 'rita', fields) }
    }),
  )

/** Returns the store's time of a ledger entry in ms. */
const timeOf = ({ id }: LedgerEntry): number => Number(id.split('-')[0])

type LedgerFacts = { counted: string[]; lateDecisions: number; lateBy: number[]; tooEarly: number }
const readLedger = (entries: LedgerEntry[], parkMs: number): LedgerFacts => {
  const told: LedgerFacts = { counted: [], lateDecisions: 0, lateBy: [], tooEarly: 0 }
  let dueAt = Infinity
  for (const entry of entries) {
    const { event } = entry
    if (event.type === 'parked') dueAt = event.at + parkMs
    if (event.type === 'decided') {
      told.counted.push(event.decisionId)
      if (timeOf(entry) >= dueAt) told.lateDecisions += 1
    }
    if (event.type === 'ended' && event.reason === 'expired.review-overdue') {
      told.lateBy.push(timeOf(entry) - dueAt)
      if (timeOf(entry) < dueAt) told.tooEarly += 1
    }
  }
  return told
}

const isOver = (run: Run): boolean => run.endedAt !== undefined

export const E8: Row = {
  id: 'E8',
  promise:
    'decisions and parked runs around dueAt: no decision after it counts; ended ≤ 2 s after it; parked runs cost no sweeps before it',
  run: (scale) => {
    const { runs, parkMs } = sizes[scale]
    const policies = [{ name: 'brief', extends: 'standard', parkMs }]
    return inWorld({ workers: 2, redisArgs: ['--notify-keyspace-events', 'Kz'], policies }, async (world) => {
      const ids = await askAll(world, runs)
      await parked(world, ids)
      const due = await dueOf(world, ids)
      const { looks, restedMs } = await looksAtRest(world, due)
      const answers = await decideAround(
        world,
        due.filter((_, n) => n % 2 === 0),
      )
      await world.settled('end', ids, isOver, parkMs + 60_000)
      const told = await Promise.all(
        ids.map(async (id) => readLedger(await world.store.ledger(id, null, 1_000), parkMs)),
      )
      const counted = new Set(told.flatMap((run) => run.counted))
      const wrong = answers.filter(({ status, decisionId }) => status !== (counted.has(decisionId) ? 200 : 409)).length
      const late = told.reduce((sum, { lateDecisions }) => sum + lateDecisions, 0)
      const early = told.reduce((sum, { tooEarly }) => sum + tooEarly, 0)
      const lateBy = told.flatMap((run) => run.lateBy)
      const latest = Math.max(...lateBy)
      return {
        holds:
          late === 0 &&
          early === 0 &&
          wrong === 0 &&
          looks === 0 &&
          restedMs > 0 &&
          latest <= longestLateMs[scale] &&
          counted.size > 0 &&
          counted.size < answers.length,
        figures: {
          runs,
          decisions: answers.length,
          'counted in time': counted.size,
          'counted late': late,
          'told otherwise': wrong,
          'sweeps at rest': `${looks} in ${seconds(restedMs)}`,
          'ended overdue': lateBy.length,
          'latest after dueAt': seconds(latest),
        },
      }
    })
  },
}
