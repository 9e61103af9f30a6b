import type { OverdueAction, Rules, RulesView, WeekDay } from '@plumbline/contracts'

export type Draft = {
  everything: boolean
  percent: string
  collections: string[]
  words: string
  hasDeadline: boolean
  wait: string
  inHours: boolean
  timeZone: string
  days: WeekDay[]
  from: string
  to: string
  then: OverdueAction
  escalatedWait: string
}

const workdays: WeekDay[] = ['mon', 'tue', 'wed', 'thu', 'fri']
const here = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

export const draftOf = ({ hold, deadline }: RulesView): Draft => ({
  everything: hold.everything,
  percent: `${hold.samplePercent}`,
  collections: hold.collections,
  words: hold.words.join('\n'),
  hasDeadline: deadline !== null,
  wait: `${(deadline?.minutes ?? 480) / 60}`,
  inHours: Boolean(deadline?.hours),
  timeZone: deadline?.hours?.timeZone ?? here(),
  days: deadline?.hours?.days ?? workdays,
  from: deadline?.hours?.from ?? '09:00',
  to: deadline?.hours?.to ?? '17:00',
  then: deadline?.then ?? 'refuse',
  escalatedWait: `${(deadline?.escalatedMinutes ?? 240) / 60}`,
})

const minutesOf = (hours: string): number => Math.round(Number(hours) * 60)

const deadlineOf = (draft: Draft): Rules['deadline'] => {
  const { hasDeadline, wait, inHours, timeZone, days, from, to, then, escalatedWait } = draft
  if (!hasDeadline) return null
  return {
    minutes: minutesOf(wait),
    hours: inHours ? { timeZone: timeZone.trim(), days, from, to } : null,
    then,
    ...(then === 'escalate' && { escalatedMinutes: minutesOf(escalatedWait) }),
  }
}

export const rulesOf = (draft: Draft): Rules => ({
  hold: {
    everything: draft.everything,
    samplePercent: Number(draft.percent),
    collections: draft.collections,
    words: draft.words
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  },
  deadline: deadlineOf(draft),
})
