import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { vi } from 'vitest'
import { openBullMqJobQueue } from '@plumbline/adapters/bullmq'
import { connectFailFast, openRedisRunStore, whenReady } from '@plumbline/adapters/redis'
import { advance, policyNamed, start, stages, type Policy, type Run, type Stage } from '@plumbline/flow'
import { silent, startPrivateRedis, type Log } from '@plumbline/platform'
import { dispatch, moveRun, type StageHandlers } from '@plumbline/worker'
import { defineStage, hostStages, type Host } from '../index'
import { plainHandlers } from './handlers'

const env = z.object({})
type Limits = { attempts?: number; timeoutMs?: number; backoffMs?: number; concurrency?: number }
type HostAsk = {
  handlers?: Partial<StageHandlers<Stage>>
  stages?: readonly Stage[]
  limits?: Limits
  env?: Record<string, string>
  log?: Log
}

export const until = <T>(check: () => T | Promise<T>, timeout = 20_000): Promise<T> =>
  vi.waitFor(check, { timeout, interval: 20 })

/** A Redis with a door to ask at; hosts are started on it as a test needs them. */
export const benchOn = async <S extends { url: string; stop(): Promise<void> }>(server: S) => {
  const redis = connectFailFast(server.url)
  await whenReady(redis, 5_000)
  const store = openRedisRunStore({ redis })
  const queue = openBullMqJobQueue({ connection: redis })
  const hosts: Host[] = []

  const host = async ({
    handlers = {},
    stages: served = stages,
    limits,
    env: settings = {},
    log = silent,
  }: HostAsk = {}): Promise<Host> => {
    const all = { ...plainHandlers(), ...handlers }
    const wirings = served.map((stage) => defineStage({ stage, env, limits: () => limits ?? {}, handlers: () => all }))
    const started = await hostStages({ app: 'spec', stages: wirings, log, env: { REDIS_URL: server.url, ...settings } })
    hosts.push(started)
    return started
  }
  const ask = async (policy: Partial<Policy> = {}, lane = 'main'): Promise<string> => {
    const standard = policyNamed('standard')
    if (!standard) throw new Error('no standard policy')
    const id = `r${randomBytes(12).toString('hex')}`
    const at = await store.now()
    const question = 'What is part 1, and what is part 2?'
    const begun = start(
      { id, tenant: 'default', lane, question, collections: ['default'], webOn: false, at },
      { ...standard, ...policy },
    )
    await store.schedule({ lane, runId: id }, at + 15_000)
    await store.create(begun.run, begun.events, id)
    const made = await moveRun(store, id, (run, now) =>
      advance(run, { taskId: 'admit', kind: 'admit', at: now, result: { outcome: 'admitted' } }),
    )
    if (made.kind === 'moved') await dispatch({ store, queue }, made.before, made.after)
    return id
  }
  const load = async (id: string): Promise<Run> => {
    const loaded = await store.load(id)
    if (!loaded) throw new Error(`no run ${id}`)
    return loaded.run
  }
  const ended = (id: string, timeout?: number): Promise<Run> =>
    until(async () => {
      const run = await load(id)
      if (run.endedAt === undefined)
        throw new Error(`still ${run.status}: ${run.open.map((task) => task.id).join(' ')}`)
      return run
    }, timeout)
  const close = async (): Promise<void> => {
    await Promise.all(hosts.map((each) => each.close()))
    await queue.close()
    await store.close()
    redis.disconnect()
    await server.stop()
  }
  return { server, redis, store, queue, host, ask, load, ended, close }
}
export const openBench = async () => benchOn(await startPrivateRedis())
export type Bench = Awaited<ReturnType<typeof openBench>>
