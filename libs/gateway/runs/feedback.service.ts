import { Inject, Injectable } from '@nestjs/common'
import type { RedisClient } from '@plumbline/adapters/redis'
import type { Feedback } from '@plumbline/contracts'
import { notFound } from '../door/problem'
import { Metrics } from '../ops/metrics.service'
import { REDIS } from '../ports'
import { promptly } from '../promptly'
import script from './put-feedback.lua'

const kept = 20

@Injectable()
export class FeedbackBox {
  constructor(
    @Inject(REDIS) private readonly redis: RedisClient,
    private readonly metrics: Metrics,
  ) {}

  async put(runId: string, feedback: Feedback): Promise<void> {
    const put = await promptly(() =>
      this.redis.eval(script, 2, `run:{${runId}}:state`, `run:{${runId}}:feedback`, JSON.stringify(feedback), kept),
    )
    if (put !== 1) throw notFound('run')
    this.metrics.feedback.inc({ useful: `${feedback.useful}` })
  }
}
