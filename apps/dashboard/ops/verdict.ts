import type { OpsOverview, StageNow } from '@plumbline/contracts'
import { count, time } from './figures'

/** A wait that a person notices. */
const longMs = 5_000

export type Trouble = { text: string; to: string; grave: boolean }
export type StageWord = 'well' | 'busy' | 'paused' | 'not served' | 'failing'

/** What is to be said of a stage in a word; the gravest counts. */
export const wordFor = ({ slots, paused, oldestMs, failed }: StageNow): StageWord => {
  if (paused) return 'paused'
  if (slots === 0) return 'not served'
  if (failed > 0) return 'failing'
  return (oldestMs ?? 0) >= longMs ? 'busy' : 'well'
}

const troubleOf = (now: StageNow): Trouble[] => {
  const { stage, waiting, failed, oldestMs } = now
  const waits = waiting === 0 ? 'nothing waits' : `${count(waiting)} wait`
  switch (wordFor(now)) {
    case 'paused':
      return [{ text: `${stage} is paused; ${waits} until it is resumed.`, to: '/', grave: waiting > 0 }]
    case 'not served':
      return [{ text: `No process serves ${stage}; ${waits}. Start one.`, to: '/processes', grave: true }]
    case 'failing':
      return [
        {
          text: `${stage} gave up ${count(failed)} ${failed === 1 ? 'task' : 'tasks'} in the last hour.`,
          to: '/abandoned',
          grave: false,
        },
      ]
    case 'busy':
      return [
        {
          text: `${stage}: ${waits}, the oldest for ${time(oldestMs)}. More of its processes would help.`,
          to: '/processes',
          grave: false,
        },
      ]
    case 'well':
      return []
  }
}

/** Everything that somebody should look at; empty when all is well. */
export const troubles = ({ accepting, refusing, stages }: OpsOverview): Trouble[] => [
  ...(accepting ? [] : [{ text: `No question is taken in. ${refusing ?? ''}`.trim(), to: '/processes', grave: true }]),
  ...stages.flatMap(troubleOf),
]
