import type { z } from 'zod'
import type { Feature } from '@plumbline/gateway/feature'
import type { ConsumerDefinition } from '@plumbline/hosting/define-stage'
import type { Companion } from '@plumbline/ingestor/companion'
import { readEnv } from '@plumbline/platform/env'
import { batches } from '@plumbline/features/batches/batches.feature'
import { batchNews } from '@plumbline/features/batches/news'
import { cases } from '@plumbline/features/cases/cases.feature'
import { mcp } from '@plumbline/features/mcp/mcp.feature'
import { openai } from '@plumbline/features/openai/openai.feature'
import { scheduleNews } from '@plumbline/features/schedules/news'
import { schedules } from '@plumbline/features/schedules/schedules.feature'
import { sources } from '@plumbline/features/sources/sources.feature'
import { sourceOptionsOf, SourcesEnv } from '@plumbline/features/sources/sources.env'
import { sourceSync } from '@plumbline/features/sources/sync/companion'
import { webhooks } from '@plumbline/features/webhooks/webhooks.feature'
import { withoutWebhooks } from '@plumbline/features/webhooks/without-webhooks'
import { webhooksWorker } from '@plumbline/features/webhooks/worker'
import { type FeatureName, FeaturesEnv } from './features.env'

type Environment = Record<string, string | undefined>
/** `companions` run in the ingestor. */
type Parts = { gateway: Feature; workers?: ConsumerDefinition[]; companions?: Companion[] }

const partsOf: Record<FeatureName, (env: z.infer<typeof FeaturesEnv>, source: Environment) => Parts> = {
  batches: () => ({ gateway: batches }),
  schedules: () => ({ gateway: schedules }),
  cases: ({ CASES_DAYS }) => ({ gateway: cases(CASES_DAYS) }),
  openai: () => ({ gateway: openai }),
  mcp: () => ({ gateway: mcp }),
  webhooks: () => ({ gateway: webhooks, workers: [webhooksWorker([batchNews, scheduleNews])] }),
  sources: (_, source) => {
    const optionsOf = sourceOptionsOf(readEnv(SourcesEnv, source))
    return { gateway: sources(optionsOf), companions: [sourceSync(optionsOf)] }
  },
}

export const readFeatures = (source: Environment = process.env) => {
  const env = readEnv(FeaturesEnv, source)
  const chosen = env.FEATURES.map((name) => partsOf[name](env, source))
  const features = chosen.map(({ gateway }) => gateway)
  return {
    features: env.FEATURES.includes('webhooks') ? features : [...features, withoutWebhooks],
    workers: chosen.flatMap(({ workers = [] }) => workers),
    companions: chosen.flatMap(({ companions = [] }) => companions),
  }
}
