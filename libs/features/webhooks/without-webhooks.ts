import { keys } from '@plumbline/adapters/redis/client/keys'
import type { Feature } from '@plumbline/gateway/feature'
import { repeat } from '@plumbline/platform'

const everyMs = 3_600_000

/**
 * Empties the outbox of an installation that does not offer webhooks. Events still get there, because tenants may have
 * webhooks from an earlier time.
 */
export const withoutWebhooks: Feature = {
  name: 'without-webhooks',
  controllers: [],
  services: [],
  open: ({ redis, log, stop }) => {
    const onFault = (error: unknown): void =>
      log.warn({ err: error }, 'the outbox of webhooks could not be emptied: retrying')
    const empty = (): Promise<unknown> => redis.del(keys.notices)
    empty().catch(onFault)
    const emptying = repeat(everyMs, empty, onFault)
    stop.add('the outbox of webhooks', () => emptying.stop())
    return { ports: [] }
  },
}
