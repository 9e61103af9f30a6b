import { cleanName, type StreamEvent, tracer as tracing } from '@plumbline/contracts'
import { count, type Screen, truncated, wrap } from './text'

const column = 11
type Of<T extends StreamEvent['type']> = Extract<StreamEvent, { type: T }>

const routeTexts = {
  research: 'research in the documents',
  summarise: 'summarize a document',
  web: 'search the web',
  reply: 'answer directly',
  clarify: 'ask a clarifying question',
  decline: 'not a question for these documents',
  continue: 'continue with the passages of this thread',
} as const

const stepName = ({ step, try: attempt }: { step: number; try: number }): string =>
  attempt > 1 ? `step ${step}.${attempt}` : `step ${step}`

const titles = (passages: { title: string }[]): string =>
  [...new Set(passages.map(({ title }) => cleanName(title)))].join(', ')

const waiting = /#(\d+)/g
const questionText = (question: string): string => cleanName(question).replace(waiting, '(answer $1)')

const eventFormatters = ({ paint, width }: Screen) => {
  const row = (label: string, text: string): string[] => {
    const [first = '', ...rest] = wrap(text, width - column - 2)
    return [`  ${paint.dim(label.padEnd(column))}${first}`, ...rest.map((line) => `  ${' '.repeat(column)}${line}`)]
  }
  const because = (why: string): string => (why === '' ? '' : paint.dim(` (${truncated(cleanName(why), 240)})`))
  const routed = ({ to, collections, logic, standalone }: Of<'routed'>): string[] => [
    ...row('route', `${routeTexts[to]}${collections.length > 0 ? `: ${collections.join(', ')}` : ''}${because(logic)}`),
    ...(standalone === undefined ? [] : row('', `understood as “${cleanName(standalone)}”`)),
  ]
  const planned = (event: Of<'planned'>): string[] =>
    event.steps.length < 2
      ? row('plan', `one step${because(event.logic)}`)
      : [
          ...row('plan', `${event.steps.length} steps${because(event.logic)}`),
          ...event.steps.flatMap(({ question, waitsFor }, at) =>
            row(
              '',
              `${at + 1}  ${questionText(question)}${waitsFor === null ? '' : paint.dim(`  (after ${waitsFor})`)}`,
            ),
          ),
        ]
  const searched = (event: Of<'queried'>, wasFilledIn: boolean): string[] => [
    ...(event.try > 1 || wasFilledIn ? row('', paint.dim(`searched for “${cleanName(event.queries[0] ?? '')}”`)) : []),
    ...(event.passages.length > 0 ? row('', paint.dim(`in ${titles(event.passages)}`)) : []),
  ]
  const graded = (event: Of<'answer-graded'>): string[] => {
    const claims = event.claims
    const stand = claims.filter(({ verdict }) => verdict === 'supported').length
    const verdict = `${stand} of ${count(claims.length, 'claim')} supported`
    const missing = event.parts.filter(({ outcome }) => outcome !== 'answered')
    return [
      ...row('verdict', stand === claims.length ? paint.good(verdict) : paint.warn(verdict)),
      ...missing.flatMap(({ what, outcome }) =>
        row('', `${outcome === 'missed' ? 'not answered' : 'not in the documents'}: ${cleanName(what)}`),
      ),
    ]
  }
  return { row, routed, planned, searched, graded }
}

export const eventNarrator = (screen: Screen): ((event: StreamEvent) => string[]) => {
  const { paint } = screen
  const { row, routed, planned, searched, graded } = eventFormatters(screen)
  const filledIn = new Set<number>()
  let hasParts = false
  let isEarly = false
  return (event) => {
    // Print nothing for an early search (try 0), because the regular search prints the same later.
    if ('try' in event && event.try === 0) {
      isEarly = true
      return []
    }
    switch (event.type) {
      case 'routed':
        isEarly = false
        return routed(event)
      case 'planned':
        return planned(event)
      case 'step-opened':
        if (event.question.search(waiting) >= 0) filledIn.add(event.step)
        return row(stepName(event), `${questionText(event.question)}${event.source === 'web' ? ' — on the web' : ''}`)
      case 'researched':
        return event.found === 0
          ? row(stepName(event), paint.warn('nothing found'))
          : row(stepName(event), count(event.found, 'passage'))
      case 'queried':
        return searched(event, filledIn.has(event.step))
      case 'evidence-graded':
        return row(stepName(event), `${event.relevant} of ${event.grades.length} relevant`)
      case 'writing':
        return isEarly ? [] : row('writing', `draft ${event.draft}`)
      case 'checking':
        return row('checking', hasParts ? 'the rest of the answer' : `draft ${event.draft} against its sources`)
      case 'checked':
        hasParts = true
        return []
      case 'doubted':
        return row('doubted', paint.bad('later evidence disagrees with the text above; a reviewer checks it'))
      case 'corrected':
        return row('corrected', paint.warn('a reviewer changed the text above'))
      case 'withdrawn':
        return row('withdrawn', paint.warn('a reviewer withdrew the text above'))
      case 'answer-graded':
        return graded(event)
      case 'parked':
        return row('parked', paint.warn(`held back (${event.reason})`))
      case 'noted':
        return row('note', paint.warn(event.note))
      case 'refused':
        return row('refused', event.reason)
      case 'abandoned':
        return row('abandoned', paint.bad(cleanName(event.reason)))
      case 'decided':
        return row('decided', `${event.action} by ${cleanName(event.by)}`)
      default:
        return []
    }
  }
}

export const tracer = ({ paint }: Pick<Screen, 'paint'>): ((event: StreamEvent) => string[]) => {
  const trace = tracing()
  return (event) =>
    trace(event).map(({ ms, what, text, tone }) => {
      const said = cleanName(text)
      return `${paint.dim(`${(ms / 1_000).toFixed(3).padStart(8)} s`)}  ${paint.accent(what.padEnd(8))} ${tone ? paint[tone](said) : said}`
    })
}
