import type { Strategy } from '@plumbline/contracts'
import { coverage, fold, stem, words } from '@plumbline/knowledge/text'
import { clauses } from '../plan/clauses'
import { focus, keywords } from '../wording/keywords'
import { nearCopy } from '../wording/near-copy'
import { synonyms } from '../wording/synonyms'
import type { RewriteQuery } from './rewrite-query'

type Input = Parameters<RewriteQuery>[0]
type Candidate = { query: string; strategy: Strategy }

const facets = [
  'overview', 'details', 'definition', 'table', 'list', 'summary', 'results', 'history', 'examples', 'background', 'comparison',
  'requirements', 'method', 'figures', 'report', 'introduction', 'glossary', 'appendix', 'notes', 'statistics',
]

const unique = (all: string[]): string[] => [...new Map(all.map((word) => [stem(fold(word)), word])).values()]

const byStrategy: Record<Strategy, (input: Input) => string[]> = {
  'expand-terms': ({ question }) => {
    const { fixed, asked } = focus(question)
    return [
      [...fixed, ...asked, ...asked.flatMap((word) => synonyms(word).slice(0, 2))],
      [...fixed, ...asked.map((word) => synonyms(word)[0] ?? word)],
      [...fixed, ...asked.map((word) => synonyms(word)[1] ?? synonyms(word)[0] ?? word)],
    ].map((all) => unique(all).join(' '))
  },
  'narrow-focus': ({ question }) => {
    const { fixed, asked } = focus(question)
    return [[...fixed, ...asked.slice(-1)], [...fixed.slice(0, 1), ...asked.slice(0, 2)], fixed].map((all) => all.join(' '))
  },
  'rephrase-intent': ({ question }) => {
    const { fixed, asked } = focus(question)
    return [['overview', 'of', ...asked], [...asked.slice(0, 3), 'definition'], [...fixed.slice(0, 2), 'summary']].map((all) => all.join(' '))
  },
  decompose: ({ question }) => {
    const parts = clauses(question)
    return parts.length > 1 ? parts.map((part) => keywords(part).join(' ')) : []
  },
  'add-context': ({ question, failedPassages }) => {
    const own = new Set(words(question))
    const { fixed, asked } = focus(question)
    const counts = new Map<string, number>()
    for (const word of failedPassages.flatMap((passage) => keywords(passage)))
      if (!own.has(stem(fold(word))) && !/\d/.test(word) && word.length > 3) counts.set(word, (counts.get(word) ?? 0) + 1)
    const common = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([word]) => word)
    return common.length === 0 ? [] : [0, 2, 4].map((from) => [...asked, ...fixed, ...common.slice(from, from + 2)].join(' '))
  },
}

const why: Record<Strategy, string> = {
  'expand-terms': 'other words for what is asked',
  'narrow-focus': 'only the names, the years and the main word',
  'rephrase-intent': 'the subject as a heading would put it',
  decompose: 'one part of the question alone',
  'add-context': 'with words of the passages that came close',
}

/** What to try first follows from what came back: nothing, something off the subject, or something that came close. */
const order = ({ question, failedPassages }: Input): { because: string; strategies: Strategy[] } => {
  if (failedPassages.length === 0)
    return { because: 'Nothing was found', strategies: ['expand-terms', 'rephrase-intent', 'narrow-focus', 'decompose', 'add-context'] }
  const close = Math.max(...failedPassages.map((passage) => coverage(words(question), words(passage))))
  if (close < 0.34)
    return { because: 'What was found is about something else', strategies: ['narrow-focus', 'expand-terms', 'rephrase-intent', 'decompose', 'add-context'] }
  return { because: 'What was found covers only a part', strategies: ['decompose', 'add-context', 'expand-terms', 'rephrase-intent', 'narrow-focus'] }
}

/** Never runs dry: a few words of the question beside ever other words of reference texts. */
function* remaining(question: string): Generator<Candidate> {
  const core = keywords(question).slice(0, 3)
  const strategy = 'rephrase-intent'
  for (const facet of facets) yield { strategy, query: [...core, facet].join(' ') }
  for (const [index, facet] of facets.entries())
    for (const other of facets.slice(index + 1)) yield { strategy, query: [...core.slice(0, 2), facet, other].join(' ') }
  for (let number = 1; ; number += 1) yield { strategy, query: [...core.slice(0, 1), 'section', `${number}`, 'part', `${number + 1}`].join(' ') }
}

function* candidates(input: Input, strategies: Strategy[]): Generator<Candidate> {
  for (const strategy of strategies) for (const query of byStrategy[strategy](input)) yield { strategy, query }
  yield* remaining(input.question)
}

export const offlineRewriteQuery: RewriteQuery = (input, { signal }) => {
  signal.throwIfAborted()
  const tried = [input.question, ...input.triedQueries]
  const { because, strategies } = order(input)
  for (const { query, strategy } of candidates(input, strategies))
    if (query !== '' && !tried.some((earlier) => nearCopy(query, earlier)))
      return Promise.resolve({ query, strategy, reason: `${because}: ${why[strategy]}.` })
  throw new Error('unreachable: the candidates never end')
}
