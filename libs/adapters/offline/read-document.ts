import { sentences, stopWords, terms, tokens, words } from '@plumbline/knowledge/text'

/** A document as the reranker looks at it. */
export type Read = {
  title: string
  counts: Map<string, number>
  length: number
  /** The tokens under the headings, to look for phrases and names in. */
  plain: string
  /** Its headings as another text would mention them. */
  names: string[]
  heading: string[]
  /** The words of each sentence, and of each table row with its header row, all with the headings' words. */
  units: Set<string>[]
}

const tableLine = /^\s*\|/
const ruleLine = /^[\s|:-]+$/

/** Without what stands in brackets; a name that is only a number or a common word names nothing. */
const nameOf = (heading: string): string => ` ${tokens(heading.replace(/\([^)]*\)/g, ' ')).join(' ')} `
const telling = (name: string): boolean =>
  name.trim().length > 3 && tokens(name).some((token) => !stopWords.has(token) && /\p{L}/u.test(token))

const read = (document: string): Read => {
  const [first = '', ...rest] = document.split('\n')
  const heading = [...new Set(words(first))]
  const all = terms(first)
  const plain: string[] = []
  const units: Set<string>[] = []
  let header: string[] = []
  let inTable = false
  for (const sentence of sentences(rest.join('\n'))) {
    const row = tableLine.test(sentence)
    if (row && ruleLine.test(sentence)) continue
    const said = tokens(sentence)
    const own = terms(sentence)
    if (row && !inTable) header = own
    inTable = row
    plain.push(...said)
    all.push(...own)
    units.push(new Set([...heading, ...(row ? header : []), ...own]))
  }
  const counts = new Map<string, number>()
  for (const word of all) counts.set(word, (counts.get(word) ?? 0) + 1)
  const headings = first.split(' · ')
  return {
    title: headings[0] ?? '',
    counts,
    length: all.length,
    plain: ` ${plain.join(' ')} `,
    names: headings.map(nameOf).filter(telling),
    heading,
    units,
  }
}

/** A step's queries bring much the same documents, so the last ones read are kept. */
export const createReader = (kept = 400): ((document: string) => Read) => {
  const recent = new Map<string, Read>()
  return (document) => {
    const known = recent.get(document) ?? read(document)
    recent.delete(document)
    recent.set(document, known)
    if (recent.size > kept) recent.delete(recent.keys().next().value ?? '')
    return known
  }
}
