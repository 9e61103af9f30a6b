import {
  openBatches,
  openDeliveries,
  openRules,
  openSchedules,
  openWebhooks,
  type RedisClient,
} from '@plumbline/adapters/redis'

/** What tenants set and have asked later, and what they were told. */
export const tenantPorts = (redis: RedisClient, retentionMs: number | undefined) => ({
  rules: openRules(redis),
  webhooks: openWebhooks(redis),
  deliveries: openDeliveries(redis),
  batches: openBatches(redis, retentionMs),
  schedules: openSchedules(redis),
})
