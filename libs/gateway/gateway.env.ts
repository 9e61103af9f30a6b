import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { AllowedAddresses } from '@plumbline/adapters/fetching/target'
import { intakeDefaults } from '@plumbline/adapters/files/intake'
import { WhenBusy } from '@plumbline/contracts'
import { RulesFromFile } from '@plumbline/hosting/routing/rules'
import { byTenant, list, PublicUrl } from '@plumbline/platform/env'
import { setting } from '@plumbline/platform/setting'

const mostFileMb = intakeDefaults.mostBytes / 1_000_000

const names = z.string().default('').transform(list)

const whole = z.coerce.number().int()
const orNoLimit = (figure: number): number => (figure === 0 ? Infinity : figure)
const isOn = (provider: string): boolean => provider !== 'off'
const isWeight = (figure: number): boolean => figure >= 0.01 && figure <= 100
const isCount = (figure: number): boolean => Number.isInteger(figure) && figure > 0
const isOrigin = (text: string): boolean => text === '*' || (URL.canParse(text) && new URL(text).origin === text)
const origins = names.refine(
  (all) => all.every(isOrigin),
  'write origins such as https://app.example.org, or * for all',
)

/** Proxies are trusted by address and not by name, because they decide the host of the links in responses. */
const isNetwork = (text: string): boolean => isIP(text) !== 0 || ipaddr.isValidCIDR(text)
const proxies = names.refine(
  (all) => all.every(isNetwork),
  'write addresses or address ranges, separated by commas, such as 10.0.0.5,10.1.0.0/16',
)

export const GatewayEnv = z.object({
  // The gateway only needs to know whether web search is off.
  WEB_SEARCH: setting(z.enum(['off', 'tavily', 'searxng']).default('off').transform(isOn), {
    about: 'the [web search](run/models.md#web-search): `off`, `tavily` or `searxng`',
    example: 'searxng',
  }),
  MAX_FILE_MB: setting(
    whole.min(1).max(mostFileMb, `set at most ${mostFileMb}, because no larger file is read`).default(mostFileMb),
    { about: `the largest file the gateway accepts, ${mostFileMb} at most`, example: '1' },
  ),
  POLICIES_DIR: setting(z.string().optional(), {
    about: 'a folder with [your policies](understand/policies.md#your-own), read by the gateway at start',
  }),
  POLICIES: setting(names, {
    about:
      'policies that a question may name, separated by commas: `standard,simple`; collections, rules and the default may still choose any other',
    default: 'all',
    example: 'standard,simple,own',
  }),
  MARKED_ANSWERS: setting(names, {
    about:
      'tenants whose policies may [release answers that failed their check](understand/checking.md#who-may-release-unchecked-drafts)',
    example: 'default',
  }),
  FOUR_EYES: setting(names, {
    about: 'tenants (`acme,bold`, or `*`) where [two people](use/review.md#two-people) must approve',
    example: '*',
  }),
  CLIENT_WAIT_SECONDS: setting(whole.min(1).max(3_600).default(300), {
    about:
      'how long a request of [OpenAI and MCP clients](use/existing-clients.md) waits, 3600 at most; [proxies](run/ingress.md) need longer idle timeouts',
    example: '1',
  }),
  AUDIT_DAYS: setting(whole.min(0).max(36_500).default(365), {
    about: 'how long the [audit log](run/keys.md#the-audit-log) keeps its entries; `0`: forever',
    example: '30',
  }),
  TENANT_WEIGHTS: setting(byTenant('a weight from 0.01 to 100', isWeight).default({}), {
    about: "`acme=3,trial=0.5`: each tenant's share of the capacity, 0.01 to 100",
    default: '`*=1`',
    example: '*=1,default=2',
  }),
  TENANT_ASKS_PER_MINUTE: setting(byTenant('the questions per minute', isCount).optional(), {
    about: '`*=600,acme=6000`: questions per minute of a tenant at all gateways together',
    default: '`*=6000` with keys or tokens',
    example: '*=1000000',
  }),
  KEY_ASKS_PER_MINUTE: setting(whole.min(1).optional(), { about: 'the same for each key', example: '1000000' }),
  TENANT_READS_PER_MINUTE: setting(byTenant('the read requests per minute', isCount).optional(), {
    about: 'reads per minute of a tenant, without those of event streams, health and metrics',
    default: '`*=60000` with keys or tokens',
    example: '*=1000000',
  }),
  KEY_READS_PER_MINUTE: setting(whole.min(1).optional(), { about: 'the same for each key', example: '1000000' }),
  TENANT_RUNS_AT_ONCE: setting(byTenant('the number of concurrent runs', isCount).default({}), {
    about: '`*=100,acme=1000`: questions of a tenant in progress at once (neither ended nor held)',
    example: '*=1000000',
  }),
  MAX_QUEUE_SECONDS: setting(whole.min(0).max(86_400).default(300).transform(orNoLimit), {
    about:
      'if an interactive job has waited longer, new questions of tenants that already have waiting questions are refused; `0`: no limit',
    example: '3600',
  }),
  THREADS: setting(WhenBusy.default('queue'), {
    about:
      '`queue`, `refuse` or `replace`: how Plumbline handles a question while another one of its [conversation](reference/api.md#conversations) is in progress',
    example: 'refuse',
  }),
  CORS_ORIGINS: setting(origins, {
    about:
      'origins whose pages may call the API from a browser, separated by commas; `*` for any. Cookies from them are never accepted',
    example: 'https://app.example.org',
  }),
  PUBLIC_URL: PublicUrl,
  TRUSTED_PROXIES: setting(proxies, {
    about:
      'addresses or ranges of proxies whose `X-Forwarded-Proto` and `X-Forwarded-Host` are trusted, such as `10.0.0.5,10.1.0.0/16`; needed only without `PUBLIC_URL`',
    example: '10.0.0.0/8',
  }),
  ROUTES_FILE: setting(RulesFromFile, {
    about: '[routing rules](understand/routing.md), read by router and gateway',
  }),
  ALLOW_PRIVATE_ADDRESSES: AllowedAddresses,
})
export type GatewayEnv = z.infer<typeof GatewayEnv>
