type Range = [from: number, to: number]

const wordsIn = new Intl.Segmenter(undefined, { granularity: 'word' })
const sentencesIn = new Intl.Segmenter(undefined, { granularity: 'sentence' })

const words = (text: string): { word: string; at: number; end: number }[] =>
  [...wordsIn.segment(text)]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment, index }) => ({
      word: segment.toLocaleLowerCase(),
      at: index,
      end: index + segment.length,
    }))

const wordSet = (text: string): Set<string> => new Set(words(text).map(({ word }) => word))

/** How many different words two texts have in common. */
export const countShared = (claim: string, text: string): number => wordSet(claim).intersection(wordSet(text)).size

/** Neighbours become one mark, with what stands between them. */
const joined = (ranges: Range[], text: string): Range[] => {
  const all: Range[] = []
  for (const [from, to] of ranges) {
    const last = all.at(-1)
    if (last && /^\s*$/.test(text.slice(last[1], from))) last[1] = to
    else all.push([from, to])
  }
  return all
}

/** The words that a passage's closest sentence shares with a claim; the closest is the one that shares most. */
export const sharedMarks = (claim: string, passage: string): Range[] => {
  const wanted = wordSet(claim)
  const sentences = [...sentencesIn.segment(passage)].map(({ segment, index }) => ({
    index,
    shared: words(segment).filter(({ word }) => wanted.has(word)),
  }))
  const most = Math.max(0, ...sentences.map(({ shared }) => new Set(shared.map(({ word }) => word)).size))
  const closest = sentences.find(({ shared }) => new Set(shared.map(({ word }) => word)).size === most)
  if (!closest || most === 0) return []
  return joined(
    closest.shared.map(({ at, end }): Range => [closest.index + at, closest.index + end]),
    passage,
  )
}
