import { stripVTControlCharacters, styleText } from 'node:util'
import { cleanName } from '@plumbline/contracts'

type Style = Parameters<typeof styleText>[0]
const styles = {
  bold: 'bold',
  dim: 'dim',
  good: 'green',
  bad: 'red',
  warn: 'yellow',
  accent: 'cyan',
  marked: ['red', 'underline'],
} as const satisfies Record<string, Style>
export type Paint = Record<keyof typeof styles, (text: string) => string>

const painter = (on: boolean): Paint => {
  const paint = (style: Style) => (text: string) =>
    on && text !== '' ? styleText(style, text, { validateStream: false }) : text
  return {
    bold: paint(styles.bold),
    dim: paint(styles.dim),
    good: paint(styles.good),
    bad: paint(styles.bad),
    warn: paint(styles.warn),
    accent: paint(styles.accent),
    marked: paint([...styles.marked]),
  }
}
export const plain = painter(false)
export const colored = painter(true)

/** Returns functions that color text. They add colors only at a terminal, unless NO_COLOR or TERM forbids colors. */
export const paintFor = (stream: { isTTY?: boolean }, env: Record<string, string | undefined>): Paint =>
  stream.isTTY && !env.NO_COLOR && env.TERM !== 'dumb' ? colored : plain

export type Screen = { paint: Paint; width: number }

export const truncated = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const wide = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u

/** Returns how many columns of the terminal a text takes. Color codes take no column. */
export const widthOf = (text: string): number =>
  [...graphemes.segment(stripVTControlCharacters(text))].reduce(
    (sum, { segment }) => sum + (wide.test(segment) ? 2 : 1),
    0,
  )

const wrapLine = (line: string, width: number): string[] => {
  const lines: string[] = []
  let current = ''
  for (const word of line.split(' ')) {
    if (current !== '' && widthOf(current) + 1 + widthOf(word) > width) {
      lines.push(current)
      current = word
    } else current = current === '' ? word : `${current} ${word}`
  }
  return [...lines, current]
}

export const wrap = (text: string, width: number, indent = ''): string[] =>
  text
    .split('\n')
    .flatMap((line) => (line.startsWith('|') ? [line] : wrapLine(line, width - indent.length)))
    .map((line) => (line === '' ? '' : indent + line))

/** Joins the title and the headings, as in `Moons › Selected moons`. A first heading equal to the title is left out. */
export const sourceTitle = ({ title, headingPath = [] }: { title: string; headingPath?: string[] }): string => {
  const parts = [title, ...headingPath].map(cleanName).filter((part) => part !== '')
  return parts.filter((part, at) => part !== parts[at - 1]).join(' › ')
}

export const count = (many: number, one: string, several = `${one}s`): string => `${many} ${many === 1 ? one : several}`

export const seconds = (ms: number): string =>
  ms < 10_000
    ? `${(ms / 1_000).toFixed(2)} s`
    : ms < 60_000
      ? `${(ms / 1_000).toFixed(1)} s`
      : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`
