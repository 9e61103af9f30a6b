import type { GivenFeedback } from '@plumbline/contracts'
import { withScripts, type RedisClient } from '../client/client'
import { answerWithinMs, throughCall, withTimeout } from '../client/errors'
import { keys } from '../client/keys'
import { type Page, type Position, readPage } from '../client/sorted-sets'
import putFeedback from './lua/put-feedback.lua'

const mostEntries = 20
const listedMs = 90 * 86_400_000

export type FeedbackRow = { runId: string; items: GivenFeedback[] }

export const openFeedback = (redis: RedisClient) => {
  const { feedbackPut } = withScripts(redis, { feedbackPut: { lua: putFeedback, numberOfKeys: 2 } })
  const of = async (runId: string): Promise<GivenFeedback[]> =>
    (await redis.lrange(keys.feedback(runId), 0, -1)).map((text) => JSON.parse(text) as GivenFeedback)
  const rowsOf = (piece: Position[]): Promise<(FeedbackRow | null)[]> =>
    Promise.all(
      piece.map(async ({ id: runId }) => {
        const items = await of(runId)
        return items.length > 0 ? { runId, items } : null
      }),
    )
  /**
   * Adds a run to the list before its feedback is stored, so that a crash cannot hide stored feedback. Readers skip
   * runs without feedback.
   */
  const list = async (tenant: string, runId: string, at: number): Promise<void> => {
    const key = keys.feedbackOf(tenant)
    await Promise.all([
      redis.zadd(key, at, runId),
      redis.zremrangebyscore(key, '-inf', at - listedMs),
      redis.pexpire(key, listedMs),
    ])
  }
  return throughCall(withTimeout(answerWithinMs), {
    put: async (tenant: string, runId: string, given: GivenFeedback, at: number): Promise<boolean> => {
      await list(tenant, runId, at)
      return (await feedbackPut(keys.state(runId), keys.feedback(runId), JSON.stringify(given), mostEntries)) === 1
    },
    of,
    list: (tenant: string, page: Page<FeedbackRow>) => readPage(redis, keys.feedbackOf(tenant), rowsOf, page),
    isAnyBad: async (runId: string): Promise<boolean> => (await of(runId)).some(({ useful }) => !useful),
  })
}
export type FeedbackStore = ReturnType<typeof openFeedback>
