import type { Feedback } from '@plumbline/contracts'
import { withScripts, type RedisClient } from '../client/client'
import { answerWithinMs, withTimeout } from '../client/errors'
import { keys } from '../client/keys'
import putFeedback from './lua/put-feedback.lua'

const kept = 20
const isBad = (opinion: string): boolean => (JSON.parse(opinion) as Feedback).useful === false

/** What askers said of a run's answer, kept as long as the run. */
export const openFeedback = (redis: RedisClient) => {
  const { feedbackPut } = withScripts(redis, { feedbackPut: { lua: putFeedback, numberOfKeys: 2 } })
  const call = withTimeout(answerWithinMs)
  return {
    /** False when the run is gone. */
    put: async (runId: string, feedback: Feedback): Promise<boolean> =>
      (await call(() => feedbackPut(keys.state(runId), keys.feedback(runId), JSON.stringify(feedback), kept))) === 1,
    isAnyBad: async (runId: string): Promise<boolean> => (await redis.lrange(keys.feedback(runId), 0, -1)).some(isBad),
  }
}
export type FeedbackStore = ReturnType<typeof openFeedback>
