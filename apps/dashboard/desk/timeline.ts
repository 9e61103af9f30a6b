import type { LedgerEvent } from '@plumbline/contracts'

type Bar = { what: string; from: number; to: number }
type Lane = { lane: string; bars: Bar[] }
/** What happened between an ask or a decision and the next time it was held; each has a scale of its own. */
type Stretch = { title: string; ms: number; lanes: Lane[] }

type Event = LedgerEvent

const percent = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })

/** The lane of an event, and what it says there; null where it ends nothing that took time. */
const barOf = (event: Event): { lane: string; what: string } | null => {
  switch (event.type) {
    case 'routed':
      return { lane: 'route', what: [event.to, ...event.collections].join(' · ') }
    case 'planned':
      return { lane: 'plan', what: `${event.steps.length} steps` }
    case 'researched':
      return { lane: `step ${event.step}`, what: `${event.found} found in the ${event.source}` }
    case 'evidence-graded':
      return { lane: `step ${event.step}`, what: `${event.relevant} of ${event.grades.length} relevant` }
    case 'drafted':
      return { lane: 'write', what: `draft ${event.draft}` }
    case 'answer-graded':
      return { lane: 'check', what: `draft ${event.draft}: ${percent.format(event.score * 100)} % stand` }
    default:
      return null
  }
}

/** The lane in which something begins with this event; what no event begins, begins with what came before it. */
const opens = (event: Event): string | null => {
  if (event.type === 'step-opened') return `step ${event.step}`
  if (event.type === 'writing') return 'write'
  if (event.type === 'checking') return 'check'
  return null
}

const titleOf = (event: Event): string =>
  event.type === 'decided' ? `After ${event.action} by ${event.by}` : 'From the question on'

const laneOf = ({ lanes }: Stretch, lane: string): Lane => {
  const known = lanes.find((one) => one.lane === lane)
  if (known) return known
  const added = { lane, bars: [] }
  lanes.push(added)
  return added
}

/** The trace as bars in lanes: what ran at once stands side by side in time. */
export const stretchesOf = (events: Event[]): Stretch[] => {
  const all: Stretch[] = []
  let began = new Map<string, number>()
  let [since, last] = [0, 0]
  for (const event of events) {
    if (event.type === 'asked' || event.type === 'decided') {
      all.push({ title: titleOf(event), ms: 0, lanes: [] })
      began = new Map()
      since = last = event.at
    }
    const stretch = all.at(-1)
    if (!stretch) continue
    const opened = opens(event)
    if (opened !== null) began.set(opened, event.at)
    const bar = barOf(event)
    if (bar) {
      const { lane, what } = bar
      const from = (began.get(lane) ?? last) - since
      laneOf(stretch, lane).bars.push({ what, from, to: event.at - since })
      began.set(lane, event.at)
    }
    last = event.at
    stretch.ms = Math.max(stretch.ms, event.at - since)
  }
  return all.filter(({ lanes }) => lanes.length > 0)
}
