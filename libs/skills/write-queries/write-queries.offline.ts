import { tokens } from '@plumbline/knowledge/text'
import { focus, keywords } from '../wording/keywords'
import { synonyms } from '../wording/synonyms'
import type { WriteQueries } from './write-queries'

const otherWords = (words: string[]): string[] => words.map((word) => synonyms(word)[0] ?? word)
const key = (query: string): string => tokens(query).join(' ')

/** From the form most like an index's headings to the one furthest from the question's words. */
const forms = (question: string): string[] => {
  const words = keywords(question)
  const { fixed, asked } = focus(question)
  const said = asked.length > 0 ? asked : words
  return [
    words.join(' '),
    [...fixed, ...otherWords(said)].join(' '),
    [...said, ...fixed].join(' '),
    [...words, 'overview'].join(' '),
    [...said, ...otherWords(said), 'definition'].join(' '),
    [...said, 'table', 'list'].join(' '),
  ]
}

export const offlineWriteQueries: WriteQueries = ({ question, count }, { signal }) => {
  signal.throwIfAborted()
  const seen = new Set(['', key(question)])
  const written = forms(question).filter((query) => {
    if (seen.has(key(query))) return false
    seen.add(key(query))
    return true
  })
  return Promise.resolve(written.slice(0, count))
}
