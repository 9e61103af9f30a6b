type TextRange = [from: number, to: number]

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

export const sentencesOf = (text: string): string[] =>
  text.split('\n').flatMap((line) => [...sentencesIn.segment(line)].map(({ segment }) => segment.trim()))

export const wordSet = (text: string): Set<string> => new Set(words(text).map(({ word }) => word))

export const countShared = (claim: string, text: string): number => wordSet(claim).intersection(wordSet(text)).size

const withJoinedRanges = (ranges: TextRange[], text: string): TextRange[] => {
  const all: TextRange[] = []
  for (const [from, to] of ranges) {
    const last = all.at(-1)
    if (last && /^\s*$/.test(text.slice(last[1], from))) last[1] = to
    else all.push([from, to])
  }
  return all
}

type PassageLine = { index: number; text: string; isRow: boolean; header: Set<string> }

const isRow = (line: string): boolean => /^\s*\|/.test(line)
const isRule = (line: string): boolean => /^[\s|:-]+$/.test(line) && line.includes('-')
const cellsOf = (line: string): string => line.replace(/^\s*\|\s*|\s*\|?\s*$/g, '')

const linesIn = (passage: string): PassageLine[] => {
  const all: PassageLine[] = []
  let [header, last, at] = [new Set<string>(), '', 0]
  for (const line of passage.split(/(?<=\n)/)) {
    if (isRow(line)) {
      if (isRule(line)) header = wordSet(last)
      else all.push({ index: at + line.indexOf(cellsOf(line)), text: cellsOf(line), isRow: true, header })
    } else {
      header = new Set()
      for (const { segment, index } of sentencesIn.segment(line))
        all.push({ index: at + index, text: segment, isRow: false, header })
    }
    last = line
    at += line.length
  }
  return all
}

/**
 * Scores a line by the words of the claim in it. Rare words count more. For a table row, the words of the header also
 * count, and those of the first cell count twice.
 */
const scoreOf = ({ text, isRow, header }: PassageLine, weightOf: (word: string) => number): number => {
  const sum = (set: Set<string>): number => [...set].reduce((all, word) => all + weightOf(word), 0)
  const own = sum(wordSet(text))
  return isRow && own > 0 ? own + sum(wordSet(text.split('|')[0] ?? '')) + sum(header) : own
}

export const sharedMarks = (claim: string, passage: string): TextRange[] => {
  const wanted = wordSet(claim)
  const lines = linesIn(passage)
  const places = new Map<string, number>()
  for (const { text } of lines)
    for (const word of wordSet(text).intersection(wanted)) places.set(word, (places.get(word) ?? 0) + 1)
  const scores = lines.map((line) => scoreOf(line, (word) => 1 / (places.get(word) ?? Number.POSITIVE_INFINITY)))
  const most = Math.max(0, ...scores)
  const closest = lines[scores.indexOf(most)]
  if (!closest || most === 0) return []
  const { index, text, isRow } = closest
  if (isRow) return [[index, index + text.length]]
  const shared = words(text).filter(({ word }) => wanted.has(word))
  return withJoinedRanges(
    shared.map(({ at, end }): TextRange => [index + at, index + end]),
    passage,
  )
}
