import { z } from 'zod'
import { Concurrency, TimeoutMs } from '@plumbline/platform'

export const IngestorEnv = z.object({ INGESTOR_CONCURRENCY: Concurrency.optional(), INGESTOR_TIMEOUT_MS: TimeoutMs.optional() })
export type IngestorEnv = z.infer<typeof IngestorEnv>
