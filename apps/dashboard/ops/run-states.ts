import type { LedgerPage } from '@plumbline/contracts'

type Event = LedgerPage['items'][number]['event']
type RunState = Record<string, string>

const add = (before: string | undefined, by: number): string => `${Number(before ?? 0) + by}`

const addedCalls = (state: RunState, { calls }: Extract<Event, { type: 'called' }>): RunState => ({
  'model calls': add(
    state['model calls'],
    calls.reduce((all, { usage }) => all + usage.calls, 0),
  ),
  tokens: add(
    state['tokens'],
    calls.reduce((all, { usage }) => all + usage.tokensIn + usage.tokensOut, 0),
  ),
})

/** Names a try of a search. A search that begins before the plan has the number 0. */
const tryName = (event: { try: number }): string => (event.try === 0 ? 'search before the plan' : `try ${event.try}`)

const changedBy = (state: RunState, event: Event): RunState => {
  switch (event.type) {
    case 'asked':
      return { status: 'queued', policy: event.policy }
    case 'routed':
      return { status: 'running', route: event.to, collections: event.collections.join(', ') || 'none' }
    case 'planned':
      return { steps: `${event.steps.length}` }
    case 'step-opened':
      return { status: 'running', [`step ${event.step}`]: `${tryName(event)}, in the ${event.source}` }
    case 'researched':
      return { [`step ${event.step}`]: `${tryName(event)}: ${event.found} found in the ${event.source}` }
    case 'evidence-graded':
      return { [`step ${event.step}`]: `try ${event.try}: ${event.relevant} of ${event.grades.length} relevant` }
    case 'writing':
      return { draft: `${event.draft} is being written` }
    case 'drafted':
      return { draft: `${event.draft} is written, ${event.citations.length} cited` }
    case 'checking':
      return { draft: `${event.draft} is being checked` }
    case 'checked':
      return { 'shown text': `${event.from + event.text.length} characters` }
    case 'doubted':
    case 'corrected':
    case 'withdrawn':
      return { 'shown text': event.type }
    case 'answer-graded': {
      const stand = event.claims.filter(({ verdict }) => verdict === 'supported').length
      return { draft: `${event.draft}: ${stand} of ${event.claims.length} claims pass`, score: event.score.toFixed(2) }
    }
    case 'counter-spent':
      return { [event.counter]: `${event.left} left` }
    case 'parked':
      return { status: `held for the ${event.decider}`, reason: event.reason }
    case 'escalated':
      return { 'decision due': new Date(event.dueAt).toISOString() }
    case 'approved':
      return { approval: `${event.action} by ${event.by}, another approval is needed` }
    case 'decided':
      return { decision: `${event.action} by ${event.by}` }
    case 'called':
      return addedCalls(state, event)
    case 'abandoned':
      return { abandoned: event.task ?? 'a task' }
    case 'ended':
      return { status: event.status, reason: event.reason }
    case 'refused':
    case 'refused-by-model':
    case 'queried':
    case 'noted':
    case 'review-noted':
    case 'draft':
    case 'gap':
      return {}
  }
}

export type Change = { name: string; before: string | undefined; after: string }

export const changesOf = (events: Event[]): Change[][] => {
  let state: RunState = {}
  return events.map((event) => {
    const set = Object.entries(changedBy(state, event))
    const changes = set
      .filter(([name, after]) => state[name] !== after)
      .map(([name, after]) => ({ name, before: state[name], after }))
    state = { ...state, ...Object.fromEntries(set) }
    return changes
  })
}
