import type { StreamEvent } from '@plumbline/contracts'

/** A bar of the chart: when a stage ran, in ms since the question. `to` is null while the stage is running. */
export type TimelineBar = { name: string; about?: string; from: number; to: number | null; note: string }
/** The bars of a run, without the time of reviews. `startedAt` is the time of the first event plus that of reviews. */
export type StageTimeline = { bars: TimelineBar[]; startedAt: number; lastAt: number; isOver: boolean }

type TimedEvent = { event: Exclude<StreamEvent, { type: 'draft' | 'gap' }>; at: number }

/** Returns the events with their times, without the duration of reviews. With it, all other bars would be tiny. */
const eventsWithTime = (events: StreamEvent[]): { all: TimedEvent[]; startedAt: number } => {
  let start: number | undefined
  let waited = 0
  let parkedAt: number | undefined
  const all = events.flatMap((event): TimedEvent[] => {
    if (event.type === 'draft' || event.type === 'gap') return []
    start ??= event.at
    if (parkedAt !== undefined) waited += event.at - parkedAt
    parkedAt = event.type === 'parked' ? event.at : undefined
    return [{ event, at: Math.max(0, event.at - start - waited) }]
  })
  return { all, startedAt: (start ?? 0) + waited }
}

const passageCount = (count: number): string =>
  count === 0 ? 'no passages found yet' : `${count} ${count === 1 ? 'passage' : 'passages'}`

const draftLabel = (draft: number): string => (draft > 1 ? `draft ${draft}` : '')

export const stageTimeline = (events: StreamEvent[]): StageTimeline => {
  const { all, startedAt } = eventsWithTime(events)
  const plan: TimelineBar = { name: 'route and plan', from: 0, to: null, note: '' }
  const steps = new Map<number, TimelineBar & { found: number }>()
  let write: TimelineBar | undefined
  let isRouted = false
  for (const { event, at } of all) {
    // An early search and draft may begin before the route and the plan are known. A plan discards the early draft, and
    // a route other than `research` discards both.
    if (event.type === 'planned' || (event.type === 'routed' && event.to !== 'research')) write = undefined
    if (event.type === 'routed' && event.to !== 'research') steps.clear()
    if (event.type === 'routed') isRouted = true
    // The first event after the route ends this bar. Events before it can belong to an early search or draft.
    else if (isRouted && plan.to === null) plan.to = at
    if (event.type === 'step-opened') {
      const step = steps.get(event.step) ?? { name: `step ${event.step}`, from: at, to: null, note: '', found: 0 }
      steps.set(event.step, { ...step, about: event.question, to: null, note: event.try > 1 ? `try ${event.try}` : '' })
    }
    if (event.type === 'researched') {
      const step = steps.get(event.step)
      // Do not count the passages of the early search (try 0), because the first regular search finds them again.
      const foundBefore = event.try > 1 ? (step?.found ?? 0) : 0
      if (step)
        steps.set(event.step, {
          ...step,
          to: at,
          found: foundBefore + event.found,
          note: passageCount(foundBefore + event.found),
        })
    }
    if (event.type === 'writing')
      write = { name: 'write and check', from: write?.from ?? at, to: null, note: draftLabel(event.draft) }
    if (event.type === 'checking' && write) write.note = `checking ${draftLabel(event.draft)}`.trim()
    if (event.type === 'ended' || event.type === 'parked') {
      if (write) write.note = write.note.replace(/^checking ?/, '')
      for (const bar of [plan, ...steps.values(), ...(write ? [write] : [])]) bar.to ??= at
    }
  }
  const last = all.at(-1)
  return {
    bars: all.length === 0 ? [] : [plan, ...steps.values(), ...(write ? [write] : [])],
    startedAt,
    lastAt: last?.at ?? 0,
    isOver: last?.event.type === 'ended' || last?.event.type === 'parked',
  }
}
