import {
  type Answer,
  type Citation,
  clean,
  cleanName,
  ownTitle,
  type Reason,
  reasons,
  type RunView,
} from '@plumbline/contracts'
import { markdownLines } from './markdown'
import { continuationLines } from './parts'
import { nearestLines, quoteBlocks, rowBlocks, textWithoutQuotes } from './quotes'
import { count, type Screen, seconds, sourceTitle, wrap } from './text'

const endReason = ({ status, reason }: RunView): string =>
  reason !== undefined && reason in reasons
    ? reasons[reason as Reason]
    : `The run is ${status}${reason ? ` (${reason})` : ''}.`

/** Names the place of a citation, for example `report.pdf, page 7 · Water › Replenishment`. */
const sourceText = (citation: Citation): string => {
  const { file, page, title, headingPath } = citation
  const where = [file === undefined ? '' : cleanName(file), page === undefined ? '' : `page ${page}`]
    .filter((part) => part !== '')
    .join(', ')
  if (file === undefined) return [sourceTitle({ title, headingPath }), where].filter((part) => part !== '').join(', ')
  const said = sourceTitle({ title: headingPath.length === 0 ? ownTitle(citation) : '', headingPath })
  return said === '' ? where : `${where} · ${said}`
}

const source = (citation: Citation, { paint, width }: Screen): string[] => {
  const { n, date, url, fetchedAt, warnings = [] } = citation
  const [first = '', ...rest] = wrap(sourceText(citation), width - 8)
  const besides = [
    date ?? '',
    url === undefined ? '' : cleanName(url),
    fetchedAt === undefined ? '' : `read ${fetchedAt.slice(0, 10)}`,
  ]
    .filter((part) => part !== '')
    .join(', ')
  return [
    `  ${paint.accent(`[${n}]`)} ${first}${besides === '' ? '' : paint.dim(`  ${besides}`)}`,
    ...rest.map((line) => `      ${line}`),
    ...warnings.flatMap(({ words }) => wrap(words, width - 8).map((line) => `      ${paint.warn(line)}`)),
  ]
}

export const sourceLines = (citations: Citation[], screen: Screen): string[] =>
  citations.length === 0
    ? []
    : [
        '',
        screen.paint.bold('Sources'),
        ...[...citations].sort((a, b) => a.n - b.n).flatMap((citation) => source(citation, screen)),
      ]

const facts = (view: RunView): string => {
  const { answer } = view
  const claims = view.grounding?.claims ?? []
  const stand = claims.filter(({ verdict }) => verdict === 'supported').length
  return [
    claims.length > 0 ? `${stand} of ${count(claims.length, 'claim')} supported` : '',
    answer && view.reason !== 'answered.checked' ? (view.reason ?? '') : '',
    answer?.cached ? `cached: from run ${answer.cached.runId}` : '',
    view.degraded ? `without ${view.degraded.join(', ')}` : '',
    view.policy,
    view.skills ?? '',
    view.usage.calls > 0 ? `${count(view.usage.calls, 'model call')}, ${view.usage.cents.toFixed(2)} cents` : '',
    view.timings.totalMs === undefined ? '' : seconds(view.timings.totalMs),
    view.id,
  ]
    .filter((part) => part !== '')
    .join(' · ')
}

/** Returns the lines of the answer text. If its beginning is already printed, returns only the rest. */
const wordsOf = (answer: Answer, screen: Screen, shown: string): string[] => {
  const words = textWithoutQuotes(answer)
  if (shown !== '' && words.startsWith(shown)) return continuationLines(shown, words.slice(shown.length), screen)
  const lines = markdownLines({ text: words, marks: [] }, screen)
  return shown === ''
    ? lines
    : [...wrap(screen.paint.warn('A reviewer changed the text above. The answer is now:'), screen.width), '', ...lines]
}

/** Returns the lines of an answer. The caveat comes first, or below the text if a part of it is already printed. */
const answerLines = (answer: Answer, screen: Screen, shown: string): string[] => {
  const { caveat, citations, quotes = [], kind, question } = answer
  const { paint, width } = screen
  const warning = caveat ? wrap(paint.warn(clean(caveat)), width) : []
  const words = wordsOf(answer, screen, shown)
  const asks = question ? ['', ...wrap(paint.bold(clean(question)), width)] : []
  return [
    ...(shown !== '' || warning.length === 0 ? [] : [...warning, '']),
    ...words,
    ...(shown === '' || warning.length === 0 ? [] : ['', ...warning]),
    ...asks,
    ...(kind === 'quoted'
      ? quoteBlocks(quotes, screen)
      : [...sourceLines(citations, screen), ...rowBlocks(quotes, screen)]),
  ]
}

const queryLines = ({ queries = [] }: RunView, { paint, width }: Screen): string[] =>
  queries.length === 0
    ? []
    : ['', ...wrap(paint.dim(`Searched for ${queries.map((query) => `“${cleanName(query)}”`).join(', ')}`), width)]

export const partState = ({ partial }: Pick<RunView, 'partial'>): string => {
  if (partial?.state === 'withdrawn') return 'A reviewer withdrew the text above.'
  return partial?.state === 'doubted'
    ? 'Later evidence disagrees with the text above.'
    : 'The text above is checked, but incomplete.'
}

/** Returns the lines for a run that has ended. `shown` is the checked part of the answer that is already printed. */
export const runLines = (view: RunView, screen: Screen, { trace = false, shown = '' } = {}): string[] => {
  const { paint, width } = screen
  const { answer, status, nearest = [] } = view
  const without = (): string[] =>
    wrap(shown === '' ? endReason(view) : `${partState(view)} ${endReason(view)}`, width).map(paint.warn)
  const isContinued = answer !== undefined && shown !== '' && textWithoutQuotes(answer).startsWith(shown)
  return [
    ...(isContinued ? [] : ['']),
    ...(answer ? answerLines(answer, screen, shown) : without()),
    ...nearestLines(nearest, screen),
    ...(trace || status === 'unanswered' ? queryLines(view, screen) : []),
    '',
    ...wrap(facts(view), width).map(paint.dim),
  ]
}
