import { keys } from '@plumbline/adapters/redis/client/keys'
import type { Feature } from '@plumbline/gateway/feature'
import { repeat } from '@plumbline/platform'

const everyMs = 3_600_000

/**
 * Empties the outbox (the list of events to send) if the installation does not offer webhooks. Webhooks that tenants
 * set up earlier can still add events to it.
 */
export const withoutWebhooks: Feature = {
  name: 'without-webhooks',
  controllers: [],
  services: [],
  open: ({ redis, log, stop }) => {
    const onFault = (error: unknown): void =>
      log.warn({ err: error }, 'unneeded webhook events could not be deleted: retrying')
    const empty = (): Promise<unknown> => redis.del(keys.notices)
    empty().catch(onFault)
    const emptying = repeat(everyMs, empty, onFault)
    stop.add('the deletion of webhook events', () => emptying.stop())
    return { ports: [] }
  },
}
