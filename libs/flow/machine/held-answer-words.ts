import type { Run } from '../schema/run'

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })
const longestWord = 40
/** The maximum number of words indexed per text. A search does not find later words. */
const mostWords = 2_000

export const searchWords = (text: string): string[] => {
  const words = new Set<string>()
  for (const { segment, isWordLike } of segmenter.segment(text.normalize('NFKC').toLowerCase())) {
    if (isWordLike) words.add(segment.slice(0, longestWord))
    if (words.size === mostWords) break
  }
  return [...words]
}

export const heldAnswerWords = ({ question, standalone, askedBy, metadata, draft }: Run): string[] =>
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
