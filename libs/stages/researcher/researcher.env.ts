import { z } from 'zod'
import { Concurrency, TimeoutMs } from '@plumbline/platform'

export const ResearcherEnv = z.object({ RESEARCHER_CONCURRENCY: Concurrency.optional(), RESEARCHER_TIMEOUT_MS: TimeoutMs.optional() })
