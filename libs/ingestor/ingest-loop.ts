import type { IngestJob } from '@plumbline/adapters/redis'
import { AppError, type Log } from '@plumbline/platform'
import type { Disposition, Process } from '@plumbline/worker'
import { Stopped } from '@plumbline/worker'
import { underWay } from './aside'
import { givingWay } from './courtesy'
import { ingestDocument } from './ingest-document'
import type { IngestPorts } from './work'

export const ingestLimits = {
  concurrency: 2,
  backoffMs: 1_000,
  longestBackoffMs: 60_000,
  longestWaitMs: 3_600_000,
  timeoutMs: 600_000,
}
export type IngestLimits = typeof ingestLimits

/** One arrival of a document's job. `tries` counts every start of the job, this one and those that crashed too. */
export type IngestDelivery = IngestJob & { tries: number; redelivered: boolean }

type Ports = Omit<IngestPorts, 'giveWay'> & {
  limits: IngestLimits
  process: Pick<Process, 'gate' | 'held' | 'draining'>
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
  const inMs = laterIn(limits, tries, error)
  if (error instanceof AppError && error.code === underWay) return { kind: 'later', inMs }
  log.warn({ err: error, documentId, tries }, 'a document was not indexed')
  return { kind: 'later', inMs }
}

/** What becomes of a document's delivery. A document that took its process down is tried alone. A catalog that does not answer spends nothing. */
export const createIngestLoop = (ports: Ports) => {
  const { limits, process, log } = ports
  let own = 0
  const ingest = ingestDocument({ ...ports, giveWay: givingWay(process.held, () => own) })

  const attempt = async (delivery: IngestDelivery): Promise<Disposition> => {
    const { tries, redelivered, ...job } = delivery
    const place = await process.gate.enter(redelivered, process.draining)
    if (!place) return { kind: 'back' }
    const controller = new AbortController()
    const release = process.held.add({ runId: job.documentId, taskId: 'ingest', since: performance.now(), controller })
    const timer = setTimeout(() => controller.abort(new Stopped('timeout')), limits.timeoutMs)
    own += 1
    try {
      log.info(
        { documentId: job.documentId, outcome: await ingest({ ...job, again: tries > 1 }, controller.signal) },
        'ingested',
      )
      return { kind: 'done' }
    } catch (error) {
      // What is stopped may end in an error of its own.
      return failed(ports, delivery, controller.signal.aborted ? controller.signal.reason : error)
    } finally {
      own -= 1
      clearTimeout(timer)
      release()
      place.leave()
    }
  }

  return async (delivery: IngestDelivery): Promise<Disposition> => {
    try {
      return await attempt(delivery)
    } catch (error) {
      log.error({ err: error, ...delivery }, 'a document could not be settled')
      return { kind: 'later', inMs: limits.backoffMs }
    }
  }
}
