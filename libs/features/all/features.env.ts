import { z } from 'zod'
import { list } from '@plumbline/platform/env'
import { setting } from '@plumbline/platform/setting'

const names = ['batches', 'schedules', 'cases', 'openai', 'mcp', 'webhooks', 'sources'] as const
export type FeatureName = (typeof names)[number]

const Features = z
  .string()
  .transform(list)
  .pipe(z.array(z.enum(names, { error: `use some of ${names.join(', ')}, separated by commas` })))

export const FeaturesEnv = z.object({
  FEATURES: setting(Features.default([...names]), {
    about: `the features to offer, from the list \`${names.join(',')}\`. All other features have no routes, workers or pages. Gateway and ingestor read it`,
    default: 'all',
    example: names.join(','),
  }),
  // Off by default, because a case contains texts of documents even after its run has expired.
  CASES_DAYS: setting(z.coerce.number().int().min(0).max(3_650).default(0), {
    about: 'for how many days a decision is kept as a [case](use/cases.md)',
    example: '30',
  }),
})
