import type { Evidence, Passage } from '@plumbline/contracts'
import { closestPlaces } from '@plumbline/knowledge/quotes'
import type { CollectionCard } from '../skill'
import type { Quote } from './quoting'

/** A passage by the number that cites it. */
export type Numbered = { n: number; passage: Evidence }

/** A passage with what it says about itself: a title such as "Changelog" does not name its product. */
export const passageQuote = (passage: Passage, n: number): Quote => {
  const { title, collection, headingPath, text, url, page, date } = passage
  const headings = headingPath.filter((heading) => heading !== title).join(' › ')
  const head = [
    `Document: ${title}`,
    `Collection: ${collection}`,
    ...(headings === '' ? [] : [`Section: ${headings}`]),
    ...(page === undefined ? [] : [`Page: ${page}`]),
    ...(date === undefined ? [] : [`Date: ${date}`]),
    ...(url === undefined ? [] : [`Address: ${url}`]),
  ]
  return { name: `passage ${n}`, text: `${head.join('\n')}\n\n${text}` }
}

export const numberedQuotes = (passages: readonly Numbered[]): Quote[] =>
  passages.map(({ passage, n }) => passageQuote(passage, n))

export const questionQuote = (question: string): Quote => ({ name: 'question', text: question })

export const collectionQuotes = (collections: readonly CollectionCard[]): Quote[] =>
  collections.map(({ name, description }) => ({ name: 'collection', text: `${name}\n${description}` }))

/** Lines under one name; nothing where there are none. */
export const some = (name: string, lines: readonly string[] = []): Quote[] =>
  lines.length > 0 ? [{ name, text: lines.join('\n') }] : []

export const numbers = (passages: readonly Numbered[]): string => passages.map(({ n }) => n).join(', ')

const bytesPerToken = 4
export const tokensIn = (text: string): number => Math.ceil(Buffer.byteLength(text) / bytesPerToken)

/** The most that each may have, so that short ones stay whole and long ones share what is left. */
const shareOf = (sizes: number[], budget: number): number => {
  let left = budget
  for (const [at, size] of [...sizes].sort((a, b) => a - b).entries()) {
    const equal = left / (sizes.length - at)
    if (size > equal) return equal
    left -= size
  }
  return Infinity
}

/** A place with less around it can hardly be understood. */
const leastPlace = 600
const mostPlaces = 3

/** What of a passage stands around the words that are looked for; its beginning where it has none of them. */
const cutAround = (words: string, passage: Evidence, tokens: number): string => {
  const maxChars = Math.floor((tokens / tokensIn(passage.text)) * passage.text.length)
  const most = Math.max(1, Math.min(mostPlaces, Math.floor(maxChars / leastPlace)))
  const places = closestPlaces(words, [passage], { most, maxChars: Math.floor(maxChars / most) })
  return places.length > 0 ? places.map(({ text }) => text).join('\n…\n') : `${passage.text.slice(0, maxChars)} …`
}

/** Evidence inside a budget of tokens: only where it is exceeded, and only long passages, are cut. */
export const within = <One extends Evidence>(tokens: number, words: string, evidence: readonly One[]): One[] => {
  const share = shareOf(
    evidence.map(({ text }) => tokensIn(text)),
    tokens,
  )
  return evidence.map((passage) =>
    tokensIn(passage.text) <= share ? passage : { ...passage, text: cutAround(words, passage, share) },
  )
}

/** A citation has two digits at most. */
const mostCited = 99

/** In one order whatever their grades, so that every draft of a run numbers them alike: passages of one document follow each other. */
export const inOrder = (evidence: readonly Evidence[]): Evidence[] =>
  [...evidence]
    .sort(
      (a, b) =>
        a.documentId.localeCompare(b.documentId) || a.position - b.position || (a.id < b.id ? -1 : Number(a.id > b.id)),
    )
    .slice(0, mostCited)

export const numbered = (evidence: readonly Evidence[]): Numbered[] =>
  evidence.map((passage, at) => ({ n: at + 1, passage }))
