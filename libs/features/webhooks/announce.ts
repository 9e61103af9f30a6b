import type { Catalog } from '@plumbline/adapters/redis/documents/catalog'
import type { Deliveries, NewDelivery } from './store/deliveries'
import type { Outbox } from '@plumbline/adapters/redis/client/webhook-outbox'
import type { WebhookStore } from './store/webhooks'
import type { WebhookMessage } from '@plumbline/contracts'
import type { News, NewsSource } from '@plumbline/gateway/feature'
import { handleDue } from '@plumbline/hosting/due-queue'
import { type Log, repeat } from '@plumbline/platform'
import type { RunStore } from '@plumbline/ports/run-store/run-store'
import { linkTo, messageBody } from './message'

export type AnnouncePorts = {
  store: Pick<RunStore, 'load' | 'ledger'>
  outbox: Outbox
  documents: Pick<Catalog, 'indexed'>
  /** For each kind of outbox entry, the function that finds the event of such an entry. */
  sources: Record<string, ReturnType<NewsSource['open']>>
  webhooks: Pick<WebhookStore, 'all'>
  deliveries: Pick<Deliveries, 'create' | 'takeDue' | 'complete' | 'schedule' | 'read'>
  queue: { add(deliveryId: string): Promise<void>; heal(deliveryId: string): Promise<boolean> }
  publicUrl: string | undefined
  log: Pick<Log, 'info' | 'warn'>
}

/** Events of a run that are older than a day are not announced. */
const newsMs = 24 * 3_600_000
const ledgerMost = 2_000
const batchSize = 50
const againInMs = 15_000
const healAgainMs = 60_000

/**
 * Creates one delivery for each webhook that wants the event. The id of a delivery is derived from the event, so that
 * an event that is processed twice is sent only once.
 */
const deliver = async ({ webhooks, deliveries, queue, publicUrl }: AnnouncePorts, news: News): Promise<void> => {
  const { tenant, about, at, type, page, traceparent } = news
  const data = { ...news.data, ...(page !== undefined && linkTo(publicUrl, page)) }
  const wanting = (await webhooks.all(tenant)).filter((one) => one.events.includes(type) && one.createdAt <= at)
  for (const { id: webhookId, name } of wanting) {
    const body: WebhookMessage = { type, timestamp: new Date(at).toISOString(), data }
    const { runId, documentId, batchId, scheduleId } = data
    const delivery: NewDelivery = {
      id: `${about}.${webhookId}`,
      tenant,
      webhookId,
      webhook: name,
      event: type,
      ...(runId !== undefined && { runId }),
      ...(documentId !== undefined && { documentId }),
      ...(batchId !== undefined && { batchId }),
      ...(scheduleId !== undefined && { scheduleId }),
      at,
      body: JSON.stringify(body),
      ...(traceparent !== undefined && { traceparent }),
    }
    if (await deliveries.create(delivery)) await queue.add(delivery.id)
  }
}

const newsOfRun = async ({ store }: AnnouncePorts, runId: string, now: number): Promise<News[]> => {
  const loaded = await store.load(runId)
  if (!loaded) return []
  const { tenant, origin } = loaded.run
  return (await store.ledger(runId, null, ledgerMost)).flatMap(({ id, event }) => {
    const said = event.at > now - newsMs ? messageBody(runId, event) : null
    const about = `${runId}.${id.replace('-', '.')}`
    if (!said) return []
    const page = `${said.data.status === 'parked' ? 'desk' : 'runs'}/${runId}`
    return [{ tenant, about, at: event.at, page, traceparent: origin?.traceparent, ...said }]
  })
}

const newsOfDocument = async ({ documents }: AnnouncePorts, documentId: string): Promise<News[]> => {
  const indexed = await documents.indexed(documentId)
  if (!indexed) return []
  const { tenant, collection, revision, at } = indexed
  const page = `documents/${encodeURIComponent(collection)}/${documentId}`
  const data = { documentId, status: 'indexed' }
  return [{ tenant, about: `${documentId}.${revision}`, at, page, type: 'document.indexed', data }]
}

const newsOf = async (ports: AnnouncePorts, member: string, now: number): Promise<News[]> => {
  const [kind = '', tenant = '', ...rest] = member.split('/')
  if (tenant !== '') return [(await ports.sources[kind]?.(tenant, ...rest)) ?? []].flat()
  return member.startsWith('d') ? newsOfDocument(ports, member) : newsOfRun(ports, member, now)
}

export const announceDue = (ports: AnnouncePorts): Promise<void> => {
  const handle = async (id: string, now: number): Promise<'done'> => {
    for (const one of await newsOf(ports, id, now)) await deliver(ports, one)
    return 'done'
  }
  const failed = 'webhook events could not be queued for delivery: retrying'
  return handleDue({ queue: ports.outbox, batchSize, againInMs, handle, failed, log: ports.log })
}

export const healDeliveries = async ({ deliveries, queue, log }: AnnouncePorts): Promise<void> => {
  let healed = 0
  const handle = async (id: string): Promise<'done' | 'again'> => {
    if ((await deliveries.read(id))?.status !== 'waiting') return 'done'
    if (await queue.heal(id)) healed += 1
    return 'again'
  }
  const failed = 'webhook delivery could not be checked: retrying'
  await handleDue({ queue: deliveries, batchSize, againInMs: healAgainMs, handle, failed, log })
  if (healed > 0) log.info({ jobs: healed }, 'lost webhook jobs added again')
}

const everyMs = 1_000

export const startAnnouncing = (ports: AnnouncePorts) =>
  repeat(
    everyMs,
    async () => {
      await announceDue(ports)
      await healDeliveries(ports)
    },
    (error) => ports.log.warn({ err: error }, 'webhook deliveries could not be checked: retrying'),
  )
