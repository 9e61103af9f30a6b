import { join } from 'node:path'
import { openIngestQueue } from '@plumbline/adapters/bullmq'
import { openDocling } from '@plumbline/adapters/docling'
import { fetchDocument } from '@plumbline/adapters/fetching'
import { openDocumentFiles } from '@plumbline/adapters/files'
import { openParser } from '@plumbline/adapters/parsing/child'
import { openIngestCatalog, type IngestJob } from '@plumbline/adapters/redis'
import { defineConsumer } from '@plumbline/hosting'
import { settleJob } from '@plumbline/hosting/delivery'
import { openPassageIndex } from '@plumbline/hosting/passages'
import type { DocumentParser } from '@plumbline/ports/document-parser'
import { openAside } from './aside'
import { createIngestLoop, ingestLimits, type IngestLimits } from './ingest-loop'
import { IngestorEnv } from './ingestor.env'
import { oneAtATime } from './one-at-a-time'
import { tendDocuments } from './tend'
import type { IngestPorts } from './work'

const limitsOf = (own: IngestorEnv, concurrency: number | undefined): IngestLimits => ({
  ...ingestLimits,
  concurrency: own.INGESTOR_CONCURRENCY ?? concurrency ?? ingestLimits.concurrency,
  timeoutMs: own.INGESTOR_TIMEOUT_MS ?? ingestLimits.timeoutMs,
})

const doclingOf = ({
  DOCLING_URL: url,
  DOCLING_API_KEY: apiKey,
  DOCLING_TIMEOUT_MS: timeoutMs,
}: IngestorEnv): { docling?: DocumentParser } =>
  url === undefined ? {} : { docling: openDocling({ url, timeoutMs, ...(apiKey !== undefined && { apiKey }) }) }

/** A job from before documents had revisions names its document alone. */
const jobOf = ({ id = '', data }: { id?: string; data: unknown }): IngestJob => {
  const {
    documentId = id.split('.')[0] ?? '',
    revision = id.split('.')[1] ?? '',
    tenant = '',
  } = data as Partial<IngestJob>
  return { documentId, revision, tenant }
}

export const ingestor = defineConsumer({
  queue: 'ingest',
  env: IngestorEnv,
  open: async ({ env, models, budget, redis, log, process, stop }, own) => {
    const index = await openPassageIndex(env)
    stop.add('the index', () => index.close())
    const parser = openParser(doclingOf(own))
    stop.add('the parser', () => parser.close())
    const queue = openIngestQueue(redis, env.LANES[0] ?? 'main')
    stop.add('the ingest queue', () => queue.close())
    const catalog = openIngestCatalog(redis)
    const files = await openDocumentFiles(join(env.DATA_DIR, 'documents'))
    const tended = tendDocuments({ catalog, files, queue, log })
    stop.add('the look after documents', () => tended.stop())
    const limits = limitsOf(own, env.CONCURRENCY)
    const charge: IngestPorts['charge'] = (document, usage) => budget.charge(document, usage, Date.now())
    const fetch: IngestPorts['fetch'] = (url, signal) =>
      fetchDocument(url, { signal, guard: { allowed: own.ALLOW_PRIVATE_ADDRESSES } })
    const aside = openAside()
    stop.add('what is being fetched', () => aside.stop())
    const loop = createIngestLoop({
      catalog,
      files,
      parser,
      fetch,
      index,
      embedder: models.embedder,
      queue,
      charge,
      aside: aside.run,
      alone: oneAtATime(),
      limits,
      process,
      log,
    })
    return {
      concurrency: limits.concurrency,
      handle: async (job, token) =>
        settleJob(
          job,
          token,
          await loop({ ...jobOf(job), tries: job.attemptsStarted, redelivered: job.stalledCounter > 0 }),
        ),
    }
  },
})
