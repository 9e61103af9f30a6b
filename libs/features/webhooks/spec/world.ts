import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { openWebhookQueue } from '@plumbline/adapters/bullmq/webhook-queue'
import { allowedTargets, type Guard } from '@plumbline/adapters/fetching/target'
import { connectWaiting, type RedisClient } from '@plumbline/adapters/redis/client/client'
import { openCatalog } from '@plumbline/adapters/redis/documents/catalog'
import { openRedisRunStore } from '@plumbline/adapters/redis/runs/redis-run-store'
import { openDeliveries } from '../store/deliveries'
import { openOutbox } from '@plumbline/adapters/redis/client/webhook-outbox'
import { openWebhooks } from '../store/webhooks'
import { WebhookMessage, type WebhookEvent } from '@plumbline/contracts'
import { advance, start, type Run } from '@plumbline/flow'
import {
  admitted,
  asked,
  claim,
  drafted,
  found,
  good,
  graded,
  planned,
  policy,
  reportOf,
  toResearch,
  ungrounded,
} from '@plumbline/flow/spec/run-fixtures.spec'
import { startPrivateRedis, type PrivateRedis } from '@plumbline/platform'
import { silent } from '@plumbline/platform/log'
import { createMemoryJobQueue } from '@plumbline/ports/memory-job-queue'
import { dispatch, moveRun } from '@plumbline/worker/move'
import { type AnnouncePorts } from '../announce'
import { createDelivering } from '../deliver'

type Received = { headers: IncomingHttpHeaders; body: string }
const startReceiver = async () => {
  const received: Received[] = []
  const answers: number[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (piece: string) => (body += piece))
    request.on('end', () => {
      received.push({ headers: request.headers, body })
      response.writeHead(answers.shift() ?? 204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { received, answers, host, close: () => new Promise((resolve) => server.close(resolve)) }
}

export let server: PrivateRedis
export let redis: RedisClient
export let receiver: Awaited<ReturnType<typeof startReceiver>>
export const openWorld = (): void => {
  beforeAll(async () => {
    server = await startPrivateRedis()
    redis = connectWaiting(server.url)
    receiver = await startReceiver()
  })
  afterAll(async () => {
    redis.disconnect()
    await receiver.close()
    await server.stop()
  })
  beforeEach(async () => {
    await redis.call('FLUSHALL')
    receiver.received.length = 0
    receiver.answers.length = 0
  })
}

export const tenant = asked.tenant
const every: WebhookEvent[] = [
  'run.parked',
  'run.escalated',
  'run.decided',
  'run.answered',
  'run.failed',
  'document.indexed',
  'batch.finished',
  'schedule.changed',
  'schedule.stopped',
]
export const hook = async (events = every) => {
  const put = await openWebhooks(redis).put(tenant, 'desk', { url: `http://${receiver.host}/hook`, events })
  if (!put) throw new Error('there are too many')
  return put.webhook
}

type ReportFields = Parameters<typeof reportOf>[1]
const secretText = 'Mars is made of cheese'
export const toPark: ReportFields[] = [
  admitted,
  toResearch,
  planned('How heavy is Mars?'),
  found('1.1', ['p1']),
  graded('1.1', { p1: good }),
  drafted(1, `${secretText} [1].`),
  ungrounded(1, claim('unsupported', { text: secretText })),
]
let made = 0
/**
 * Creates a run in a store of its own, as another process would, and returns a function that reports steps of this run.
 */
export const openRun = async (fields = {}) => {
  const id = `r${String((made += 1)).padStart(24, '0')}`
  const store = openRedisRunStore({ redis })
  const queue = createMemoryJobQueue()
  const at = await store.now()
  const begun = start({ ...asked, id, at }, policy({ maxRegenerations: 0, maxAugments: 0, ...fields }))
  await store.create(begun.run, begun.events, '')
  return async (...said: ReportFields[]): Promise<string> => {
    for (const one of said) {
      const outcome = await moveRun(store, id, (run: Run, now) => advance(run, reportOf(run, one, now)))
      if (outcome.kind !== 'moved') throw new Error(outcome.kind)
      await dispatch({ store, queue }, outcome.before, outcome.after)
    }
    return id
  }
}

export const openParts = (
  guard: Guard = { allowed: allowedTargets([receiver.host]) },
  sources: AnnouncePorts['sources'] = {},
) => {
  const queue = openWebhookQueue(redis, 'main')
  const deliveries = openDeliveries(redis)
  const outbox = openOutbox(redis)
  const ports: AnnouncePorts = {
    store: openRedisRunStore({ redis }),
    outbox,
    documents: openCatalog(redis),
    sources,
    webhooks: openWebhooks(redis),
    deliveries,
    queue,
    publicUrl: 'https://plumbline.example',
    log: silent,
  }
  const deliver = createDelivering({
    webhooks: ports.webhooks,
    deliveries,
    guard,
    signal: new AbortController().signal,
    log: silent,
  })
  return { ports, deliveries, queue, deliver }
}
export const ids = async (): Promise<string[]> =>
  (await openDeliveries(redis).list(tenant, { cursor: null, limit: 50 })).items.map(({ id }) => id)
export const messages = () => receiver.received.map(({ body }) => WebhookMessage.parse(JSON.parse(body)))
