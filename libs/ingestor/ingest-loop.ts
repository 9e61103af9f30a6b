import { setFlagsFromString } from 'node:v8'
import type { IngestJob } from '@plumbline/adapters/redis/documents/open-documents'
import { AppError, type Log } from '@plumbline/platform'
import { inScope } from '@plumbline/platform/trace-scope'
import { type Disposition, type Isolation, type Process, Stopped } from '@plumbline/worker'
import { stillFetching } from './background-fetch'
import { fairShare, largeDocumentSlots } from './concurrency'
import { ingestDocument } from './ingest-document'
import type { IngestPorts } from './work'

export const ingestLimits = {
  /** The number of large documents that one process works on at a time. */
  concurrency: 2,
  /** The number of short texts that one process works on in addition to large documents. */
  shortTexts: 8,
  backoffMs: 1_000,
  /**
   * The delay of a job whose tenant already uses its share of slots. With a longer delay, the tenant would get less
   * than its share.
   */
  yieldMs: 50,
  longestBackoffMs: 60_000,
  longestWaitMs: 3_600_000,
  timeoutMs: 600_000,
}
export type IngestLimits = typeof ingestLimits

/** A job to process. `tries` is the number of its starts, including this start and starts that ended in a crash. */
export type IngestDelivery = IngestJob & { tries: number }

type Ports = IngestPorts & {
  waitingTenants(): Promise<string[]>
  limits: IngestLimits
  /**
   * Processes a document alone if it may have crashed a process earlier. Questions continue meanwhile, because a
   * document may take minutes.
   */
  isolation: Isolation
  process: Pick<Process, 'inFlight' | 'draining'>
  log: Pick<Log, 'info' | 'warn' | 'error'>
}

/** Returns the delay of a retry. The delay is limited, because a web server may demand a delay of years. */
const laterIn = (limits: IngestLimits, tries: number, error: unknown): number => {
  const backoff = Math.min(limits.backoffMs * 2 ** Math.min(tries - 1, 10), limits.longestBackoffMs)
  const notBefore = error instanceof AppError ? error.notBefore : undefined
  return notBefore === undefined ? backoff : Math.min(Math.max(backoff, notBefore - Date.now()), limits.longestWaitMs)
}

const failed = ({ limits, log }: Ports, { documentId, tries }: IngestDelivery, error: unknown): Disposition => {
  if (error instanceof Stopped && error.why === 'drain') return { kind: 'back' }
  if (error instanceof Stopped && error.why === 'share') return { kind: 'later', inMs: limits.backoffMs }
  const inMs = laterIn(limits, tries, error)
  if (error instanceof AppError && error.code === stillFetching) return { kind: 'later', inMs }
  log.warn({ err: error, documentId, tries }, 'document not indexed')
  return { kind: 'later', inMs }
}

/**
 * Switches a V8 flag that saves memory. Without the flag, the heap grows to several times the needed size during
 * indexing and does not shrink.
 */
const collectMore = (on: boolean): void => setFlagsFromString(on ? '--optimize-for-size' : '--no-optimize-for-size')

const measuring = ({ measure }: Ports): ((outcome: string) => void) => {
  const began = performance.now()
  return (outcome) => measure?.ended(outcome, performance.now() - began)
}

type WorkOn = (delivery: IngestDelivery, controller: AbortController) => Promise<Disposition>

const withSlots = ({ limits, process, waitingTenants, log }: Ports, work: WorkOn) => {
  const share = fairShare(limits.concurrency + limits.shortTexts, waitingTenants)
  const large = largeDocumentSlots(limits.concurrency)

  const placed = async (delivery: IngestDelivery, controller: AbortController): Promise<Disposition> => {
    if (delivery.short) return work(delivery, controller)
    const document = { tenant: delivery.tenant, controller }
    const leave = await large.enter(document, AbortSignal.any([controller.signal, process.draining]))
    if (leave) return work(delivery, controller).finally(leave)
    return process.draining.aborted ? { kind: 'back' } : { kind: 'later', inMs: limits.backoffMs }
  }

  return async (delivery: IngestDelivery): Promise<Disposition> => {
    const controller = new AbortController()
    try {
      const leave = await share.enter({ tenant: delivery.tenant, controller })
      if (!leave) return { kind: 'later', inMs: limits.yieldMs }
      return await placed(delivery, controller).finally(leave)
    } catch (error) {
      log.error({ err: error, ...delivery }, 'result of indexing a document not stored')
      return { kind: 'later', inMs: limits.backoffMs }
    }
  }
}

/** A document whose earlier start reported no end is processed alone, because it may have crashed the process. */
export const createIngestLoop = (ports: Ports) => {
  const { limits, isolation, process, log } = ports
  let large = 0
  const ingest = ingestDocument(ports)

  const work = async (
    delivery: IngestDelivery,
    controller: AbortController,
    isolated = false,
  ): Promise<Disposition> => {
    const { tries, ...job } = delivery
    const place = await isolation.enter(isolated, process.draining)
    if (!place) return { kind: 'back' }
    const release = process.inFlight.add({
      runId: job.documentId,
      taskId: 'ingest',
      since: performance.now(),
      controller,
      isDocument: true,
    })
    const timer = setTimeout(() => controller.abort(new Stopped('timeout')), limits.timeoutMs)
    large += job.short ? 0 : 1
    collectMore(large > 0)
    const ended = measuring(ports)
    try {
      const outcome = await ingest({ ...job, again: tries > 1, isolated }, controller.signal)
      ended(outcome)
      if (outcome !== 'suspect') {
        log.info({ documentId: job.documentId, outcome }, 'ingested')
        return { kind: 'done' }
      }
    } catch (error) {
      // A delivery that was stopped may fail with any error, so the reason of the stop decides what happens next.
      const disposition = failed(ports, delivery, controller.signal.aborted ? controller.signal.reason : error)
      ended(disposition.kind === 'back' ? 'handed-back' : disposition.kind)
      return disposition
    } finally {
      large -= job.short ? 0 : 1
      collectMore(large > 0)
      clearTimeout(timer)
      release()
      place.leave()
    }
    log.info(
      { documentId: job.documentId },
      'document is processed alone in this process: an earlier start ended without a result',
    )
    return work(delivery, controller, true)
  }
  const settled = withSlots(ports, work)
  return (delivery: IngestDelivery): Promise<Disposition> => inScope({}, () => settled(delivery))
}
