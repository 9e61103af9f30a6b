import { setFlagsFromString } from 'node:v8'
import type { IngestJob } from '@plumbline/adapters/redis'
import { AppError, type Log } from '@plumbline/platform'
import { inScope } from '@plumbline/platform/trace-scope'
import { type Disposition, type Isolation, type Process, Stopped } from '@plumbline/worker'
import { underWay } from './background-fetch'
import { fairShare, largePlaces, yieldToQuestions } from './concurrency'
import { ingestDocument } from './ingest-document'
import type { IngestPorts } from './work'

export const ingestLimits = {
  /** Large documents at once. */
  concurrency: 2,
  /** Short texts that are in work beside them. */
  shortTexts: 8,
  backoffMs: 1_000,
  /** For how long a document lets another tenant's go first: no longer, or its tenant has less than its half of the places. */
  yieldMs: 50,
  longestBackoffMs: 60_000,
  longestWaitMs: 3_600_000,
  timeoutMs: 600_000,
}
export type IngestLimits = typeof ingestLimits

/** One arrival of a document's job. `tries` counts every start of the job, this one and those that crashed too. */
export type IngestDelivery = IngestJob & { tries: number }

type Ports = Omit<IngestPorts, 'yieldToQuestions'> & {
  /** Whose documents are next in the queue. */
  waitingTenants(): Promise<string[]>
  limits: IngestLimits
  /** For documents alone: one that may take minutes in isolation must not keep questions waiting. */
  isolation: Isolation
  process: Pick<Process, 'inFlight' | 'draining'>
  log: Pick<Log, 'info' | 'warn' | 'error'>
}

/** A stranger's server may ask for years; nobody is believed for longer than the longest wait. */
const laterIn = (limits: IngestLimits, tries: number, error: unknown): number => {
  const backoff = Math.min(limits.backoffMs * 2 ** Math.min(tries - 1, 10), limits.longestBackoffMs)
  const notBefore = error instanceof AppError ? error.notBefore : undefined
  return notBefore === undefined ? backoff : Math.min(Math.max(backoff, notBefore - Date.now()), limits.longestWaitMs)
}

const failed = ({ limits, log }: Ports, { documentId, tries }: IngestDelivery, error: unknown): Disposition => {
  if (error instanceof Stopped && error.why === 'drain') return { kind: 'back' }
  if (error instanceof Stopped && error.why === 'share') return { kind: 'later', inMs: limits.backoffMs }
  const inMs = laterIn(limits, tries, error)
  if (error instanceof AppError && error.code === underWay) return { kind: 'later', inMs }
  log.warn({ err: error, documentId, tries }, 'a document was not indexed')
  return { kind: 'later', inMs }
}

/** V8 would let the heap grow to several times what a document needs, and keep it: while documents are in work it collects more often. */
const collectMore = (on: boolean): void => setFlagsFromString(on ? '--optimize-for-size' : '--no-optimize-for-size')

const measuring = ({ measure }: Ports): ((outcome: string) => void) => {
  const began = performance.now()
  return (outcome) => measure?.ended(outcome, performance.now() - began)
}

type WorkOn = (delivery: IngestDelivery, controller: AbortController) => Promise<Disposition>

/** Begins a delivery when its tenant and, for a large document, the process have a place for it. */
const withPlaces = ({ limits, process, waitingTenants, log }: Ports, work: WorkOn) => {
  const share = fairShare(limits.concurrency + limits.shortTexts, waitingTenants)
  const large = largePlaces(limits.concurrency)

  /** A large document waits here for its place. The wait ends with the process or for another tenant's document. */
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
      log.error({ err: error, ...delivery }, 'a document could not be settled')
      return { kind: 'later', inMs: limits.backoffMs }
    }
  }
}

/** What becomes of a document's delivery. A document that started before without a report is tried alone. A catalog that does not answer spends nothing. */
export const createIngestLoop = (ports: Ports) => {
  const { limits, isolation, process, log } = ports
  let own = 0
  let large = 0
  const ingest = ingestDocument({ ...ports, yieldToQuestions: yieldToQuestions(process.inFlight, () => own) })

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
    })
    const timer = setTimeout(() => controller.abort(new Stopped('timeout')), limits.timeoutMs)
    own += 1
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
      // What is stopped may end in an error of its own.
      const disposition = failed(ports, delivery, controller.signal.aborted ? controller.signal.reason : error)
      ended(disposition.kind === 'back' ? 'handed-back' : disposition.kind)
      return disposition
    } finally {
      own -= 1
      large -= job.short ? 0 : 1
      collectMore(large > 0)
      clearTimeout(timer)
      release()
      place.leave()
    }
    log.info({ documentId: job.documentId }, 'a document that started before without a report is tried alone')
    return work(delivery, controller, true)
  }
  const settled = withPlaces(ports, work)
  return (delivery: IngestDelivery): Promise<Disposition> => inScope({}, () => settled(delivery))
}
