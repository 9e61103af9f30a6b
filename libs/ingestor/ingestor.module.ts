import { join } from 'node:path'
import { RedisCatalog } from '@plumbline/adapters/redis'
import { openSqlitePassageIndex } from '@plumbline/adapters/sqlite'
import { defineConsumer } from '@plumbline/hosting'
import { settleJob } from '@plumbline/hosting/delivery'
import type { IngestPorts } from './ingest-document'
import type { IngestLimits } from './ingest-loop'
import { createIngestLoop, ingestLimits } from './ingest-loop'
import { IngestorEnv } from './ingestor.env'

const limitsOf = (own: IngestorEnv, concurrency: number | undefined): IngestLimits => ({
  ...ingestLimits,
  concurrency: own.INGESTOR_CONCURRENCY ?? concurrency ?? ingestLimits.concurrency,
  timeoutMs: own.INGESTOR_TIMEOUT_MS ?? ingestLimits.timeoutMs,
})

export const ingestor = defineConsumer({
  queue: 'ingest',
  env: IngestorEnv,
  open: async ({ env, models, budget, redis, log, process, stop }, own) => {
    const index = await openSqlitePassageIndex({ file: join(env.DATA_DIR, 'index.sqlite') })
    stop.add('the index', () => index.close())
    const limits = limitsOf(own, env.CONCURRENCY)
    const charge: IngestPorts['charge'] = (document, usage) => budget.charge(document, usage, Date.now())
    const loop = createIngestLoop({ catalog: new RedisCatalog(redis), index, embedder: models.embedder, charge, limits, process, log })
    return {
      concurrency: limits.concurrency,
      handle: async (job, token) => {
        const { documentId = job.id ?? '' } = job.data as { documentId?: string }
        await settleJob(job, token, await loop({ documentId, tries: job.attemptsStarted, redelivered: job.stalledCounter > 0 }))
      },
    }
  },
})
