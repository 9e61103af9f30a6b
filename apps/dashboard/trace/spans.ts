import type { LedgerPage, ModelCall } from '@plumbline/contracts'

export type Event = LedgerPage['items'][number]['event']
type TimedEvent = Extract<Event, { at: number }>

/** A task of a run, with times in ms since the phase began. The task waits until `began` and works until `ended`. */
export type TaskSpan = {
  task: string
  name: string
  opened: number
  began: number
  ended: number
  calls: ModelCall[]
  events: TimedEvent[]
}
/**
 * A part of a run, which ends with a review or with the end of the run. `people` contains that review: its events, and
 * the time until the decision.
 */
export type Phase = { title: string; ms: number; spans: TaskSpan[]; people: { ms: number; events: TimedEvent[] } }

const isTimed = (event: Event): event is TimedEvent => 'at' in event
const people: Event['type'][] = ['parked', 'escalated', 'decided', 'approved', 'review-noted']
const isHuman = ({ type }: Event): boolean => people.includes(type)

const earlySearch = 'research.1.0'
const numbers = (task: string): string[] => task.split('.').slice(1)
const taskLabel = (task: string): string => {
  const [kind = ''] = task.split('.')
  const [first = '', attempt = '1'] = numbers(task)
  const again = attempt === '1' ? '' : `, try ${attempt}`
  if (task === earlySearch) return 'Search before the plan'
  if (task.endsWith('.ahead')) return 'Draft before the plan'
  const names: Record<string, string> = {
    admit: 'Accept the question',
    route: 'Route',
    plan: 'Plan',
    reply: 'Write a reply',
    research: `Step ${first}: search${again}`,
    'grade-evidence': `Step ${first}: grade passages${again}`,
    generate: `Write draft ${first}`,
    'grade-answer': `Check draft ${first}`,
  }
  return names[kind] ?? task
}

const openedBy = (event: TimedEvent): string | undefined => {
  switch (event.type) {
    case 'step-opened':
      return `research.${event.step}.${event.try}`
    case 'researched':
      return `grade-evidence.${event.step}.${event.try}`
    case 'writing':
      return event.task ?? `generate.${event.draft}`
    case 'checking':
      return `grade-answer.${event.draft}`
    default:
      return undefined
  }
}

const reporterOf = (event: TimedEvent): string | undefined =>
  event.type === 'step-opened' || event.type === 'writing' || event.type === 'checking' || isHuman(event)
    ? undefined
    : event.task

const titleOf = (event: TimedEvent): string =>
  event.type === 'decided' ? `After the decision “${event.action}” by ${event.by}` : 'After the question'

const phaseOf = (events: TimedEvent[]): Phase => {
  const [first] = events
  const since = first?.at ?? 0
  const spans = new Map<string, TaskSpan>()
  const opened = new Map<string, number>()
  let before = since
  for (const event of events) {
    const task = reporterOf(event)
    if (task !== undefined) {
      const start = opened.get(task) ?? before
      const known = spans.get(task)
      const began = Math.max(start, event.beganAt ?? known?.began ?? start)
      spans.set(task, {
        task,
        name: taskLabel(task),
        opened: (known?.opened ?? start - since) || 0,
        began: known?.began ?? began - since,
        ended: event.at - since,
        calls: [...(known?.calls ?? []), ...(event.type === 'called' ? event.calls : [])],
        events: [...(known?.events ?? []), event],
      })
    }
    const opens = openedBy(event)
    if (opens !== undefined) opened.set(opens, event.at)
    if (!isHuman(event)) before = event.at
  }
  const all = [...spans.values()]
  const held = events.filter((event) => isHuman(event) && event !== first)
  const ms = Math.max(0, ...all.map(({ ended }) => ended))
  const last = events.at(-1)
  return {
    title: first ? titleOf(first) : '',
    ms,
    spans: all,
    people: { ms: held.length > 0 && last ? last.at - since - ms : 0, events: held },
  }
}

export const phasesOf = (events: readonly Event[]): Phase[] => {
  const timed = events.filter(isTimed)
  const starts = timed.flatMap((event, at) => (event.type === 'asked' || event.type === 'decided' ? [at] : []))
  // The event of a decision belongs to two phases. It ends the review of one phase and begins the next phase.
  return starts
    .map((from, n) => phaseOf(timed.slice(from, (starts[n + 1] ?? timed.length) + 1)))
    .map((phase) => ({ ...phase, people: { ...phase.people, ms: Math.max(0, phase.people.ms) } }))
    .filter(({ spans, people }) => spans.length > 0 || people.events.length > 0)
}

export const hasFailed = ({ calls, events }: TaskSpan): boolean =>
  calls.some(({ failed, insteadBy }) => failed !== undefined || insteadBy === 'offline') ||
  events.some(({ type }) => type === 'abandoned' || type === 'refused-by-model')
