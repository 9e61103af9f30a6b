import { center, type Box, type Word } from './page'

const areaOf = ({ x, y, right, bottom }: Box): number => (right - x) * (bottom - y)

export const sharedBy = (a: Box, b: Box): number =>
  Math.max(0, Math.min(a.right, b.right) - Math.max(a.x, b.x)) *
  Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.y, b.y))

/** A word that is larger by this factor is an initial or a watermark, which may overlap other words on purpose. */
const larger = 1.6

const isOver = (a: Word, b: Word): boolean =>
  a.turned === b.turned &&
  Math.max(a.size, b.size) < larger * Math.min(a.size, b.size) &&
  sharedBy(a, b) > 0.5 * Math.min(areaOf(a), areaOf(b))

type Pair = { small: Word; large: Word }

const pairsOf = (words: readonly Word[]): Pair[] => {
  const pairs: Pair[] = []
  const down = words.toSorted((a, b) => a.y - b.y)
  for (const [index, word] of down.entries())
    for (let at = index + 1; at < down.length; at += 1) {
      const other = down[at]
      if (!other || other.y >= word.bottom) break
      if (other.x < word.right && word.x < other.right && isOver(word, other))
        pairs.push(word.text.length < other.text.length ? { small: word, large: other } : { small: other, large: word })
    }
  return pairs
}

const heightOf = ({ y, bottom }: Box): number => bottom - y

/** Returns true if the shorter word repeats a part of the longer word. Programs print text twice to make it bold. */
const isRepeat = ({ small, large }: Pair): boolean => {
  const letter = (large.right - large.x) / large.text.length
  const begins = Math.round((center(small) - large.x) / letter - small.text.length / 2)
  const found = [begins - 1, begins, begins + 1].some((at) => at >= 0 && large.text.startsWith(small.text, at))
  return found && heightOf(small) > 0.8 * heightOf(large)
}

const lettersOf = ({ text }: Word): string => text.replace(/[^\p{L}\p{N}]/gu, '')

const isDifferent = ({ small, large }: Pair): boolean => {
  const [one, other] = [lettersOf(small), lettersOf(large)]
  return one !== '' && other !== '' && !other.includes(one)
}

/** Removes the words in `left`. If a space precedes a removed word, the next word gets that space. */
const without = (words: readonly Word[], left: ReadonlySet<Word>): Word[] => {
  let spaced = false
  return words.flatMap((word) => {
    if (left.has(word)) {
      spaced ||= !word.glued
      return []
    }
    const kept = spaced && word.glued ? { ...word, glued: false } : word
    spaced = false
    return [kept]
  })
}

/** If a page has more words, they are not compared, because this would take too long. Real pages have fewer words. */
const mostWords = 20_000

/** Removes words that are printed twice. The words in `overprinted` have other words printed over them. */
export const withoutRepeats = (words: Word[]): { words: Word[]; overprinted: Word[] } => {
  const pairs = words.length > mostWords ? [] : pairsOf(words)
  if (pairs.length === 0) return { words, overprinted: [] }
  const repeats = new Set(pairs.filter(isRepeat).map(({ small }) => small))
  const different = pairs.filter((pair) => !isRepeat(pair) && isDifferent(pair))
  return {
    words: without(words, repeats),
    overprinted: [...new Set(different.flatMap(({ small, large }) => [small, large]))],
  }
}
