import type { Log } from '@plumbline/platform'
import { retryOf } from '@plumbline/platform'
import type { Disposition, Process } from '@plumbline/worker'
import { Stopped } from '@plumbline/worker'
import type { IngestPorts } from './ingest-document'
import { ingestDocument } from './ingest-document'

export const ingestLimits = { concurrency: 2, tries: 6, backoffMs: 1_000, longestBackoffMs: 60_000, timeoutMs: 600_000 }
export type IngestLimits = typeof ingestLimits

/** One arrival of a document. `tries` counts every start of its job, this one and those that crashed too. */
export type IngestDelivery = { documentId: string; tries: number; redelivered: boolean }

type Ports = IngestPorts & { limits: IngestLimits; process: Pick<Process, 'gate' | 'held' | 'draining'>; log: Pick<Log, 'info' | 'warn' | 'error'> }

const gaveUp = 'The document could not be indexed, however often it was tried. Send it again, or ask whoever runs the system to look into the log.'

const failed = async ({ catalog, limits, log }: Ports, { documentId, tries }: IngestDelivery, error: unknown): Promise<Disposition> => {
  if (error instanceof Stopped && error.why === 'drain') return { kind: 'back' }
  const inMs = Math.min(limits.backoffMs * 2 ** Math.min(tries - 1, 10), limits.longestBackoffMs)
  log.warn({ err: error, documentId, tries }, 'a document was not indexed')
  if (retryOf(error) === 'later' || tries < limits.tries) return { kind: 'later', inMs }
  await catalog.progress(documentId, 'failed', { passages: 0, percent: 0, error: gaveUp })
  return { kind: 'done' }
}

/** A document that took its process down is tried alone; one that did so again and again is given up. */
const attempt = async (ports: Ports, delivery: IngestDelivery): Promise<Disposition> => {
  const { catalog, limits, process, log } = ports
  const { documentId, tries, redelivered } = delivery
  const place = await process.gate.enter(redelivered, process.draining)
  if (!place) return { kind: 'back' }
  const controller = new AbortController()
  const release = process.held.add({ runId: documentId, taskId: 'ingest', since: performance.now(), controller })
  const timer = setTimeout(() => controller.abort(new Stopped('timeout')), limits.timeoutMs)
  try {
    if (redelivered && tries > limits.tries) {
      await catalog.progress(documentId, 'failed', { passages: 0, percent: 0, error: gaveUp })
      return { kind: 'done' }
    }
    log.info({ documentId, outcome: await ingestDocument(ports)(documentId, controller.signal) }, 'ingested')
    return { kind: 'done' }
  } catch (error) {
    return await failed(ports, delivery, error)
  } finally {
    clearTimeout(timer)
    release()
    place.leave()
  }
}

/** What becomes of a document's delivery. A catalog that does not answer spends nothing: the document comes again. */
export const createIngestLoop =
  (ports: Ports) =>
  async (delivery: IngestDelivery): Promise<Disposition> => {
    try {
      return await attempt(ports, delivery)
    } catch (error) {
      ports.log.error({ err: error, ...delivery }, 'a document could not be settled')
      return { kind: 'later', inMs: ports.limits.backoffMs }
    }
  }
