import { type Job, type Queue, Worker } from 'bullmq'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { openQueue, queuePrefix, stageKeys } from '@plumbline/adapters/bullmq/queues'
import { openBullMqJobQueue } from '@plumbline/adapters/bullmq/bullmq-job-queue'
import { connectWaiting, type RedisClient } from '@plumbline/adapters/redis/client/client'
import { openFairShare } from '@plumbline/adapters/redis/limits/fair-share'
import { openOpsHistory } from '@plumbline/adapters/redis/ops/history'
import { ScaledQueue } from '@plumbline/contracts'
import { type Pick, picks } from '@plumbline/flow/spec/random-runs.spec'
import { openHouse, type House } from './house.spec'

const second = 1_000
const hour = 3_600 * second

/** A BullMQ queue with a worker that takes jobs only on request. */
type Line = { queue: Queue; worker: Worker; held: Job[] }
const openLine = (redis: RedisClient, lane: string, name: string): Line => ({
  queue: openQueue(redis, lane, name),
  worker: new Worker(name, null, { connection: redis, prefix: queuePrefix(lane), autorun: false, lockDuration: hour }),
  held: [],
})

let added = 0
/** The time at which each job is due, by job id. */
const dueAt = new Map<string, number>()
/** Adds random jobs, with or without priority: ready, delayed, or delayed and already due. */
const addSome = async ({ queue }: Line, pick: Pick): Promise<void> => {
  const jobs = Array.from({ length: pick(6) }, () => {
    const timestamp = Date.now() - pick(2 * hour)
    const kind = pick(4)
    const delay =
      kind === 2 ? Date.now() - timestamp + hour : kind === 3 ? Math.max(1, Date.now() - timestamp - 5 * second) : 0
    const jobId = `j.${(added += 1)}`
    dueAt.set(jobId, timestamp + delay)
    return {
      name: 'task',
      data: {},
      opts: { jobId, timestamp, delay, ...(kind !== 0 && { priority: 1 + pick(2_000_000) }) },
    }
  })
  await queue.addBulk(jobs)
}

const steps: ((line: Line, pick: Pick) => Promise<unknown>)[] = [
  addSome,
  addSome,
  async ({ worker, held }) => {
    const job = (await worker.getNextJob('token', { block: false })) as Job | undefined
    if (job) held.push(job)
  },
  async ({ held }) => held.pop()?.moveToCompleted('', 'token', false),
  async ({ held }, pick) => {
    const job = held.pop()
    const at = Date.now() + (pick(2) === 0 ? hour : 0)
    dueAt.set(job?.id ?? '', at)
    await job?.moveToDelayed(at, 'token')
  },
  async ({ queue }, pick) => (pick(3) === 0 ? queue.pause() : queue.resume()),
  async ({ queue }, pick) => pick(5) === 0 && queue.drain(true),
]

/** Computes the expected figures from BullMQ's lists of jobs. */
const truthOf = async (lines: Line[]) => {
  const sum = { jobs: 0, waiting: 0, active: 0, due: 0, paused: false, oldestSince: Infinity }
  for (const { queue } of lines) {
    const [{ active = 0 }, waiting, delayed, paused] = await Promise.all([
      queue.getJobCounts('active'),
      queue.getJobs(['waiting', 'prioritized']),
      queue.getDelayed(),
      queue.isPaused(),
    ])
    const due = delayed.map(({ id = '' }) => dueAt.get(id) ?? 0).filter((at) => at <= Date.now())
    sum.waiting += waiting.length
    sum.active += active
    sum.due += due.length
    sum.jobs += paused ? 0 : waiting.length + active + due.length
    sum.paused ||= paused
    const since = [...waiting.map(({ timestamp }) => timestamp), ...due]
    sum.oldestSince = Math.min(sum.oldestSince, ...since)
  }
  return sum
}

const seen = { paused: 0, prioritised: 0, due: 0, active: 0 }

