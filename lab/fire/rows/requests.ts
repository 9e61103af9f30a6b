import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FeaturesEnv } from '@plumbline/features/all/features.env'
import { GatewayEnv } from '@plumbline/gateway/gateway.env'
import { OidcEnv } from '@plumbline/gateway/http/oidc.env'
import { EntryEnv } from '@plumbline/platform'
import { fuzzApi } from '@plumbline/testing/api-fuzz'
import { everyRoleKey, everySetting } from '@plumbline/testing/every-setting'
import type { Row } from '../row'
import { inWorld } from '../world'

const seed = 20_261_123

const fuzzed = (cases: number, env: Record<string, string>, key?: string) =>
  inWorld({ workers: 1, keyed: key !== undefined, env }, async ({ url, askWell, ready }) => {
    const ids = [await askWell(), await askWell({ grounding: '0' })]
    const statuses = await fuzzApi({ url, ids, cases, seed, ...(key !== undefined && { key }) })
    const sum = (from: number): number =>
      [...statuses].reduce((all, [status, count]) => all + (status >= from && status < from + 100 ? count : 0), 0)
    const sent = [...statuses.values()].reduce((all, count) => all + count, 0)
    return { sent, good: sum(200), refused: sum(400), failed: sum(500), ready: await ready() }
  })

type Fuzzed = Awaited<ReturnType<typeof fuzzed>>
const figuresOf = (settings: string, { sent, good, refused, failed }: Fuzzed) => ({
  [`requests, ${settings}`]: sent,
  [`2xx, ${settings}`]: good,
  [`4xx, ${settings}`]: refused,
  [`5xx, ${settings}`]: failed,
})

export const S13: Row = {
  id: 'S13',
  promise:
    '≥ 5,000 requests made from our own OpenAPI, good and spoilt, at a gateway in a process of its own, once with defaults and once with every optional setting on: 0 answers of 5xx',
  run: async (scale) => {
    const cases = scale === 'full' ? 5_000 : 600
    const folder = await mkdtemp(join(tmpdir(), 'plumbline-settings-'))
    try {
      const plain = await fuzzed(cases, {})
      const every = await fuzzed(
        cases,
        await everySetting(folder, [EntryEnv, GatewayEnv, OidcEnv, FeaturesEnv]),
        everyRoleKey,
      )
      const both = [plain, every]
      return {
        holds: both.every(
          ({ sent, good, refused, failed, ready }) => sent >= cases && failed === 0 && good > 0 && refused > 0 && ready,
        ),
        figures: { ...figuresOf('by default', plain), ...figuresOf('every setting', every) },
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}
