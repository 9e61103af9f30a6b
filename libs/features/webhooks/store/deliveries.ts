import type { WebhookDelivery, WebhookEvent } from '@plumbline/contracts'
import { throughCall, withStoreErrors } from '@plumbline/adapters/redis/client/errors'
import { keys } from '@plumbline/adapters/redis/client/keys'
import { withScripts, type RedisClient } from '@plumbline/adapters/redis/client/client'
import { openDueQueue } from '@plumbline/adapters/redis/client/due-queue'
import { type Page, type Position, readPage } from '@plumbline/adapters/redis/client/sorted-sets'
import createDelivery from './lua/create-delivery.lua'
import noteDelivery from './lua/note-delivery.lua'

const keptMs = 8 * 24 * 3_600_000
const firstDueMs = 30_000

export type NewDelivery = {
  id: string
  tenant: string
  webhookId: string
  webhook: string
  event: WebhookEvent
  runId?: string
  documentId?: string
  batchId?: string
  scheduleId?: string
  at: number
  body: string
  traceparent?: string
}
/** `since` is the time when the delivery was created or last replayed. */
export type Delivery = NewDelivery & { status: WebhookDelivery['status']; tries: number; since: number }
type DeliveryUpdate = {
  status?: WebhookDelivery['status']
  tries?: number
  lastTryAt?: number
  nextTryAt?: number | ''
  answered?: number | ''
  problem?: string
}

const viewOf = (id: string, held: Record<string, string>): WebhookDelivery | null => {
  if (!held.told) return null
  const { webhook, event, runId, documentId, batchId, scheduleId, at } = JSON.parse(held.told) as NewDelivery
  const timeOf = (text: string | undefined): string | undefined => text && new Date(Number(text)).toISOString()
  return {
    id,
    webhook,
    event,
    runId,
    documentId,
    batchId,
    scheduleId,
    status: held.status as WebhookDelivery['status'],
    at: new Date(at).toISOString(),
    tries: Number(held.tries ?? 0),
    lastTryAt: timeOf(held.lastTryAt),
    nextTryAt: timeOf(held.nextTryAt),
    answered: held.answered === undefined ? undefined : Number(held.answered),
    problem: held.problem,
  }
}

type DeliveryPage = Pick<Page<WebhookDelivery>, 'cursor' | 'limit'> & { status?: WebhookDelivery['status'] }

const listOf = async (redis: RedisClient, tenant: string, { status, ...page }: DeliveryPage) => {
  const rowsOf = (piece: Position[]) =>
    Promise.all(piece.map(async ({ id }) => viewOf(id, await redis.hgetall(keys.delivery(id)))))
  const wanted = (view: WebhookDelivery): boolean => status === undefined || view.status === status
  const { rows, next } = await readPage(redis, keys.deliveries(tenant), rowsOf, { ...page, wanted, pieceSize: 50 })
  return { items: rows, next }
}

const readDelivery = async (redis: RedisClient, id: string): Promise<Delivery | null> => {
  const { told, status, tries, since } = await redis.hgetall(keys.delivery(id))
  return told
    ? {
        ...(JSON.parse(told) as NewDelivery),
        status: status as Delivery['status'],
        tries: Number(tries),
        since: Number(since),
      }
    : null
}

export const openDeliveries = (redis: RedisClient) => {
  const scripts = withScripts(redis, {
    deliveryCreate: { lua: createDelivery, numberOfKeys: 1 },
    deliveryNote: { lua: noteDelivery, numberOfKeys: 1 },
  })
  const dueQueue = openDueQueue(redis, 'deliveriesOpen')
  const open = (id: string): Promise<void> => dueQueue.schedule(id, Date.now() + firstDueMs)
  const list = async ({ tenant, id, at }: NewDelivery): Promise<void> => {
    const key = keys.deliveries(tenant)
    await redis.zadd(key, at, id)
    await Promise.all([redis.zremrangebyscore(key, '-inf', Date.now() - keptMs), redis.pexpire(key, keptMs)])
  }
  const note = async (id: string, noted: DeliveryUpdate): Promise<boolean> =>
    (await scripts.deliveryNote(keys.delivery(id), ...Object.entries(noted).flat())) === 1
  const read = (id: string): Promise<Delivery | null> => readDelivery(redis, id)
  return throughCall(withStoreErrors, {
    ...dueQueue,
    read,
    note,
    /** Schedules the delivery before storing it, so that after a crash no stored delivery remains unsent. */
    create: async (delivery: NewDelivery): Promise<boolean> => {
      if ((await redis.exists(keys.delivery(delivery.id))) === 1) return false
      await Promise.all([open(delivery.id), list(delivery)])
      const fields = { told: JSON.stringify(delivery), status: 'waiting', tries: 0, since: Date.now() }
      return (await scripts.deliveryCreate(keys.delivery(delivery.id), keptMs, ...Object.entries(fields).flat())) === 1
    },
    finish: async (id: string, noted: DeliveryUpdate): Promise<void> => {
      await note(id, noted)
      await dueQueue.forget(id)
    },
    reopen: async (tenant: string, id: string): Promise<WebhookDelivery | null> => {
      if ((await read(id))?.tenant !== tenant) return null
      await open(id)
      await scripts.deliveryNote(
        keys.delivery(id),
        ...['status', 'waiting', 'tries', 0, 'since', Date.now(), 'nextTryAt', '', 'problem', ''],
      )
      return viewOf(id, await redis.hgetall(keys.delivery(id)))
    },
    list: (tenant: string, page: DeliveryPage) => listOf(redis, tenant, page),
  })
}
export type Deliveries = ReturnType<typeof openDeliveries>
