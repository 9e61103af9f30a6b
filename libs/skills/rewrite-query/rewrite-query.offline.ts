import type { Strategy } from '@plumbline/contracts'
import { coverage, fold, stem, words } from '@plumbline/knowledge/text'
import { clauses } from '../plan/clauses'
import { focus, keywords } from '../wording/keywords'
import { nearCopy } from '../wording/near-copy'
import { synonyms } from '../wording/synonyms'
import { isAuxiliary, maybeNoun, verbForms } from '../wording/verbs'
import type { RewriteQuery } from './rewrite-query'

type Input = Parameters<RewriteQuery>[0]
type Candidate = { query: string; strategy: Strategy }
type Parts = { fixed: string[]; things: string[]; asked: string[]; named: string[] }

const facets = [
  'overview',
  'details',
  'definition',
  'table',
  'list',
  'summary',
  'results',
  'history',
  'examples',
  'background',
  'comparison',
  'requirements',
  'method',
  'figures',
  'report',
  'introduction',
  'glossary',
  'appendix',
  'notes',
  'statistics',
]
/** Words with which a grader says that something failed, and nothing of what is sought. */
const ofGrading = new Set(
  'usefulness useful step answer try tried passage pass need relevant irrelevant few enough found nothing support take together ambiguous incorrect correct evidence result query search miss missing poor low medium high grade fail'
    .split(' ')
    .map(stem),
)

const keyOf = (word: string): string => stem(fold(word))
const unique = (all: string[]): string[] => [...new Map(all.map((word) => [keyOf(word), word])).values()]
const isVerb = (word: string): boolean =>
  isAuxiliary(fold(word)) || (verbForms(fold(word)).size > 0 && !maybeNoun(fold(word)))

/** The words of a reason that are neither the grader's own nor the question's: what somebody says is missing. */
const namedAsMissing = ({ question, reason }: Input): string[] => {
  if (/^not supported:/i.test(reason)) return []
  const own = new Set(words(question))
  return keywords(reason).filter(
    (word) => !own.has(keyOf(word)) && !ofGrading.has(keyOf(word)) && !/^\d{1,2}$/.test(word),
  )
}

const partsOf = (input: Input): Parts => {
  const { fixed, asked } = focus(input.question)
  const things = asked.filter((word) => !isVerb(word))
  return { fixed, asked, things: things.length > 0 ? things : asked, named: namedAsMissing(input) }
}

const common = ({ question, failedPassages }: Input): string[] => {
  const own = new Set(words(question))
  const counts = new Map<string, number>()
  for (const word of failedPassages.flatMap((passage) => keywords(passage)))
    if (!own.has(keyOf(word)) && !/\d/.test(word) && word.length > 3 && !isVerb(word))
      counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([word]) => word)
}

const byStrategy: Record<Strategy, (input: Input, parts: Parts) => string[][]> = {
  'expand-terms': (_input, { fixed, asked, things }) => [
    [...fixed, ...asked, ...things.flatMap((word) => synonyms(word).slice(0, 2))],
    [...fixed, ...things.map((word) => synonyms(word)[0] ?? word)],
    [...fixed, ...things.map((word) => synonyms(word)[1] ?? synonyms(word)[0] ?? word)],
  ],
  'narrow-focus': (_input, { fixed, things }) => [
    [...fixed, ...things.slice(-1)],
    [...fixed.slice(0, 1), ...things.slice(0, 2)],
    things.slice(-2),
  ],
  'rephrase-intent': (_input, { fixed, things }) => [
    ['overview', ...things, ...fixed.slice(0, 1)],
    ['types', 'definition', ...things.slice(0, 3)],
    [...fixed.slice(0, 2), ...things.slice(0, 1), 'table', 'summary'],
  ],
  decompose: ({ question }) => {
    const parts = clauses(question)
    return parts.length > 1 ? parts.map((part) => keywords(part)) : []
  },
  'add-context': (input, { fixed, things, named }) => {
    const near = common(input)
    const missing =
      named.length > 0
        ? [
            [...named.slice(0, 6), ...things.slice(0, 2)],
            [...fixed, ...things.slice(0, 1), ...named.slice(0, 3)],
          ]
        : []
    return [
      ...missing,
      ...(near.length === 0 ? [] : [0, 2, 4].map((from) => [...things, ...fixed, ...near.slice(from, from + 2)])),
    ]
  },
}

const why: Record<Strategy, string> = {
  'expand-terms': 'other words for what is asked',
  'narrow-focus': 'only the names, the years and the main word',
  'rephrase-intent': 'the subject as a heading would put it',
  decompose: 'one part of the question alone',
  'add-context': 'with words of what is missing, or of passages that came close',
}

/** What to try first follows from what came back: nothing, something off the subject, something close, or a word on what is missing. */
const order = (
  { question, failedPassages, reason }: Input,
  { named }: Parts,
): { because: string; strategies: Strategy[] } => {
  if (named.length > 0 && failedPassages.length === 0)
    return {
      because: 'What is missing was named',
      strategies: ['add-context', 'expand-terms', 'decompose', 'narrow-focus', 'rephrase-intent'],
    }
  if (failedPassages.length === 0) {
    const because = /^not (?:answered|supported)/i.test(reason)
      ? 'What was found does not answer it'
      : 'Nothing was found'
    return { because, strategies: ['expand-terms', 'rephrase-intent', 'narrow-focus', 'decompose', 'add-context'] }
  }
  const close = Math.max(...failedPassages.map((passage) => coverage(words(question), words(passage))))
  if (close < 0.34)
    return {
      because: 'What was found is about something else',
      strategies: ['narrow-focus', 'expand-terms', 'rephrase-intent', 'decompose', 'add-context'],
    }
  return {
    because: 'What was found covers only a part',
    strategies: ['decompose', 'add-context', 'expand-terms', 'rephrase-intent', 'narrow-focus'],
  }
}

/** Never runs dry: a few words of the question beside ever other words of reference texts. */
function* remaining(question: string): Generator<Candidate> {
  const core = keywords(question).slice(0, 3)
  const strategy = 'rephrase-intent'
  for (const facet of facets) yield { strategy, query: [...core, facet].join(' ') }
  for (const [index, facet] of facets.entries())
    for (const other of facets.slice(index + 1))
      yield { strategy, query: [...core.slice(0, 2), facet, other].join(' ') }
  for (let number = 1; ; number += 1)
    yield { strategy, query: [...core.slice(0, 1), 'section', `${number}`, 'part', `${number + 1}`].join(' ') }
}

/** One query of each strategy before a second of any. */
function* candidates(input: Input, parts: Parts, strategies: Strategy[]): Generator<Candidate> {
  const all = strategies.map((strategy) => ({
    strategy,
    queries: byStrategy[strategy](input, parts).map((query) => unique(query)),
  }))
  const least = Math.min(2, keywords(input.question).length)
  for (const turn of [0, 1, 2, 3])
    for (const { strategy, queries } of all) {
      const query = queries[turn]
      if (query && query.length >= least) yield { strategy, query: query.join(' ') }
    }
  yield* remaining(input.question)
}

export const offlineRewriteQuery: RewriteQuery = (input, { signal }) => {
  signal.throwIfAborted()
  const tried = [input.question, ...input.triedQueries]
  const parts = partsOf(input)
  const { because, strategies } = order(input, parts)
  for (const { query, strategy } of candidates(input, parts, strategies))
    if (query !== '' && !tried.some((earlier) => nearCopy(query, earlier)))
      return Promise.resolve({ query, strategy, reason: `${because}: ${why[strategy]}.` })
  throw new Error('unreachable: the candidates never end')
}
