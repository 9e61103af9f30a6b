import type { Evidence } from '@plumbline/contracts'
import { words } from '@plumbline/knowledge/text'
import { oneWay, type PassageIndex, type Scope } from '@plumbline/ports/passage-index'

/** How many passages stand for a whole document, and among how many hits its title is looked for. */
const most = 24
const hits = 40

/** All of it where it is short; of a long one as many passages, evenly from its beginning to its end. */
const spread = <Item>(all: Item[]): Item[] =>
  all.length <= most
    ? all
    : Array.from({ length: most }, (_, at) => all.slice(Math.floor((at * all.length) / most))[0]).filter(
        (item) => item !== undefined,
      )

/** How many of the asked words a title has; more of its own count against it. */
const fit = (asked: Set<string>, title: string): number => {
  const own = new Set(words(title))
  return [...asked].filter((word) => own.has(word)).length / Math.max(1, asked.size, own.size)
}

/** All of the document that is to be summed up, by its title; nothing where none that is there has such a title. */
export const fromDocument = async (
  index: PassageIndex,
  title: string,
  scope: Scope,
  signal: AbortSignal,
): Promise<Evidence[]> => {
  const asked = new Set(words(title))
  const found = await index.search(scope, { text: title, vector: null }, oneWay('bm25', { k: hits }), signal)
  const [best] = found.map(({ passage }) => ({ passage, fit: fit(asked, passage.title) })).sort((a, b) => b.fit - a.fit)
  if (!best || best.fit === 0) return []
  const passages = await index.passages(scope, best.passage.documentId, null, signal)
  return spread(passages).map((passage): Evidence => ({ ...passage, scores: {}, query: title }))
}
