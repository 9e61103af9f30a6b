import type { PageWords } from '@plumbline/contracts'

export type Box = { x: number; y: number; width: number; height: number }

type Token = { text: string; word: number }
const tokensOf = (text: string, word: number): Token[] =>
  (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).map((token) => ({ text: token, word }))

/** At most this many words are compared. Comparing the longest passages in full would take seconds. */
const mostTokens = 3_000
const [same, other, skipped] = [2, -1, -1]

/** Aligns two lists of words with the Smith-Waterman algorithm, which tolerates missing, added and misread words. */
const alignedWords = (passage: Token[], page: Token[]): Set<number> => {
  const columns = page.length + 1
  const scores = new Int32Array((passage.length + 1) * columns)
  let best = 0
  for (let p = 1; p <= passage.length; p += 1)
    for (let w = 1; w < columns; w += 1) {
      const match = passage[p - 1]?.text === page[w - 1]?.text ? same : other
      const score = Math.max(
        0,
        (scores[(p - 1) * columns + w - 1] ?? 0) + match,
        (scores[(p - 1) * columns + w] ?? 0) + skipped,
        (scores[p * columns + w - 1] ?? 0) + skipped,
      )
      scores[p * columns + w] = score
      if (score > (scores[best] ?? 0)) best = p * columns + w
    }
  const words = new Set<number>()
  for (let at = best; (scores[at] ?? 0) > 0;) {
    const [p, w] = [Math.floor(at / columns), at % columns]
    const isSame = passage[p - 1]?.text === page[w - 1]?.text
    const before = at - columns - 1
    if ((scores[at] ?? 0) === (scores[before] ?? 0) + (isSame ? same : other)) {
      if (isSame) words.add(page[w - 1]?.word ?? 0)
      at = before
    } else at = (scores[at] ?? 0) === (scores[at - columns] ?? 0) + skipped ? at - columns : at - 1
  }
  return words
}

const boundingBox = (a: Box, b: Box): Box => {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)]
  return {
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  }
}

const continuesLine = (a: Box, b: Box): boolean =>
  Math.abs(a.y + a.height / 2 - b.y - b.height / 2) < Math.min(a.height, b.height) / 2 &&
  b.x - a.x - a.width < 2 * a.height &&
  b.x >= a.x

export const passageBoxes = ({ words }: PageWords, passage: string): Box[] => {
  const wanted = tokensOf(passage, 0).slice(0, mostTokens)
  const page = words.flatMap(({ text }, at) => tokensOf(text, at)).slice(0, mostTokens)
  const found = alignedWords(wanted, page)
  if (found.size < Math.min(3, wanted.length)) return []
  const boxes: Box[] = []
  for (const at of [...found].sort((a, b) => a - b)) {
    const word = words[at]
    const last = boxes.at(-1)
    if (!word) continue
    if (last && continuesLine(last, word)) boxes[boxes.length - 1] = boundingBox(last, word)
    else boxes.push({ x: word.x, y: word.y, width: word.width, height: word.height })
  }
  return boxes
}
