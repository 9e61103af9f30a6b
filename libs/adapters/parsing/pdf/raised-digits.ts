import type { Word } from './page'
import { median } from './page'

/** `ascent`, `height`: how far the letters of its font reach above their line, and altogether. */
export type Boxed = Word & { ascent: number; height: number }

const number = /^[\d.,]*\d$/
const behindSign = /^(.*[%)\]])(\d[\d,]*)$/
/** How much smaller raised digits are set, and how far above their line they stand. */
const smallest = 0.45
const largest = 0.85
const usualRise = 0.36

const heightOf = ({ y, bottom }: Word): number => bottom - y
const isTall = (word: Boxed): boolean => word.height > 0 && heightOf(word) > 1.015 * word.height
const isPlain = (word: Boxed): boolean => word.height > 0 && Math.abs(heightOf(word) - word.height) < 0.01 * word.height

/** Of nearly all fonts the digits are equally wide, and points and commas half as wide. */
const widthIn = (text: string): number => [...text].reduce((sum, sign) => sum + (/\d/.test(sign) ? 1 : 0.5), 0)

/** How wide a digit of each font is, by the size of its letters. */
const digitWidths = (words: readonly Boxed[]): Map<string, number> => {
  const fonts = Map.groupBy(
    words.filter((word) => isPlain(word) && number.test(word.text)),
    ({ font }) => font,
  )
  return new Map(
    [...fonts].map(([font, own]) => [
      font,
      median(own.map(({ x, right, text, size }) => (right - x) / widthIn(text) / size)),
    ]),
  )
}

type Cut = { head: string; tail: string; scale: number; off: number }

/** The last digits as raised ones: as small as the box is narrower than the digits would be, and as high as it is taller. */
const cutAt = (word: Boxed, digits: number, at: number): Cut => {
  const [head, tail] = [word.text.slice(0, at), word.text.slice(at)]
  const scale = ((word.right - word.x) / digits - widthIn(head)) / widthIn(tail)
  const rise = (heightOf(word) - word.height + (1 - scale) * word.ascent) / word.size
  return { head, tail, scale, off: Math.abs(rise - usualRise) }
}

const cutOf = (word: Boxed, digit: number | undefined): Cut | undefined => {
  if (digit === undefined) return undefined
  const [, head, tail] = behindSign.exec(word.text) ?? []
  if (head !== undefined && tail !== undefined) return { head, tail, scale: 0.65, off: 0 }
  if (!number.test(word.text)) return undefined
  return [1, 2, 3]
    .filter((count) => /\d$/.test(word.text.slice(0, -count)) && /^\d/.test(word.text.slice(-count)))
    .map((count) => cutAt(word, digit * word.size, word.text.length - count))
    .filter(({ scale }) => scale > smallest && scale < largest)
    .sort((a, b) => a.off - b.off)[0]
}

/** The library boxes a number and the raised digits of a note or a power behind it as one word, `1,204.5` and `2` as `1,204.52`: only the box is taller. */
export const withoutRaised = (words: readonly Boxed[]): Word[] => {
  const digits = digitWidths(words)
  return words.flatMap((word): Word[] => {
    const cut = isTall(word) && !word.turned ? cutOf(word, digits.get(word.font)) : undefined
    if (!cut) return [word]
    const middle =
      word.x + ((word.right - word.x) * widthIn(cut.head)) / (widthIn(cut.head) + cut.scale * widthIn(cut.tail))
    const head = { ...word, text: cut.head, right: middle, y: word.bottom - word.height }
    return [
      head,
      {
        ...word,
        text: cut.tail,
        x: middle,
        bottom: word.y + cut.scale * word.height,
        size: cut.scale * word.size,
        glued: true,
      },
    ]
  })
}
