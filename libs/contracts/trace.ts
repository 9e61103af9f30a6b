import type { Working } from './claim'
import type { LedgerEvent, StreamEvent } from './ledger'
import type { Grade, Scores } from './passage'
import { cleanName } from './text'

type Traced = LedgerEvent | StreamEvent
type Of<T extends Traced['type']> = Extract<Traced, { type: T }>
export type TraceLine = { what: string; text: string; tone?: 'good' | 'bad' | 'warn' }

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`
const quoted = (texts: string[]): string => texts.map((text) => `"${cleanName(text)}"`).join(' · ')
const scores = (of: Scores): string =>
  Object.entries(of)
    .filter(([, score]) => score !== undefined)
    .map(([name, score]) => `${name} ${score.toFixed(3)}`)
    .join(', ')
const at = ({ step, try: attempt }: { step: number; try: number }): string => `step ${step}.${attempt}`
const tail = (text: string | undefined): string => (text === undefined || text === '' ? '' : ` — ${cleanName(text)}`)

const gradeText = ({ relevant, level, confidence, date, outdated, authority, sensitive }: Grade): string =>
  [
    relevant ? 'relevant' : 'irrelevant',
    level,
    confidence.toFixed(2),
    ...(date ? [`of ${date}`] : []),
    ...(outdated ? ['outdated'] : []),
    ...(authority ? [`${authority} authority`] : []),
    ...(sensitive ? ['sensitive'] : []),
  ].join(' ')

const workingText = ({ what, formula, inputs, result, unit }: Working): string =>
  `${cleanName(what)}: ${formula} with ${inputs.map(({ name, value, unit: of }) => `${name} = ${value}${of ? ` ${of}` : ''}`).join(', ')} gives ${result}${unit ? ` ${unit}` : ''}`

const ofDraft = (event: Of<'drafted'>, titleOf: (id: string) => string): TraceLine[] => [
  ...(event.workings ?? []).map((working): TraceLine => ({
    what: 'compute',
    text: `draft ${event.draft} ${workingText(working)}`,
  })),
  ...(event.text === '' ? [] : [{ what: 'draft', text: `draft ${event.draft} "${cut(cleanName(event.text), 400)}"` }]),
  ...(event.quotes ?? []).map(({ n, passageId, text }): TraceLine => ({
    what: 'quote',
    text: `draft ${event.draft} [${n}] ${titleOf(passageId)} "${cut(cleanName(text), 200)}"`,
  })),
]

const ofSearch = (event: Of<'queried'>): TraceLine[] => [
  {
    what: 'search',
    text: `${at(event)} ${event.strategy ? `[${event.strategy}] ` : ''}${quoted(event.queries)}${tail(event.reason)}${event.degraded?.length ? ` (without ${event.degraded.join(', ')})` : ''}${event.cached ? ` (${event.cached} from the cache)` : ''}`,
  },
  ...event.passages.map(({ id, title, scores: given }): TraceLine => ({
    what: 'passage',
    text: `${at(event)} ${id} ${cleanName(title)} (${scores(given)})`,
  })),
]

const ofAnswer = (event: Of<'answer-graded'>): TraceLine[] => [
  ...event.claims.map(({ text, kind, verdict, reason, passageId }): TraceLine => ({
    what: 'claim',
    tone: verdict === 'supported' ? 'good' : 'bad',
    text: `draft ${event.draft} ${verdict} ${kind} "${cleanName(text)}"${tail(reason)}${passageId === null ? '' : ` [${passageId}]`}`,
  })),
  ...event.parts.map(({ what, outcome, why }): TraceLine => ({
    what: 'part',
    tone: outcome === 'missed' ? 'warn' : undefined,
    text: `draft ${event.draft} ${outcome}: ${cleanName(what)}${tail(why)}`,
  })),
  {
    what: 'check',
    text: `draft ${event.draft} score ${event.score.toFixed(2)}, support ${event.support}, usefulness ${event.usefulness === undefined ? 'not rated' : `${event.usefulness} of 5`}, confidence ${event.confidence.toFixed(2)}${event.tooBroad ? ', too broad' : ''}${event.degraded ? ', by the offline check' : ''}${tail([event.why, event.broadWhy].filter(Boolean).join(' '))}`,
  },
]

const ofPlan = ({ steps, logic }: Of<'planned'>): TraceLine[] => {
  const listed = steps.map(
    ({ question, waitsFor }, n) => `${n + 1}. ${cleanName(question)}${waitsFor === null ? '' : ` (after ${waitsFor})`}`,
  )
  return [{ what: 'plan', text: `${listed.join('  ')}${tail(logic)}` }]
}

const ofGrades = (event: Of<'evidence-graded'>, titleOf: (id: string) => string): TraceLine[] => [
  ...event.grades.map(({ passageId, ...grade }): TraceLine => ({
    what: 'grade',
    tone: grade.relevant ? 'good' : undefined,
    text: `${at(event)} ${gradeText(grade)} ${titleOf(passageId)}${tail(grade.reason)}`,
  })),
  { what: 'graded', text: `${at(event)} ${event.overall}: ${event.relevant} of ${event.grades.length} relevant` },
]

const ofCalls = ({ calls }: Of<'called'>): TraceLine[] =>
  calls.map(({ skill, model, prompt, usage, insteadBy }): TraceLine => ({
    what: 'model',
    tone: insteadBy ? 'warn' : undefined,
    text: `${skill}${prompt ? ` (${prompt})` : ''} by ${model}${insteadBy ? `, ${insteadBy} instead` : ''}: ${usage.calls} ${usage.calls === 1 ? 'call' : 'calls'}, ${usage.tokensIn} + ${usage.tokensOut} tokens, ${usage.cents.toFixed(3)} cents`,
  }))

const ofReview = (event: Of<'parked' | 'escalated' | 'decided' | 'approved' | 'review-noted'>): TraceLine => {
  switch (event.type) {
    case 'parked':
      return { what: 'park', tone: 'warn', text: `${event.reason}; decided by the ${event.decider}` }
    case 'escalated':
      return { what: 'escalate', tone: 'warn', text: 'nobody decided in time; the draft waits a second time' }
    case 'decided': {
      const said = `${tail(event.guidance)}${tail(event.note)}`
      return { what: 'decide', text: `${event.action} by ${cleanName(event.by)}${said}` }
    }
    case 'approved':
      return {
        what: 'approve',
        text: `${event.action} by ${cleanName(event.by)}; first of two approvals${tail(event.note)}`,
      }
    case 'review-noted':
      return { what: 'note', text: `${cleanName(event.by)}: ${cleanName(event.text)}` }
  }
}

const ofRoute = ({ to, collections, logic, standalone }: Of<'routed'>): TraceLine[] => [
  { what: 'route', text: `${to}${collections.length > 0 ? ` in ${collections.join(', ')}` : ''}${tail(logic)}` },
  ...(standalone === undefined ? [] : [{ what: 'route', text: `understood as "${cleanName(standalone)}"` }]),
]

const ofShown = (event: Of<'checked' | 'doubted' | 'corrected' | 'withdrawn'>): TraceLine => {
  switch (event.type) {
    case 'checked':
      return { what: 'show', text: `draft ${event.draft} from ${event.from}: "${cut(cleanName(event.text), 400)}"` }
    case 'doubted':
      return { what: 'doubt', tone: 'bad', text: 'later evidence disagrees with the text that was shown' }
    case 'corrected':
      return { what: 'correct', tone: 'warn', text: 'a reviewer replaced the text that was shown' }
    case 'withdrawn':
      return { what: 'withdraw', tone: 'warn', text: 'a reviewer rejected the text that was shown' }
  }
}

const linesOf = (event: Traced, titleOf: (id: string) => string): TraceLine[] => {
  switch (event.type) {
    case 'asked':
      return [{ what: 'ask', text: `"${cleanName(event.question)}" under ${event.policy}` }]
    case 'refused':
      return [{ what: 'refused', tone: 'bad', text: event.reason }]
    case 'routed':
      return ofRoute(event)
    case 'planned':
      return ofPlan(event)
    case 'step-opened':
      return [{ what: 'step', text: `${at(event)} starts in the ${event.source}: "${cleanName(event.question)}"` }]
    case 'researched':
      return event.found === 0
        ? [{ what: 'found', tone: 'warn', text: `${at(event)} found nothing in the ${event.source}` }]
        : [{ what: 'found', text: `${at(event)} found ${event.found} in the ${event.source}` }]
    case 'queried':
      return ofSearch(event)
    case 'evidence-graded':
      return ofGrades(event, titleOf)
    case 'writing':
      return [{ what: 'write', text: `draft ${event.draft}` }]
    case 'drafted':
      return ofDraft(event, titleOf)
    case 'checking':
      return []
    case 'checked':
    case 'doubted':
    case 'corrected':
    case 'withdrawn':
      return [ofShown(event)]
    case 'answer-graded':
      return ofAnswer(event)
    case 'counter-spent':
      return [{ what: 'counter', tone: 'warn', text: `${event.counter}: ${cleanName(event.why)} (${event.left} left)` }]
    case 'parked':
    case 'escalated':
    case 'decided':
    case 'approved':
    case 'review-noted':
      return [ofReview(event)]
    case 'called':
      return ofCalls(event)
    case 'noted':
      return [{ what: 'note', tone: 'warn', text: event.note }]
    case 'refused-by-model':
      return [{ what: 'refused', tone: 'bad', text: `${event.task ?? 'task'}: ${cleanName(event.reason)}` }]
    case 'abandoned':
      return [{ what: 'abandon', tone: 'bad', text: `${event.task ?? 'task'}: ${cleanName(event.reason)}` }]
    case 'ended':
      return [{ what: 'end', text: `${event.status} (${event.reason})` }]
    case 'draft':
    case 'gap':
      return []
  }
}

export const tracer = (): ((event: Traced) => (TraceLine & { ms: number })[]) => {
  const titles = new Map<string, string>()
  let since: number | undefined
  return (event) => {
    if (event.type === 'queried') for (const { id, title } of event.passages) titles.set(id, cleanName(title))
    const ms = 'at' in event ? event.at - (since ??= event.at) : 0
    return linesOf(event, (id) => `${id} ${titles.get(id) ?? ''}`.trimEnd()).map((line) => ({ ...line, ms }))
  }
}

export const traceOf = (events: Traced[]): string[] => {
  const trace = tracer()
  return events.flatMap(trace).map(({ ms, what, text }) => `${(ms / 1_000).toFixed(3)} s ${what}: ${text}`)
}
