import type { Segment, Word } from './page'
import { around, beside, mainStyle } from './page'

/** A gap this wide, in letters' heights, parts two cells; a space within a justified line is narrower. */
const apart = 1.1
/** Between two numbers even this is one: running text does not set them so. */
const apartNumbers = 0.6
const spaced = 0.12

const isNumber = ({ text }: Word): boolean => /^[^\p{L}]*\d[^\p{L}]*$/u.test(text)

const spaceBefore = (word: Word, before: Word): boolean =>
  !word.glued &&
  (before.font === word.font || word.x - before.right > spaced * word.size) &&
  word.x - before.right > spaced * word.size * 0.5

/** A number set smaller and higher would run into what it stands behind: `10` and `24` are no `1024`. */
const isRaised = (word: Word, before: Word): boolean =>
  word.size < 0.9 * before.size &&
  before.bottom - word.bottom > 0.15 * before.size &&
  /^[-+−–]?\d/.test(word.text) &&
  /[\p{L}\p{N})\]%]$/u.test(before.text)

export const segmentOf = (words: readonly Word[]): Segment => ({
  ...around(words),
  ...mainStyle(words),
  words: [...words],
  text: words
    .map((word, index) => {
      const before = words[index - 1]
      if (!before) return word.text
      return `${spaceBefore(word, before) ? ' ' : isRaised(word, before) ? '^' : ''}${word.text}`
    })
    .join(''),
})

/** Groups words that stand on one line. The page is first read down, then each line across. */
export const linesOf = <T extends Word | Segment>(pieces: readonly T[]): T[][] => {
  const lines: { pieces: T[]; y: number; bottom: number }[] = []
  for (const piece of [...pieces].sort((a, b) => a.y + a.bottom - b.y - b.bottom)) {
    const line = lines.slice(-4).find((one) => beside({ ...piece, y: one.y, bottom: one.bottom }, piece))
    if (!line) lines.push({ pieces: [piece], y: piece.y, bottom: piece.bottom })
    else line.pieces.push(piece)
  }
  return lines.map((line) => line.pieces.sort((a, b) => a.x - b.x))
}

/** Lines of words, each parted at its gaps of so much `white`. */
export const segmentsOf = (words: readonly Word[], white = apart): Segment[] =>
  linesOf(words).flatMap((line) => {
    const parts: Word[][] = []
    for (const word of line) {
      const part = parts.at(-1)
      const before = part?.at(-1)
      const gap = before && isNumber(before) && isNumber(word) ? Math.min(apartNumbers, white) : white
      if (part && before && word.x - before.right <= gap * Math.max(word.size, before.size)) part.push(word)
      else parts.push([word])
    }
    return parts.map(segmentOf)
  })

/** Text written upwards or downwards: its lines stand beside each other. */
export const turnedLines = (words: readonly Word[]): Segment[] => {
  const up = words.some(({ turned }) => turned === 'up')
  const turn = (word: Word): Word => ({
    ...word,
    x: up ? -word.bottom : word.y,
    right: up ? -word.y : word.bottom,
    y: up ? word.x : -word.right,
    bottom: up ? word.right : -word.x,
  })
  return linesOf(words.map(turn)).map((line) => ({ ...segmentOf(line), ...around(words) }))
}
