import {
  openBatches,
  openDeliveries,
  openFeedback,
  openRules,
  openSchedules,
  openWebhooks,
  type RedisClient,
} from '@plumbline/adapters/redis'

/** What tenants set, said and have asked later, and what they were told. */
export const tenantPorts = (redis: RedisClient, retentionMs: number | undefined) => ({
  feedback: openFeedback(redis),
  rules: openRules(redis),
  webhooks: openWebhooks(redis),
  deliveries: openDeliveries(redis),
  batches: openBatches(redis, retentionMs),
  schedules: openSchedules(redis),
})
