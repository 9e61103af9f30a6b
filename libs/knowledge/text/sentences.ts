const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** Where the sentences of a text stand, in order, without the blanks around them. A line's end ends one, and so may an abbreviation's point. */
export const sentenceSpans = (text: string): { from: number; to: number }[] =>
  Array.from(segmenter.segment(text), ({ segment, index }) => {
    const from = index + segment.length - segment.trimStart().length
    return { from, to: from + segment.trim().length }
  }).filter(({ from, to }) => to > from)

export const sentences = (text: string): string[] => sentenceSpans(text).map(({ from, to }) => text.slice(from, to))