describe.each([
  ['one lane', ['main']],
  ['four lanes', ['one', 'two', 'three', 'four']],
])('with %s', (_, lanes) => {
  let house: House
  let redis: RedisClient
  const lines = new Map<ScaledQueue, Line[]>()
  beforeAll(async () => {
    house = await openHouse({ lanes })
    redis = connectWaiting(house.server.url)
    for (const name of ScaledQueue.options) {
      const its = name === 'ingest' || name === 'webhook' ? lanes.slice(0, 1) : lanes
      lines.set(
        name,
        its.map((lane) => openLine(redis, lane, name)),
      )
    }
  })
  afterAll(async () => {
    for (const { worker, queue } of [...lines.values()].flat()) await Promise.all([worker.close(), queue.close()])
    redis.disconnect()
    await house.close()
  })
  const compare = async (name: ScaledQueue) => {
    const { oldestSince, ...truth } = await truthOf(lines.get(name) ?? [])
    const before = Date.now()
    const { oldestSeconds, ...told } = await house.client.scaler(name)
    const after = Date.now()
    expect(told).toEqual({ queue: name, ...truth, drainPerSecond: 0 })
    const ageAt = (at: number): number => (oldestSince === Infinity ? 0 : (at - oldestSince) / second)
    expect(oldestSeconds).toBeGreaterThan(ageAt(before) - 1)
    expect(oldestSeconds).toBeLessThan(ageAt(after) + 1)
    return truth
  }

  it('the scaler says what BullMQ holds, in 500 random states', { timeout: 180_000 }, async () => {
    const pick = picks(inject('seed') + lanes.length)
    for (let state = 0; state < 500; state += 1) {
      const name = ScaledQueue.options[pick(ScaledQueue.options.length)] ?? 'router'
      const its = lines.get(name) ?? []
      for (let step = 0; step < 2; step += 1) {
        const line = its[pick(its.length)]
        if (line) await steps[pick(steps.length)]?.(line, pick)
      }
      const { active, due, paused } = await compare(name)
      seen.active += Number(active > 0)
      seen.due += Number(due > 0)
      seen.paused += Number(paused)
      seen.prioritised += Number(((await its[0]?.queue.getPrioritizedCount()) ?? 0) > 0)
    }
    for (const name of ScaledQueue.options) await compare(name)
    for (const [kind, count] of Object.entries(seen)) expect([kind, count > 50]).toEqual([kind, true])
  })

  it('the metric says the same of every queue', async () => {
    const text = await (await fetch(`${house.url}/metrics`)).text()
    for (const name of ScaledQueue.options) {
      const { jobs } = await house.client.scaler(name)
      expect(text).toContain(`plumbline_scaler_jobs{queue="${name}"} ${jobs}\n`)
    }
  })
})

describe('one gateway', () => {
  let house: House
  beforeAll(async () => {
    house = await openHouse()
  })
  afterAll(() => house.close())

  it('finds the oldest of tenants that take turns, without looking at all of them', async () => {
    const pick = picks(inject('seed'))
    const queue = openBullMqJobQueue({ connection: house.redis })
    const turns = openFairShare({ redis: house.redis, queueKeys: stageKeys, mostAhead: 0 })
    const asked: { jobId: string; at: number }[] = []
    for (let n = 0; n < 800; n += 1) {
      const tenant = `t${n < 400 ? pick(3) : pick(60)}`
      const turn = await turns.take('main', {
        tenant,
        class: 'interactive',
        cost: 1,
        weight: 1 + (Number(tenant.slice(1)) % 3),
      })
      if (turn.kind !== 'taken') throw new Error(turn.kind)
      const jobId = `r${n}.plan`
      await queue.add('main', [{ queue: 'planner', jobId, data: { runId: `r${n}`, taskId: 'plan' }, turn: turn.turn }])
      asked.push({ jobId, at: Date.now() - (800 - n) * 10 * second })
    }
    const key = (jobId: string): string => `${queuePrefix('main')}:planner:${jobId}`
    await Promise.all(asked.map(({ jobId, at }) => house.redis.hset(key(jobId), 'timestamp', at)))
    for (const taken of [0, 50, 200]) {
      if (taken > 0) await house.redis.zremrangebyrank(key('prioritized'), 0, taken - 1)
      const left = new Set(await house.redis.zrange(key('prioritized'), '0', '-1'))
      const oldest = asked.find(({ jobId }) => left.has(jobId))
      const before = Date.now()
      const { oldestSeconds } = await house.client.scaler('planner')
      const ageAt = (at: number): number => (at - (oldest?.at ?? 0)) / second
      expect(oldestSeconds).toBeGreaterThan(ageAt(before) - 0.5)
      expect(oldestSeconds).toBeLessThan(ageAt(Date.now()) + 0.5)
    }
    await queue.close()
  })

  it('says how fast a queue is worked off, and knows no other queue', async () => {
    const counts = { t3: 40, t7: 20, failed: 3 }
    const row = JSON.stringify(['stage', 'grader'])
    await openOpsHistory(house.redis).add([{ name: row, instead: row, counts }], [], Date.now() - 60 * second)
    const { drainPerSecond } = await house.client.scaler('grader')
    expect(drainPerSecond).toBeGreaterThanOrEqual(60 / 180)
    expect(drainPerSecond).toBeLessThanOrEqual(60 / 120)
    expect((await fetch(`${house.url}/v1/scaler/review`)).status).toBe(404)
  })

  it('is unavailable while Redis is away, so that workers are not scaled', async () => {
    await house.server.stop()
    expect((await fetch(`${house.url}/v1/scaler/grader`)).status).toBe(503)
    expect(await (await fetch(`${house.url}/metrics`)).text()).not.toMatch(/plumbline_scaler_jobs\{/)
  })
})
