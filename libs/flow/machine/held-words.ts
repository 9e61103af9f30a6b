import type { Run } from '../schema/run'

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })
const longestWord = 40
/** A longer draft is found by the first of its words. */
const mostWords = 2_000

/** The different words of a text, in lower case, as held answers are indexed and searched by. */
export const searchWords = (text: string): string[] => {
  const words = new Set<string>()
  for (const { segment, isWordLike } of segmenter.segment(text.normalize('NFKC').toLowerCase())) {
    if (isWordLike) words.add(segment.slice(0, longestWord))
    if (words.size === mostWords) break
  }
  return [...words]
}

/** The words that a held answer is found by: those of its question, its asker and its draft. */
export const heldWords = ({ question, standalone, askedBy, metadata, draft }: Run): string[] =>
  searchWords(
    [
      question,
      standalone,
      askedBy,
      ...Object.values(metadata ?? {}),
      draft?.text,
      ...(draft?.quotes ?? []).map(({ text }) => text),
    ]
      .filter((text) => text !== undefined)
      .join('\n'),
  )
