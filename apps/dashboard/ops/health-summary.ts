import type { DeskNow, ModelNow, OpsOverview, StageNow } from '@plumbline/contracts'
import { count, gigabytes, share, time } from './figures'

/** A stage is reported as busy if work waits at least this long, because people notice such a wait. */
const longMs = 5_000
/** A model that takes this long is close to its time limit. */
const slowMs = 15_000
const fullShare = 0.9
/** A share of failed or degraded work is reported only from this value on. A smaller share is noise. */
const noticedShare = 0.05

export type Trouble = {
  text: string
  step: string
  to: string
  runbook: string
  grave: boolean
  since?: string
  error?: string
}
export type StageState = 'well' | 'busy' | 'paused' | 'no process' | 'failing'

export const stageState = ({ slots, paused, oldestMs, failed }: StageNow): StageState => {
  if (paused) return 'paused'
  if (slots === 0) return 'no process'
  if (failed > 0) return 'failing'
  return (oldestMs ?? 0) >= longMs ? 'busy' : 'well'
}

export const countText = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${n === 1 ? one : many}`

const stageTroubles = (now: StageNow): Trouble[] => {
  const { stage, waiting, failed, oldestMs } = now
  const waits = waiting === 0 ? 'no task waits' : `${countText(waiting, 'task waits', 'tasks wait')}`
  const old = { to: '/processes', runbook: 'a-queue-grows-old' }
  switch (stageState(now)) {
    case 'paused':
      return [
        {
          ...old,
          to: '/',
          text: `Stage ${stage} is paused; ${waits}.`,
          step: 'Resume this stage below.',
          grave: waiting > 0,
        },
      ]
    case 'no process':
      return [{ ...old, text: `No process serves stage ${stage}; ${waits}.`, step: 'Start a process.', grave: true }]
    case 'failing': {
      const text = `Stage ${stage} abandoned ${countText(failed, 'task')} in the last hour.`
      const step = 'Read the reasons, then ask the questions again.'
      return [{ text, step, to: '/abandoned', runbook: 'tasks-are-given-up', grave: false }]
    }
    case 'busy':
      return [
        {
          ...old,
          text: `Stage ${stage}: ${waits}, the oldest for ${time(oldestMs)}.`,
          step: 'Start more processes.',
          grave: false,
        },
      ]
    case 'well':
      return []
  }
}

const modelTroubles = ({ name, calls, failed, p95Ms, failingSince, lastError }: ModelNow): Trouble[] => {
  const more = { to: '/runs', runbook: 'models-fail' }
  if (calls > 0 && failed / calls >= noticedShare)
    return [
      {
        ...more,
        text: `Model ${name}: ${count(failed)} of ${countText(calls, 'call')} failed in the last hour.`,
        step: 'Check the server, the key and the limits of this model.',
        grave: failingSince !== undefined || failed / calls >= 0.5,
        ...(failingSince !== undefined && { since: failingSince }),
        ...(lastError !== undefined && { error: lastError }),
      },
    ]
  if ((p95Ms ?? 0) < slowMs) return []
  return [
    {
      ...more,
      text: `Model ${name} is slow: p95 ${time(p95Ms)}.`,
      step: 'Check the server of this model.',
      grave: false,
    },
  ]
}

const degradedTroubles = ({ degraded = 0, runsPerHour }: OpsOverview): Trouble[] =>
  degraded === 0 || degraded / runsPerHour < noticedShare
    ? []
    : [
        {
          text: `${count(degraded)} of ${countText(runsPerHour, 'run')} that ended in the last hour ran without a model or a service; their answers may be only quotes.`,
          step: 'Find the model or service that fails.',
          to: '/runs',
          runbook: 'models-fail',
          grave: degraded / runsPerHour >= 0.5,
        },
      ]

const deskTroubles = ({ overdue, dueWithinHour, escalated, arrived, decided }: DeskNow): Trouble[] => {
  const more = {
    to: '~/desk',
    runbook: 'reviews-are-overdue',
    step: 'Decide the oldest held answers first, or ask for more reviewers.',
  }
  const late = [
    overdue > 0 && `${countText(overdue, 'answer is', 'answers are')} overdue`,
    dueWithinHour > 0 && `${count(dueWithinHour)} due within the hour`,
    escalated > 0 && `${count(escalated)} escalated in the last hour`,
  ].filter((part) => part !== false)
  const isFallingBehind = arrived >= 20 && arrived > 2 * decided
  return [
    ...(late.length > 0 ? [{ ...more, text: `Desk: ${late.join(', ')}.`, grave: overdue > 0 }] : []),
    ...(isFallingBehind
      ? [
          {
            ...more,
            text: `Desk: ${count(arrived)} held answers arrived and ${count(decided)} were decided in the last hour.`,
            grave: false,
          },
        ]
      : []),
  ]
}

const memoryTroubles = ({ memory }: OpsOverview): Trouble[] => {
  if (!memory || memory.mostBytes === 0 || memory.usedBytes / memory.mostBytes < fullShare) return []
  const { usedBytes, mostBytes } = memory
  return [
    {
      text: `Redis memory is ${share(usedBytes, mostBytes)} full: ${gigabytes(usedBytes)} of ${gigabytes(mostBytes)}.`,
      step: 'Give Redis more memory, or shorten the retention of runs.',
      to: '/processes',
      runbook: 'redis-fills-up',
      grave: false,
    },
  ]
}

const webhookTroubles = ({ webhooks }: OpsOverview): Trouble[] =>
  !webhooks || webhooks.retrying === 0
    ? []
    : [
        {
          text: `Webhooks: ${countText(webhooks.retrying, 'delivery waits', 'deliveries wait')} for another try.`,
          step: 'Check the receiving server.',
          to: '~/desk/rules',
          runbook: 'webhooks-are-given-up',
          grave: false,
        },
      ]

const sourceTroubles = ({ sourcesFailing = [] }: OpsOverview): Trouble[] =>
  sourcesFailing.map(({ tenant, name, collection, since, error }) => ({
    text: `The last import from source ${name} of tenant ${tenant} failed.`,
    step: 'Check the address and the credentials of this source.',
    to: `~/documents/${encodeURIComponent(collection)}`,
    runbook: 'sources-break-off',
    grave: false,
    since,
    error,
  }))

const admissionTroubles = ({ accepting, refusing }: OpsOverview): Trouble[] =>
  accepting
    ? []
    : [
        {
          text: 'New questions are refused.',
          step: refusing ?? 'Check the processes.',
          to: '/processes',
          runbook: 'redis-fills-up',
          grave: true,
        },
      ]

/** Returns the current problems, the most serious one first. */
export const troublesOf = (now: OpsOverview): Trouble[] =>
  [
    admissionTroubles(now),
    (now.models ?? []).flatMap(modelTroubles),
    now.stages.flatMap(stageTroubles),
    degradedTroubles(now),
    now.desk ? deskTroubles(now.desk) : [],
    memoryTroubles(now),
    webhookTroubles(now),
    sourceTroubles(now),
  ]
    .flat()
    .sort((a, b) => Number(b.grave) - Number(a.grave))

export const healthyText = ({ models = [], held }: OpsOverview): string => {
  const calls = models.reduce((all, model) => all + model.calls, 0)
  const answered = calls === 0 ? 'no model was called' : `${countText(calls, 'model call')} succeeded`
  const desk =
    held.waiting === 0
      ? 'no answer is held'
      : `${countText(held.waiting, 'answer is', 'answers are')} held, none overdue`
  return `Every stage has a process, no task waits for long, ${answered} in the last hour, and ${desk}.`
}
