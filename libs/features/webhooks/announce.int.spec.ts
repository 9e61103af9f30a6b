import { Webhook as Verifier } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { openCatalog } from '@plumbline/adapters/redis/documents/catalog'
import { openIngestCatalog } from '@plumbline/adapters/redis/documents/ingest-catalog'
import { openDeliveries } from './store/deliveries'
import { keys } from '@plumbline/adapters/redis/client/keys'
import { decided } from '@plumbline/flow/spec/run-fixtures.spec'
import { hostStages, type Host } from '@plumbline/hosting/host-stages'
import { silent } from '@plumbline/platform/log'
import { announceDue, healDeliveries } from './announce'
import { webhooksWorker } from './worker'
import {
  hook,
  ids,
  messages,
  openParts,
  openRun,
  openWorld,
  receiver,
  redis,
  server,
  tenant,
  toPark,
} from './spec/world'

openWorld()

describe('an event', () => {
  it('is sent as a signed message with ids, status, reason and link, without text of a draft', async () => {
    const { secret } = await hook()
    const { ports, deliver } = openParts()
    const move = await openRun()
    const runId = await move(...toPark)
    await announceDue(ports)
    for (const id of await ids()) await deliver(id)
    await move(decided(1, { outcome: 'approved' }))
    await announceDue(ports)
    for (const id of (await ids()).toReversed()) await deliver(id)
    expect(messages().map(({ type, data }) => ({ type, ...data }))).toEqual([
      {
        type: 'run.parked',
        runId,
        status: 'parked',
        reason: 'parked.ungrounded',
        taskId: 'review.1',
        link: `https://plumbline.example/desk/${runId}`,
      },
      {
        type: 'run.decided',
        runId,
        status: 'decided',
        taskId: 'review.1',
        action: 'approve',
        link: `https://plumbline.example/runs/${runId}`,
      },
      {
        type: 'run.answered',
        runId,
        status: 'answered',
        reason: 'answered.decided',
        link: `https://plumbline.example/runs/${runId}`,
      },
    ])
    expect(JSON.stringify(receiver.received)).not.toMatch(/cheese|Text of p1|How heavy/)
    const verifier = new Verifier(secret)
    for (const { body, headers } of receiver.received)
      expect(verifier.verify(body, headers as Record<string, string>)).toMatchObject({ data: { runId } })
    const [{ body, headers } = { body: '', headers: {} }] = receiver.received
    expect(() => verifier.verify(body.replace('parked', 'packed'), headers as Record<string, string>)).toThrow()
  })

  it('is sent once, however often it is checked, and only to subscribers', async () => {
    await hook(['run.failed'])
    const { ports } = openParts()
    const move = await openRun()
    const runId = await move(...toPark, decided(1, { outcome: 'rejected' }))
    for (let look = 0; look < 3; look += 1) {
      await redis.zadd(keys.notices, 0, runId)
      await announceDue(ports)
    }
    const { items } = await openDeliveries(redis).list(tenant, { cursor: null, limit: 50 })
    expect(items).toMatchObject([{ event: 'run.failed', runId, status: 'waiting', webhook: 'desk' }])
    expect(await redis.zcard(keys.notices)).toBe(0)
  })

  it('is also reported for a document that is now indexed', async () => {
    await hook()
    const catalog = openCatalog(redis)
    const id = `d${'1'.repeat(24)}`
    await catalog.createDocument(tenant, id, 'v1', {
      told: { collection: 'far planets', title: 'Mars', metadata: {}, mediaType: 'text/plain' } as never,
      source: { kind: 'text' } as never,
      digest: 'x',
    })
    const ingest = openIngestCatalog(redis)
    const begun = await ingest.begin(id, 'v1', { isolated: true })
    if (begun.kind !== 'open') throw new Error(begun.kind)
    await ingest.finish(begun.open, 3)
    const { ports, deliver } = openParts()
    await announceDue(ports)
    for (const delivery of await ids()) await deliver(delivery)
    const link = `https://plumbline.example/documents/far%20planets/${id}`
    expect(messages()).toMatchObject([{ type: 'document.indexed', data: { documentId: id, status: 'indexed', link } }])
  })
})

describe('a crash', () => {
  it('between a commit and its outbox entry loses no event, as an earlier entry is still due', async () => {
    await hook(['run.parked'])
    const move = await openRun()
    await move(...toPark.slice(0, -1))
    const zadd = redis.zadd.bind(redis)
    let notices = 0
    // The writer dies after its commit, so its second entry never reaches the outbox.
    redis.zadd = ((key: string, ...rest: never[]) =>
      key === keys.notices && (notices += 1) === 2
        ? Promise.reject(new Error('the writer is dead'))
        : zadd(key, ...rest)) as typeof redis.zadd
    const runId = await move(...toPark.slice(-1)).finally(() => (redis.zadd = zadd))
    expect(notices).toBe(2)
    const [member, due] = await redis.zrange(keys.notices, '0', '-1', 'WITHSCORES')
    expect(member).toBe(runId)
    expect(Number(due) - Date.now()).toBeLessThanOrEqual(5_000)
    await redis.zadd(keys.notices, 0, runId)
    await announceDue(openParts().ports)
    expect(await ids()).toHaveLength(1)
  })

  it('that loses a job is repaired: the job is added again until the message is delivered', async () => {
    await hook(['run.parked'])
    const { ports, deliver, queue } = openParts()
    await (
      await openRun()
    )(...toPark)
    await announceDue({ ...ports, queue: { ...queue, add: () => Promise.reject(new Error('the queue is away')) } })
    expect(await queue.depth()).toMatchObject({ waiting: 0 })
    const [id = ''] = await ids()
    await redis.zadd(keys.deliveriesOpen, 0, id)
    await healDeliveries(ports)
    expect(await queue.depth()).toMatchObject({ waiting: 1 })
    await deliver(id)
    await redis.zadd(keys.deliveriesOpen, 0, id)
    await healDeliveries(ports)
    expect(await redis.zcard(keys.deliveriesOpen)).toBe(0)
    await queue.close()
  })
})

it('the webhooks worker reports a parked run', async () => {
  let host: Host | undefined
  try {
    await hook(['run.parked'])
    const env = { REDIS_URL: server.url, ALLOW_PRIVATE_ADDRESSES: receiver.host, LOG_LEVEL: 'warn' }
    host = await hostStages({ app: 'webhooks', stages: [webhooksWorker([])], env, log: silent, health: false })
    const runId = await (await openRun())(...toPark)
    await expect.poll(() => receiver.received.length, { interval: 50 }).toBe(1)
    expect(messages()).toMatchObject([{ type: 'run.parked', data: { runId } }])
    expect(messages()[0]?.data.link).toBeUndefined()
    await expect.poll(() => redis.zcard(keys.deliveriesOpen), { interval: 50 }).toBe(0)
  } finally {
    await host?.close()
  }
})
