import { openBatches } from '@plumbline/adapters/redis/batches/batches'
import type { RedisClient } from '@plumbline/adapters/redis/client/client'
import { openRules } from '@plumbline/adapters/redis/rules/rules'
import { openFeedback } from '@plumbline/adapters/redis/runs/feedback'
import { openReviewers } from '@plumbline/adapters/redis/runs/reviewers'
import { openSchedules } from '@plumbline/adapters/redis/schedules/schedules'
import { openDeliveries } from '@plumbline/adapters/redis/webhooks/deliveries'
import { openWebhooks } from '@plumbline/adapters/redis/webhooks/webhooks'

export const tenantPorts = (redis: RedisClient, retentionMs: number | undefined) => ({
  feedback: openFeedback(redis),
  reviewers: openReviewers(redis),
  rules: openRules(redis),
  webhooks: openWebhooks(redis),
  deliveries: openDeliveries(redis),
  batches: openBatches(redis, retentionMs),
  schedules: openSchedules(redis),
})
