import { Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { z } from 'zod'
import { stages } from '@plumbline/flow'
import { defineStage } from '@plumbline/hosting/define-stage'
import { runStages } from '@plumbline/hosting/host-stages'
import { ingestor } from '@plumbline/ingestor/ingestor'
import { allStages } from '@plumbline/stages/all'
import { fireHandlers } from './handlers'

const Env = z.object({ WITNESS_URL: z.string() })

/** Its workers stay connected and wait for a next job for ever. */
const stopTaking = (): void => {
  Object.assign(Worker.prototype, { _getNextJob: () => new Promise(() => undefined) })
  console.log('wedged')
}

/** A worker as deployed, except its handlers, which count themselves and misbehave as the run asks. */
export const runWorker = (): Promise<void> => {
  let witness: Redis | undefined
  const definitions = stages.map((stage) =>
    defineStage({
      stage,
      env: Env,
      handlers: ({ stop }, { WITNESS_URL }) => {
        if (!witness) {
          const opened = (witness = new Redis(WITNESS_URL))
          stop.add('the witness', () => opened.disconnect())
        }
        return fireHandlers(witness)
      },
    }),
  )
  process.once('SIGUSR2', stopTaking)
  return runStages('fire-worker', definitions)
}

/** Every stage as it is deployed, in one process, with the ingestor or without. */
export const runAllStages = (): Promise<void> => runStages('fire-stages', [...Object.values(allStages), ingestor])
export const runQuestionStages = (): Promise<void> => runStages('fire-questions', Object.values(allStages))
