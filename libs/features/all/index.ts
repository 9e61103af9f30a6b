import { z } from 'zod'
import type { Feature } from '@plumbline/gateway/feature'
import type { ConsumerDefinition } from '@plumbline/hosting/define-stage'
import type { Companion } from '@plumbline/ingestor/companion'
import { list, readEnv } from '@plumbline/platform/env'
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

const names = ['batches', 'schedules', 'cases', 'openai', 'mcp', 'webhooks', 'sources'] as const
type Name = (typeof names)[number]

const Features = z
  .string()
  .transform(list)
  .pipe(z.array(z.enum(names, { error: `use some of ${names.join(', ')}, separated by commas` })))

export const FeaturesEnv = z.object({
  /** The names of the features of this installation. Other features have no routes, workers or companions. */
  FEATURES: Features.default([...names]),
  /**
   * How many days a case (a test case from a reviewed draft) is kept. The default 0 keeps no cases, because a case
   * contains texts of documents even after its run has expired.
   */
  CASES_DAYS: z.coerce.number().int().min(0).max(3_650).default(0),
})

type Environment = Record<string, string | undefined>
/** `companions` run in the ingestor. */
type Parts = { gateway: Feature; workers?: ConsumerDefinition[]; companions?: Companion[] }

const partsOf: Record<Name, (env: z.infer<typeof FeaturesEnv>, source: Environment) => Parts> = {
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
