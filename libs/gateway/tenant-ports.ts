import {
  openBatches,
  openDeliveries,
  openFeedback,
  openRules,
  openSchedules,
  openWebhooks,
  type RedisClient,
} from '@plumbline/adapters/redis'

export const tenantPorts = (redis: RedisClient, retentionMs: number | undefined) => ({
  feedback: openFeedback(redis),
  rules: openRules(redis),
  webhooks: openWebhooks(redis),
  deliveries: openDeliveries(redis),
  batches: openBatches(redis, retentionMs),
  schedules: openSchedules(redis),
})
