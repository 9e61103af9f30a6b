import type { Scores, StreamEvent } from '@plumbline/contracts'
import type { Screen } from './paint'
import { cut, oneLine } from './text'

type Of<T extends StreamEvent['type']> = Extract<StreamEvent, { type: T }>
type Line = { what: string; text: string; tone?: 'good' | 'bad' | 'warn' }

const quoted = (texts: string[]): string => texts.map((text) => `"${oneLine(text)}"`).join(' · ')
const scores = (of: Scores): string =>
  Object.entries(of).filter(([, score]) => score !== undefined).map(([name, score]) => `${name} ${score.toFixed(3)}`).join(', ')
const at = ({ step, try: attempt }: { step: number; try: number }): string => `step ${step}.${attempt}`
const tail = (text: string | undefined): string => (text === undefined || text === '' ? '' : ` — ${oneLine(text)}`)

const ofSearch = (event: Of<'queried'>): Line[] => [
  {
    what: 'search',
    text: `${at(event)} ${event.strategy ? `[${event.strategy}] ` : ''}${quoted(event.queries)}${tail(event.reason)}${event.degraded?.length ? ` (without ${event.degraded.join(', ')})` : ''}`,
  },
  ...event.passages.map(({ id, title, scores: given }): Line => ({ what: 'passage', text: `${at(event)} ${id} ${oneLine(title)} (${scores(given)})` })),
]

const ofAnswer = (event: Of<'answer-graded'>): Line[] => [
  ...event.claims.map(({ text, kind, verdict, reason, passageId }): Line => ({
    what: 'claim',
    tone: verdict === 'supported' ? 'good' : kind === 'style' ? undefined : 'bad',
    text: `draft ${event.draft} ${verdict} ${kind} "${oneLine(text)}"${tail(reason)}${passageId === null ? '' : ` [${passageId}]`}`,
  })),
  ...event.parts.map(({ what, outcome }): Line => ({ what: 'part', tone: outcome === 'missed' ? 'warn' : undefined, text: `draft ${event.draft} ${outcome}: ${oneLine(what)}` })),
  {
    what: 'check',
    text: `draft ${event.draft} score ${event.score.toFixed(2)}, support ${event.support}, usefulness ${event.usefulness} of 5, confidence ${event.confidence.toFixed(2)}${event.tooBroad ? ', too broad' : ''}${event.degraded ? ', by the offline check' : ''}`,
  },
]

const lines = (event: StreamEvent, titleOf: (id: string) => string): Line[] => {
  switch (event.type) {
    case 'asked':
      return [{ what: 'ask', text: `"${oneLine(event.question)}" under ${event.policy}` }]
    case 'refused':
      return [{ what: 'refused', tone: 'bad', text: event.reason }]
    case 'routed':
      return [{ what: 'route', text: `${event.to}${event.collections.length > 0 ? ` in ${event.collections.join(', ')}` : ''}${tail(event.logic)}` }]
    case 'planned':
      return [{ what: 'plan', text: `${event.steps.map(({ question, waitsFor }, n) => `${n + 1}. ${oneLine(question)}${waitsFor === null ? '' : ` (after ${waitsFor})`}`).join('  ')}${tail(event.logic)}` }]
    case 'step-opened':
      return [{ what: 'step', text: `${at(event)} opens in the ${event.source}: "${oneLine(event.question)}"` }]
    case 'researched':
      return event.found === 0 ? [{ what: 'found', tone: 'warn', text: `${at(event)} nothing in the ${event.source}` }] : [{ what: 'found', text: `${at(event)} ${event.found} in the ${event.source}` }]
    case 'queried':
      return ofSearch(event)
    case 'evidence-graded':
      return [
        ...event.grades.map(({ passageId, relevant, level, confidence, reason }): Line => ({
          what: 'grade',
          tone: relevant ? 'good' : undefined,
          text: `${at(event)} ${relevant ? 'relevant' : 'irrelevant'} ${level} ${confidence.toFixed(2)} ${titleOf(passageId)}${tail(reason)}`,
        })),
        { what: 'graded', text: `${at(event)} ${event.overall}: ${event.relevant} of ${event.grades.length} relevant` },
      ]
    case 'writing':
      return [{ what: 'write', text: `draft ${event.draft}` }]
    case 'drafted':
      return [{ what: 'draft', text: `draft ${event.draft} "${cut(oneLine(event.text), 400)}"` }]
    case 'checking':
      return []
    case 'answer-graded':
      return ofAnswer(event)
    case 'counter-spent':
      return [{ what: 'counter', tone: 'warn', text: `${event.counter}: ${oneLine(event.why)} (${event.left} left)` }]
    case 'parked':
      return [{ what: 'park', tone: 'warn', text: `${event.reason}; the ${event.decider} decides` }]
    case 'decided':
      return [{ what: 'decide', text: `${event.action} by ${oneLine(event.by)}${tail(event.guidance)}${tail(event.note)}` }]
    case 'called':
      return event.calls.map(({ skill, model, prompt, usage, insteadBy }): Line => ({
        what: 'model',
        tone: insteadBy ? 'warn' : undefined,
        text: `${skill}${prompt ? ` (${prompt})` : ''} by ${model}${insteadBy ? `, ${insteadBy} instead` : ''}: ${usage.calls} ${usage.calls === 1 ? 'call' : 'calls'}, ${usage.tokensIn} + ${usage.tokensOut} tokens, ${usage.cents.toFixed(3)} cents`,
      }))
    case 'noted':
      return [{ what: 'note', tone: 'warn', text: event.note }]
    case 'refused-by-model':
      return [{ what: 'refused', tone: 'bad', text: `${event.task ?? 'task'}: ${oneLine(event.reason)}` }]
    case 'abandoned':
      return [{ what: 'abandon', tone: 'bad', text: `${event.task ?? 'task'}: ${oneLine(event.reason)}` }]
    case 'ended':
      return [{ what: 'end', text: `${event.status} (${event.reason})` }]
    case 'draft':
      return []
  }
}

/** One readable line per decision, for the desk: when, what, and why. */
export const tracer = ({ paint }: Pick<Screen, 'paint'>): ((event: StreamEvent) => string[]) => {
  const titles = new Map<string, string>()
  let since: number | undefined
  return (event) => {
    if (event.type === 'queried') for (const { id, title } of event.passages) titles.set(id, oneLine(title))
    const ms = 'at' in event ? event.at - (since ??= event.at) : 0
    const shown = lines(event, (id) => `${id} ${titles.get(id) ?? ''}`.trimEnd())
    return shown.map(({ what, text, tone }) => `${paint.dim(`${(ms / 1_000).toFixed(3).padStart(8)} s`)}  ${paint.accent(what.padEnd(8))} ${tone ? paint[tone](text) : text}`)
  }
}
