import { isNumber, isSign } from './line-text'
import {
  around,
  beside,
  mainStyle,
  median,
  type LaidPage,
  type Line,
  type Page,
  type Row,
  type Segment,
  type Word,
} from './page'

/** The minimum gap between parts of a line, relative to the font size. Spaces in justified lines are narrower. */
const apart = 1.1
/** The minimum gap between two numbers. Words need a wider gap, because running text rarely has adjacent numbers. */
const apartNumbers = 0.6
const spaced = 0.12

const spaceBefore = (word: Word, before: Word): boolean =>
  !word.glued &&
  (before.font === word.font || word.x - before.right > spaced * word.size) &&
  word.x - before.right > spaced * word.size * 0.5

/** Returns true for a raised number. Without its mark `^`, `10` and a raised `24` would become `1024`. */
const isSuperscript = (word: Word, before: Word): boolean =>
  word.size < 0.9 * before.size &&
  before.bottom - word.bottom > 0.15 * before.size &&
  /^[-+−–]?\d/.test(word.text) &&
  /[\p{L}\p{N})\]%]$/u.test(before.text)

export const segmentOf = (words: readonly Word[]): Segment => ({
  ...around(words),
  ...mainStyle(words),
  words: [...words],
  text: words.reduce((text, word, index) => {
    const before = words[index - 1]
    const between = !before ? '' : spaceBefore(word, before) ? ' ' : isSuperscript(word, before) ? '^' : ''
    return text + between + word.text
  }, ''),
})

export const linesOf = <T extends Word | Segment>(pieces: readonly T[]): T[][] => {
  const lines: { pieces: T[]; y: number; bottom: number }[] = []
  for (const piece of [...pieces].sort((a, b) => a.y + a.bottom - b.y - b.bottom)) {
    let at = Math.max(0, lines.length - 4)
    while (at < lines.length && !beside(lines[at] ?? piece, piece)) at += 1
    const line = lines[at]
    if (!line) lines.push({ pieces: [piece], y: piece.y, bottom: piece.bottom })
    else line.pieces.push(piece)
  }
  return lines.map((line) => line.pieces.sort((a, b) => a.x - b.x))
}

/** Maximum gaps between a number and a sign before or after it, relative to the font size. `$` may be far away. */
const mostBefore = 20
const mostBehind = 1.5
/** A gap between a number and a sign is a space if it is at most this wide, relative to the font size. */
const wordSpace = 0.35

const withSigns = (line: readonly Word[]): Word[] => {
  const joined: Word[] = []
  for (const word of line) {
    const before = joined.at(-1)
    const gap = before ? (word.x - before.right) / word.size : Infinity
    const opens = before && gap <= mostBefore && /^[\p{Sc}(]+$/u.test(before.text) && isNumber(word.text)
    const closes = before && gap <= mostBehind && /^[)%]+$/.test(word.text) && isNumber(before.text)
    if (opens && (gap > wordSpace || before.text.endsWith('(')))
      joined.splice(-1, 1, { ...word, text: before.text + word.text })
    else if (closes && (gap > wordSpace || word.text.startsWith(')')))
      joined.splice(-1, 1, { ...before, text: before.text + word.text, right: word.right })
    else joined.push(word)
  }
  return joined
}

const isParted = (word: Word, before: Word, white: number): boolean => {
  const [gap, size] = [word.x - before.right, Math.max(word.size, before.size)]
  return gap > white * size || (gap > apartNumbers * size && isNumber(before.text) && isNumber(word.text))
}

/** Splits lines at wide gaps. `white` is the minimum width of such a gap, relative to the font size. */
export const segmentsOf = (words: readonly Word[], white = apart): Segment[] =>
  linesOf(words).flatMap((line) => {
    const parts: Word[][] = []
    for (const word of withSigns(line)) {
      const part = parts.at(-1)
      const before = part?.at(-1)
      if (part && before && !isParted(word, before, white)) part.push(word)
      else parts.push([word])
    }
    return parts.map(segmentOf)
  })

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

export const laidOut = (page: Page): LaidPage => ({
  ...page,
  segments: segmentsOf(page.words.filter(({ turned }) => !turned)),
})

export const rowOf = (segments: readonly Segment[]): Row => ({ ...around(segments), segments: [...segments] })

export const rowsOf = (segments: readonly Segment[]): Row[] => linesOf(segments).map(rowOf)

const signed = (words: readonly Word[], text: string): string =>
  isSign(words) ? `• ${text.slice(words[0]?.text.length ?? 0).trim()}` : text

/**
 * Returns true if all letters have about the same width. The font alone is not enough, because the library reports only
 * the font of the first words of a text item.
 */
const isOneWidth = (words: readonly Word[]): boolean => {
  const widths = words.filter(({ text }) => text.length >= 3).map(({ text, x, right }) => (right - x) / text.length)
  const usual = median(widths)
  return widths.filter((width) => Math.abs(width - usual) > 0.1 * usual).length <= 0.15 * widths.length
}

export const lineOf = ({ segments, ...box }: Row): Line => {
  const words = segments.flatMap((segment) => segment.words)
  const style = mainStyle(words)
  const mono = style.mono && words.every((word) => word.mono) && isOneWidth(words)
  return { ...box, ...style, mono, segments, text: signed(words, segments.map(({ text }) => text).join(' ')) }
}

type Measure = { x: number; right: number }

const near = (a: number, b: number, by = 2): boolean => Math.abs(a - b) <= by

/** Returns the text columns: pairs of a left and a right edge that at least three full lines share. */
const measuresOf = (segments: readonly Segment[]): Measure[] => {
  const full = segments.filter(({ text }) => text.split(' ').length >= 4)
  const alike = Map.groupBy(full, ({ x, right }) => `${Math.round(x / 2)} ${Math.round(right / 2)}`)
  return [...alike.values()].flatMap((own) => (own.length >= 3 ? own.slice(0, 1) : []))
}

/** Returns true if all gaps are about equal, as in a justified line. Gaps between table cells are rarely equal. */
const isEvenlySpaced = (run: readonly Segment[]): boolean => {
  const gaps = run.slice(1).map(({ x }, index) => x - (run[index]?.right ?? x))
  return gaps.length >= 2 && Math.max(...gaps) - Math.min(...gaps) < 0.12 * (run[0]?.size ?? 0)
}

const lastOf = (line: readonly Segment[], from: number, measures: readonly Measure[]): number => {
  const first = line[from]
  const ends = first ? measures.filter(({ x }) => near(x, first.x)).map(({ right }) => right) : []
  const to = line.findIndex((segment, index) => index > from && ends.some((right) => near(right, segment.right)))
  return to > 0 && isEvenlySpaced(line.slice(from, to + 1)) ? to : from
}

/** Joins the pieces of each justified line. Its wide gaps look like the gaps between table cells, so it was split. */
export const withJustified = (segments: readonly Segment[]): Segment[] => {
  const measures = measuresOf(segments)
  if (measures.length === 0) return [...segments]
  return linesOf(segments).flatMap((line) => {
    const whole: Segment[] = []
    for (let at = 0; at < line.length; at += 1) {
      const to = lastOf(line, at, measures)
      whole.push(
        ...(to > at ? [segmentOf(line.slice(at, to + 1).flatMap(({ words }) => words))] : line.slice(at, at + 1)),
      )
      at = to
    }
    return whole
  })
}
