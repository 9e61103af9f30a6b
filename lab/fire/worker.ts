import { Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { z } from 'zod'
import { readFeatures } from '@plumbline/features/all'
import { stages } from '@plumbline/flow'
import { defineStage } from '@plumbline/hosting/define-stage'
import { runStages } from '@plumbline/hosting/host-stages'
import { ingestorWith } from '@plumbline/ingestor/ingestor'
import { allStages } from '@plumbline/stages/all'
import { fireHandlers } from './handlers'

const Env = z.object({ WITNESS_URL: z.string() })

/** Simulates a stuck worker, which stays connected but never takes another job. */
const stopTaking = (): void => {
  Object.assign(Worker.prototype, { _getNextJob: () => new Promise(() => undefined) })
  console.log('wedged')
}

/** Runs handlers that count their calls, and that fail or wait as the run's orders say. */
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
  return runStages('fire-worker', () => definitions)
}

const stagesExcept = (names: string[]) =>
  Object.entries(allStages).flatMap(([stage, definition]) => (names.includes(stage) ? [] : [definition]))

/** `except`: the stages that run elsewhere. */
export const runAllStages = (except: string[]): Promise<void> =>
  runStages('fire-stages', () => [...stagesExcept(except), ingestorWith(readFeatures().companions)])
export const runQuestionStages = (except: string[]): Promise<void> =>
  runStages('fire-questions', () => stagesExcept(except))
