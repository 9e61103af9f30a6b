import { AllowedAddresses } from '@plumbline/adapters/fetching/target'
import { readLookups } from '@plumbline/adapters/lookups/lookups-file'
import { StageLimitsEnv } from '@plumbline/hosting/stage-limits'
import { setting } from '@plumbline/platform/setting'
import { fromFile } from '@plumbline/platform/yaml-file'
import { z } from 'zod'

const url = z.url({ protocol: /^https?$/, error: 'write it as http://host:port or https://host' })

const searxng = z.string({
  error: 'WEB_SEARCH=searxng needs the URL of a SearXNG instance with JSON output enabled',
})

const WebEnv = z.discriminatedUnion(
  'WEB_SEARCH',
  [
    z.object({ WEB_SEARCH: z.literal('off') }),
    z.object({
      WEB_SEARCH: z.literal('tavily'),
      TAVILY_API_KEY: setting(z.string({ error: 'WEB_SEARCH=tavily needs the key of a Tavily account' }), {
        about: 'the key of a Tavily account',
      }),
    }),
    z.object({
      WEB_SEARCH: z.literal('searxng'),
      SEARXNG_URL: setting(searxng.pipe(url), { about: 'the URL of a SearXNG instance with JSON output enabled' }),
    }),
  ],
  { error: 'use off, tavily or searxng' },
)
export type WebEnv = z.infer<typeof WebEnv>

const Own = z.object({
  LOOKUPS_FILE: setting(fromFile((file) => readLookups(file)).default([]), {
    about:
      '[lookups](understand/lookups.md); router, planner and researcher read the file, and only the researcher needs the variables that it names',
  }),
  ALLOW_PRIVATE_ADDRESSES: AllowedAddresses,
})

const withDefault = (source: unknown): unknown =>
  typeof source === 'object' && source !== null ? { WEB_SEARCH: 'off', ...source } : source

export const ResearcherEnv = z.preprocess(withDefault, StageLimitsEnv('researcher').and(Own).and(WebEnv))
