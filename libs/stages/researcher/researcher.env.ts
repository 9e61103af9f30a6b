import { AllowedAddresses } from '@plumbline/adapters/fetching/target'
import { readLookups } from '@plumbline/adapters/lookups/lookups-file'
import { Concurrency, TimeoutMs } from '@plumbline/platform'
import { fromFile } from '@plumbline/platform/yaml-file'
import { z } from 'zod'

const url = z.url({ protocol: /^https?$/, error: 'write it as http://host:port or https://host' })

const WebEnv = z.discriminatedUnion(
  'WEB_SEARCH',
  [
    z.object({ WEB_SEARCH: z.literal('off') }),
    z.object({
      WEB_SEARCH: z.literal('tavily'),
      TAVILY_API_KEY: z.string({ error: 'WEB_SEARCH=tavily needs the key of a Tavily account' }),
    }),
    z.object({
      WEB_SEARCH: z.literal('searxng'),
      SEARXNG_URL: z
        .string({ error: 'WEB_SEARCH=searxng needs the URL of a SearXNG instance with JSON output enabled' })
        .pipe(url),
    }),
  ],
  { error: 'use off, tavily or searxng' },
)
export type WebEnv = z.infer<typeof WebEnv>

const Limits = z.object({
  RESEARCHER_CONCURRENCY: Concurrency.optional(),
  RESEARCHER_TIMEOUT_MS: TimeoutMs.optional(),
  LOOKUPS_FILE: fromFile((file) => readLookups(file)).default([]),
  ALLOW_PRIVATE_ADDRESSES: AllowedAddresses,
})

const withDefault = (source: unknown): unknown =>
  typeof source === 'object' && source !== null ? { WEB_SEARCH: 'off', ...source } : source

export const ResearcherEnv = z.preprocess(withDefault, Limits.and(WebEnv))
