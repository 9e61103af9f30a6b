import type { Evidence } from '@plumbline/contracts'
import { oneWay, type PassageIndex, type Scope } from '@plumbline/ports/passage-index'
import { summaryOf, titleFit } from '@plumbline/skills/summarise/asked'

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

/** The document a question wants summed up, by its title; nothing where it wants something else or names none that is there. */
export const fromDocument = async (
  index: PassageIndex,
  question: string,
  scope: Scope,
  signal: AbortSignal,
): Promise<Evidence[]> => {
  const asked = summaryOf(question)
  if (asked === null) return []
  const found = await index.search(scope, { text: asked, vector: null }, oneWay('bm25', { k: hits }), signal)
  const [best] = found
    .map(({ passage }) => ({ passage, fit: titleFit(asked, passage.title) }))
    .sort((a, b) => b.fit - a.fit)
  if (!best || best.fit === 0) return []
  const passages = await index.passages(scope, best.passage.documentId, null, signal)
  return spread(passages).map((passage): Evidence => ({ ...passage, scores: {}, query: question }))
}
