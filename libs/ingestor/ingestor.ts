import { join } from 'node:path'
import { openIngestQueue } from '@plumbline/adapters/bullmq/ingest-queue'
import { openDocling } from '@plumbline/adapters/docling/docling-parser'
import { fetchDocument } from '@plumbline/adapters/fetching/fetch-document'
import { openDocumentFiles } from '@plumbline/adapters/files/document-files'
import { openCatalog } from '@plumbline/adapters/redis/documents/catalog'
import { openIngestCatalog } from '@plumbline/adapters/redis/documents/ingest-catalog'
import type { IngestJob } from '@plumbline/adapters/redis/documents/open-documents'
import { openSourceRuns } from '@plumbline/features/sources/store/source-runs'
import { openSource } from '@plumbline/features/sources/connectors/open-source'
import { defineConsumer } from '@plumbline/hosting/define-stage'
import { settleJob } from '@plumbline/hosting/queue-processor'
import { openPassageIndex } from '@plumbline/hosting/passage-index'
import { sourceOptionsOf } from '@plumbline/features/sources/sources.env'
import { openParser, unpackLanguages } from '@plumbline/parsing'
import type { DocumentParser } from '@plumbline/ports/document-parser'
import { createIsolation } from '@plumbline/worker'
import { openBackgroundFetch } from './background-fetch'
import { createIngestLoop, ingestLimits, type IngestLimits } from './ingest-loop'
import { IngestorEnv } from './ingestor.env'
import { createMutex, yieldToQuestions } from './concurrency'
import { startLaterVectors } from './later-vectors'
import { startMaintenance } from './maintenance'
import { measureDocuments } from './metrics'
import { measureSources } from '@plumbline/features/sources/sync/run/metrics'
import { startSources } from '@plumbline/features/sources/sync/source-runner'
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

export const ingestor = defineConsumer({
  queue: 'ingest',
  env: IngestorEnv,
  open: async ({ env, models, budget, redis, log, process, stop, lacks, registry, done }, own) => {
    const index = await openPassageIndex(env)
    stop.add('the index', () => index.close())
    const ocr = await unpackLanguages(join(env.DATA_DIR, 'ocr'), own.OCR_LANGUAGES)
    const limits = limitsOf(own, env.CONCURRENCY)
    const parser = openParser({ ...doclingOf(own), ocr, limits: { atOnce: limits.concurrency } })
    stop.add('the parser', () => parser.close())
    const queue = openIngestQueue(redis, env.LANES[0] ?? 'main')
    stop.add('the ingest queue', () => queue.close())
    const catalog = openIngestCatalog(redis)
    const files = await openDocumentFiles(join(env.DATA_DIR, 'documents'), own.documents)
    stop.add('the document store', () => files.close())
    const watch = watchDocuments(files, log)
    stop.add('the check of the document store', () => watch.stop())
    lacks(watch.lacking)
    const maintenance = startMaintenance({ catalog, files, queue, log, index, keepUnknownMs: keepUnknownMsOf(own) })
    stop.add('the document maintenance', () => maintenance.stop())
    const optionsOf = sourceOptionsOf(own)
    const sources = startSources({
      ...{ runs: openSourceRuns(redis), catalog: openCatalog(redis), files, queue, index, log },
      openSource: (settings, tenant) => openSource(settings, optionsOf(tenant)),
      measure: measureSources(registry),
    })
    stop.add('the sync of sources', () => sources.stop())
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
      catalog,
      files,
      parser,
      fetch,
      index,
      embedder,
      embedsLater: models.embedsLater && index.laterVectors !== undefined,
      queue,
      waitingTenants: queue.waitingTenants,
      charge,
      yieldToQuestions: yields,
      inBackground: background.run,
      alone: createMutex(),
      measure: measureDocuments(registry, done),
      limits,
      isolation: createIsolation(),
      process,
      log,
    })
    return {
      concurrency: limits.concurrency + limits.shortTexts,
      handle: async (job, token) => settleJob(job, token, await loop({ ...jobOf(job), tries: job.attemptsStarted })),
    }
  },
})
