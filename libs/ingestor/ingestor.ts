import { join } from 'node:path'
import { openIngestQueue } from '@plumbline/adapters/bullmq/ingest-queue'
import { openDocling } from '@plumbline/adapters/docling/docling-parser'
import { fetchDocument } from '@plumbline/adapters/fetching/fetch-document'
import { openDocumentFiles } from '@plumbline/adapters/files/document-files'
import { openIngestCatalog } from '@plumbline/adapters/redis/documents/ingest-catalog'
import type { IngestJob } from '@plumbline/adapters/redis/documents/open-documents'
import { defineConsumer, type Shared } from '@plumbline/hosting/define-stage'
import { type Consumer, settleJob } from '@plumbline/hosting/queue-processor'
import { openPassageIndex } from '@plumbline/hosting/passage-index'
import { openParser, unpackLanguages } from '@plumbline/parsing'
import type { DocumentParser } from '@plumbline/ports/document-parser'
import { createIsolation } from '@plumbline/worker'
import { openBackgroundFetch } from './background-fetch'
import type { Companion } from './companion'
import { createIngestLoop, ingestLimits, type IngestLimits } from './ingest-loop'
import { IngestorEnv } from './ingestor.env'
import { createMutex, yieldToQuestions } from './concurrency'
import { startLaterVectors } from './later-vectors'
import { startMaintenance } from './maintenance'
import { measureDocuments } from './metrics'
import { watchDocuments } from './watch-documents'
import type { IngestPorts } from './work'

const limitsOf = (own: IngestorEnv, concurrency: number | undefined): IngestLimits => ({
  ...ingestLimits,
  concurrency: own.INGESTOR_CONCURRENCY ?? concurrency ?? ingestLimits.concurrency,
  timeoutMs: own.INGESTOR_TIMEOUT_MS ?? ingestLimits.timeoutMs,
})

const keepUnknownMsOf = ({ UNKNOWN_ORIGINALS_DAYS: days }: IngestorEnv): number => days * 86_400_000

const doclingOf = ({
  DOCLING_URL: url,
  DOCLING_API_KEY: apiKey,
  DOCLING_TIMEOUT_MS: timeoutMs,
}: IngestorEnv): { docling?: DocumentParser } =>
  url === undefined ? {} : { docling: openDocling({ url, timeoutMs, ...(apiKey !== undefined && { apiKey }) }) }

/** Reads a job. If fields are missing because an older version created the job, reads them from the job's id. */
const jobOf = ({ id = '', data }: { id?: string; data: unknown }): IngestJob => {
  const {
    documentId = id.split('.')[0] ?? '',
    revision = id.split('.')[1] ?? '',
    tenant = '',
    short,
  } = data as Partial<IngestJob>
  return { documentId, revision, tenant, ...(short && { short }) }
}

const openStores = async ({ env, redis, log, stop, lacks }: Shared, own: IngestorEnv) => {
  const index = await openPassageIndex(env)
  stop.add('the index', () => index.close())
  const queue = openIngestQueue(redis, env.LANES[0] ?? 'main')
  stop.add('the ingest queue', () => queue.close())
  const files = await openDocumentFiles(join(env.DATA_DIR, 'documents'), own.documents)
  stop.add('the document store', () => files.close())
  const watch = watchDocuments(files, log)
  stop.add('the check of the document store', () => watch.stop())
  lacks(watch.lacking)
  return { index, queue, files }
}

const openIngestor = async (shared: Shared, own: IngestorEnv, companions: readonly Companion[]): Promise<Consumer> => {
  const { env, models, budget, redis, log, process, stop, registry, done } = shared
  const { index, queue, files } = await openStores(shared, own)
  const ocr = await unpackLanguages(join(env.DATA_DIR, 'ocr'), own.OCR_LANGUAGES)
  const limits = limitsOf(own, env.CONCURRENCY)
  const parser = openParser({ ...doclingOf(own), ocr, limits: { atOnce: limits.concurrency } })
  stop.add('the parser', () => parser.close())
  const catalog = openIngestCatalog(redis)
  const maintenance = startMaintenance({ catalog, files, queue, log, index, keepUnknownMs: keepUnknownMsOf(own) })
  stop.add('the document maintenance', () => maintenance.stop())
  for (const { name, open } of companions) {
    const companion = open({ redis, files, queue, index, log, registry })
    stop.add(name, () => companion.stop())
  }
  const charge: IngestPorts['charge'] = (document, usage) => budget.charge(document, usage, Date.now())
  const fetch: IngestPorts['fetch'] = (url, signal) =>
    fetchDocument(url, { signal, guard: { allowed: own.ALLOW_PRIVATE_ADDRESSES } })
  const background = openBackgroundFetch()
  stop.add('the background fetches', () => background.stop())
  const embedder = models.documentEmbedder
  const yields = yieldToQuestions(process.inFlight)
  if (models.hasVectors) {
    const later = startLaterVectors({ index, embedder, catalog, charge, yieldToQuestions: yields, process, log })
    stop.add('the background embedding', () => later.stop())
  }
  const loop = createIngestLoop({
    ...{ catalog, files, parser, fetch, index, embedder, queue, charge, limits, process, log },
    embedsLater: models.embedsLater && index.laterVectors !== undefined,
    waitingTenants: queue.waitingTenants,
    yieldToQuestions: yields,
    inBackground: background.run,
    alone: createMutex(),
    measure: measureDocuments(registry, done),
    isolation: createIsolation(),
  })
  return {
    concurrency: limits.concurrency + limits.shortTexts,
    handle: async (job, token) => settleJob(job, token, await loop({ ...jobOf(job), tries: job.attemptsStarted })),
  }
}

/** Reads and indexes documents. Features add the `companions` that run in the same process. */
export const ingestorWith = (companions: readonly Companion[]) =>
  defineConsumer({
    queue: 'ingest',
    env: IngestorEnv,
    open: (shared, own) => openIngestor(shared, own, companions),
  })
