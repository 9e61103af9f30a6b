import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openQueue } from '@plumbline/adapters/bullmq/queues'
import { stages, type Stage } from '@plumbline/flow'
import { startPrivateCluster } from '@plumbline/platform'
import { type Bench, benchOn, openBench, until } from './spec/bench'

let bench: Bench
beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench.close())

const eventsOf = async (id: string): Promise<string[]> =>
  (await bench.store.ledger(id, null, 1_000)).map(({ event }) => event.type)

describe('all stages in one process', () => {
  it('carries runs from ask to answer, and leaves nothing in the queues', async () => {
    await bench.host()
    const ids = await Promise.all(Array.from({ length: 20 }, () => bench.ask({ plan: 'always' })))
    const runs = await Promise.all(ids.map((id) => bench.ended(id)))
    expect(runs.map(({ status, reason }) => `${status} ${reason}`)).toEqual(ids.map(() => 'answered answered.checked'))
    expect(runs[0]?.answer?.text).toBe('Fact 1. [1] Fact 2. [2]')
    await until(async () => {
      for (const stage of stages)
        expect(await bench.queue.depth('main', stage)).toMatchObject({ waiting: 0, active: 0, delayed: 0 })
      expect(await bench.redis.exists('runs:open:main')).toBe(0)
    })
  })

  it('makes one effect of a job that is delivered three times, out of order', async () => {
    const calls = new Map<string, number>()
    const id = await bench.ask({ plan: 'always' })
    const copies = stages.map((stage) => ({ stage, queue: openQueue(bench.redis, 'main', stage) }))
    const taskIds: Partial<Record<Stage, string[]>> = {
      router: ['route'],
      planner: ['plan'],
      researcher: ['research.2.1', 'research.1.1'],
      grader: ['grade-answer.1', 'grade-evidence.2.1', 'grade-evidence.1.1'],
      generator: ['generate.1'],
    }
    const addCopies = (turn: number): Promise<unknown> =>
      Promise.all(
        copies.flatMap(({ stage, queue }) =>
          (taskIds[stage] ?? []).map((taskId) =>
            queue.add('task', { runId: id, taskId }, { jobId: `${id}.${taskId}.copy${turn}` }),
          ),
        ),
      )
    await addCopies(1)
    await bench.host({
      handlers: {
        route: async ({ run }) => {
          calls.set('route', (calls.get('route') ?? 0) + 1)
          await addCopies(2)
          return { outcome: 'research', logic: 'plain', collections: run.collections }
        },
      },
    })
    const run = await bench.ended(id)
    await addCopies(3)
    await until(async () => {
      for (const stage of stages)
        expect(await bench.queue.depth('main', stage)).toMatchObject({ waiting: 0, active: 0, delayed: 0 })
    })
    expect(run.status).toBe('answered')
    const types = await eventsOf(id)
    for (const once of ['asked', 'routed', 'planned', 'drafted', 'answer-graded', 'ended'])
      expect(types.filter((type) => type === once)).toEqual([once])
    expect(types.filter((type) => type === 'researched')).toHaveLength(2)
    await Promise.all(copies.map(({ queue }) => queue.close()))
  })

  it('stops within two seconds when idle', async () => {
    const host = await bench.host()
    const from = performance.now()
    await host.close()
    expect(performance.now() - from).toBeLessThan(2_000)
  })

  it('answers on its health port', async () => {
    const host = await bench.host()
    const get = (path: string) => fetch(`http://127.0.0.1:${host.healthPort}${path}`)
    await bench.ended(await bench.ask())
    expect((await get('/livez')).status).toBe(200)
    expect((await get('/readyz')).status).toBe(200)
    const metrics = await (await get('/metrics')).text()
    expect(metrics).toContain('plumbline_tasks_total{stage="router",task="route",outcome="research"} 1')
    expect(metrics).toContain('plumbline_runs_ended_total{status="answered",reason="answered.checked"} 1')
    expect((await get('/nothing')).status).toBe(404)
  })
})

it('carries runs to their end on a Redis Cluster, in several lanes', async () => {
  const cluster = await benchOn(await startPrivateCluster())
  await cluster.host({ env: { LANES: 'main,second' } })
  const ids = await Promise.all(
    ['main', 'second', 'main', 'second'].map((lane) => cluster.ask({ plan: 'always' }, lane)),
  )
  const runs = await Promise.all(ids.map((id) => cluster.ended(id)))
  expect(runs.map(({ lane, status }) => `${lane} ${status}`)).toEqual([
    'main answered',
    'second answered',
    'main answered',
    'second answered',
  ])
  await cluster.close()
})
