import type { CitedPassage, Evidence, QuotedPlace } from '@plumbline/contracts'
import type { CellAnswer } from '@plumbline/knowledge/cells/cell-sentences'
import { exactCells } from '@plumbline/knowledge/cells/exact-cells'
import { type ClosestQuote, closestQuotes } from '@plumbline/knowledge/quotes/closest-quotes'
import { stopWords, terms, termSpans } from '@plumbline/knowledge/text'
import type { Embedder } from '@plumbline/ports/search-models'
import type { Answer, Distant, Drafted, ShortAnswer } from '../skill/skill'
import { areDistant, closenessTo } from './closeness'

type Input = Parameters<Answer>[0]
/** Later quotes are shorter than the first, because they contain the answer less often (see ADR 053). */
const limits = { most: 4, later: { maxChars: 350, share: 0.5 } }

type QuoteInput = { question: string; evidence: Evidence[]; followUp?: string | undefined }

const quoteInputs = ({ question, steps, evidence, followUp }: Input): QuoteInput[] =>
  steps.length < 2
    ? [{ question, evidence, followUp }]
    : steps.map((step) => ({
        question: step.question,
        evidence: evidence.filter(({ id }) => step.passageIds.includes(id)),
        followUp,
      }))

/** Returns the words of the question that no quote contains, but only if they are more than half of its words. */
const missingWords = (question: string, places: readonly ClosestQuote[], evidence: readonly Evidence[]): string[] => {
  const around = places.flatMap(({ passageId, text }) => {
    const passage = evidence.find(({ id }) => id === passageId)
    return [text, passage?.title ?? '', ...(passage?.headingPath ?? [])]
  })
  const held = new Set(terms(around.join('\n')))
  const asked = termSpans(question).filter(({ token }) => !stopWords.has(token))
  const missing = asked.filter((word) => !word.asked.some((term) => held.has(term)))
  return missing.length * 2 > asked.length ? [...new Set(missing.map(({ raw }) => raw))] : []
}

/** Alternates between the lists, so that each part of the question gets a quote. */
const inTurn = <Item>(lists: Item[][]): Item[] =>
  Array.from({ length: Math.max(0, ...lists.map((list) => list.length)) }, (_, at) =>
    lists.flatMap((list) => list.slice(at, at + 1)),
  ).flat()

const numbered = (places: ClosestQuote[]): QuotedPlace[] => {
  const ids = [...new Set(places.map(({ passageId }) => passageId))]
  return places.map((place) => ({ n: ids.indexOf(place.passageId) + 1, ...place }))
}

const isNew = ({ passageId, text }: ClosestQuote, at: number, all: ClosestQuote[]): boolean =>
  all.findIndex((other) => other.passageId === passageId && other.text === text) === at

/** If null, quotes are chosen only by the words that they share with the question. */
type Meaning = Pick<Embedder, 'embed'> | null

const placesOf = async (
  { question, evidence, followUp }: QuoteInput,
  meaning: Meaning,
  signal: AbortSignal,
): Promise<ClosestQuote[] | null> => {
  const cells = exactCells(question, evidence)
  if (cells) return cells.flatMap(({ quote }) => quote.map((row): ClosestQuote => ({ ...row, marks: [] })))
  const compared = meaning ? await closenessTo(meaning, question, evidence, signal) : undefined
  if (compared && followUp === undefined && (await areDistant(question, evidence, compared.best))) return null
  return closestQuotes(question, evidence, { ...limits, marked: followUp ?? question, closeness: compared?.closeness })
}

const quotesFor = async (input: Input, meaning: Meaning, signal: AbortSignal): Promise<Drafted | Distant> => {
  const asked = quoteInputs(input)
  const found = await Promise.all(asked.map((one) => placesOf(one, meaning, signal)))
  if (found.every((places) => places === null)) return { kind: 'distant' }
  const places = inTurn(found.map((places) => places ?? []))
    .filter(isNew)
    .slice(0, Math.max(limits.most, asked.length))
  if (places.length === 0) return { kind: 'refused', reason: 'None of the found passages can be quoted.' }
  const missing = missingWords(input.followUp ?? input.question, places, input.evidence)
  return { kind: 'quoted', quotes: numbered(places), ...(missing.length > 0 && { missing }) }
}

const written = (cells: CellAnswer[]): Drafted => {
  const ids = [...new Set(cells.flatMap(({ passageIds }) => passageIds))]
  const citations = ids.map((passageId, at): CitedPassage => ({ n: at + 1, passageId }))
  const marks = (passageIds: string[]): string => passageIds.map((id) => `[${ids.indexOf(id) + 1}]`).join('')
  const said = cells.map(({ text, passageIds }) => `${text.replace(/\.$/, '')} ${marks(passageIds)}.`)
  const rows = numbered(
    cells.flatMap(({ quote }) => quote.map((row): ClosestQuote => ({ ...row, marks: [] }))).filter(isNew),
  )
  const workings = cells.flatMap(({ working }) => working ?? [])
  return { kind: 'written', text: said.join(' '), citations, quotes: rows, ...(workings.length > 0 && { workings }) }
}

export const quotesOnlyWith =
  (meaning: Meaning): Answer =>
  async (input, { signal }) => {
    signal.throwIfAborted()
    const quotes = await quotesFor(input, meaning, signal)
    return quotes.kind === 'quoted' ? { ...quotes, degraded: true } : quotes
  }

export const offlineAnswerWith =
  (meaning: Meaning): Answer =>
  async (input, { signal }) => {
    signal.throwIfAborted()
    const cells = quoteInputs(input).map(({ question, evidence }) => exactCells(question, evidence))
    return cells.every((found) => found !== null) ? written(cells.flat()) : quotesFor(input, meaning, signal)
  }

export const offlineAnswer = offlineAnswerWith(null)
export const quotesOnly = quotesOnlyWith(null)

export const offlineShortAnswer: ShortAnswer = async ({ question, evidence }, { signal }) => {
  signal.throwIfAborted()
  const cells = exactCells(question, evidence) ?? []
  return cells.length === 1 ? (cells[0]?.value ?? null) : null
}
