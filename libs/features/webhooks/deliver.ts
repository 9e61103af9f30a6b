import { guardedFetch } from '@plumbline/adapters/fetching/guarded-fetch'
import type { Guard } from '@plumbline/adapters/fetching/target'
import type { Deliveries, Delivery } from './store/deliveries'
import type { Webhook, WebhookStore } from './store/webhooks'
import type { Log } from '@plumbline/platform'
import { currentOrigin } from '@plumbline/platform/trace-scope'
import { noteFailure, noteOnSpan } from '@plumbline/platform/tracing/spans'
import { Unfit } from '@plumbline/ports/document-parser'
import type { Disposition } from '@plumbline/worker'
import { signatureHeaders } from './sign'
import { inDeliverySpan } from './trace-delivery'

export type DeliverPorts = {
  webhooks: Pick<WebhookStore, 'all'>
  deliveries: Pick<Deliveries, 'read' | 'note' | 'finish' | 'forget'>
  guard: Guard
  /** The pause in ms after the first try fails. Each further pause is four times as long, up to a limit. */
  backoffMs?: number
  signal: AbortSignal
  log: Pick<Log, 'info' | 'warn'>
  measure?: (outcome: 'delivered' | 'later' | 'failed', ms: number) => void
}

const timeoutMs = 10_000
const tryForMs = 24 * 3_600_000
const longestPauseMs = 4 * 3_600_000
const storeAwayMs = 5_000

type Outcome = { answered?: number; problem?: string; hopeless?: boolean }

const send = async (
  { guard, signal }: DeliverPorts,
  { url, secret, old }: Webhook,
  { id, body }: Delivery,
): Promise<Outcome> => {
  const at = Date.now()
  const traceparent = currentOrigin()?.traceparent
  const secrets = [secret, ...(old && old.until > at ? [old.secret] : [])]
  try {
    const response = await guardedFetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'plumbline',
        ...signatureHeaders(secrets, { id, at, body }),
        ...(traceparent !== undefined && { traceparent }),
      },
      body,
      signal,
      timeoutMs,
      maxBytes: Number.MAX_SAFE_INTEGER,
      redirects: 0,
      guard,
    })
    await response.close()
    const { status } = response
    if (status >= 200 && status < 300) return { answered: status }
    if (status === 410) return { answered: status, problem: 'The receiver answered 410 Gone.', hopeless: true }
    return { answered: status, problem: `The receiver answered ${status}. Any status from 200 to 299 is a success.` }
  } catch (error) {
    if (error instanceof Unfit && error.reason === 'refused-address')
      return { problem: 'The address is in a private network or does not belong to a web server.', hopeless: true }
    return { problem: 'The receiver could not be reached, or did not answer within 10 seconds.' }
  }
}

const pauseAfter = (tries: number, backoffMs: number): number => Math.min(backoffMs * 4 ** (tries - 1), longestPauseMs)

const tryOnce = async (ports: DeliverPorts, delivery: Delivery): Promise<Disposition> => {
  const { webhooks, deliveries, log, backoffMs = 5_000 } = ports
  const { id, tenant, webhookId, since } = delivery
  const webhook = (await webhooks.all(tenant)).find((one) => one.id === webhookId)
  if (!webhook) {
    await deliveries.finish(id, { status: 'failed', problem: 'The webhook was removed.', nextTryAt: '' })
    return { kind: 'done' }
  }
  const began = performance.now()
  const { answered, problem = '', hopeless = false } = await send(ports, webhook, delivery)
  const ended = (outcome: 'delivered' | 'later' | 'failed'): void => ports.measure?.(outcome, performance.now() - began)
  const tries = delivery.tries + 1
  const now = Date.now()
  noteOnSpan(() => (answered === undefined ? {} : { 'http.response.status_code': answered }))
  if (problem !== '') noteFailure(`${answered ?? 'unreachable'}`)
  const noted = { tries, lastTryAt: now, answered: answered ?? ('' as const), problem }
  if (problem === '') {
    await deliveries.finish(id, { status: 'delivered', ...noted, nextTryAt: '' })
    ended('delivered')
    return { kind: 'done' }
  }
  const inMs = pauseAfter(tries, backoffMs)
  if (hopeless || now + inMs > since + tryForMs) {
    log.warn({ deliveryId: id, tries, problem }, 'webhook delivery failed for good')
    await deliveries.finish(id, { status: 'failed', ...noted, nextTryAt: '' })
    ended('failed')
    return { kind: 'done' }
  }
  await deliveries.note(id, { ...noted, nextTryAt: now + inMs })
  ended('later')
  return { kind: 'later', inMs }
}

/** Tries to send one delivery. If the store is unavailable, the job is repeated, and this try is not counted. */
export const createDelivering =
  (ports: DeliverPorts) =>
  async (deliveryId: string): Promise<Disposition> => {
    try {
      const delivery = await ports.deliveries.read(deliveryId)
      if (delivery?.status === 'waiting') return await inDeliverySpan(delivery, () => tryOnce(ports, delivery))
      await ports.deliveries.forget(deliveryId)
      return { kind: 'done' }
    } catch (error) {
      ports.log.warn({ err: error, deliveryId }, 'result of a webhook job not reported to the queue')
      return { kind: 'later', inMs: storeAwayMs }
    }
  }
