import { stripVTControlCharacters } from 'node:util'

/** Text from documents and models must not steer the terminal. */
export const clean = (text: string): string =>
  stripVTControlCharacters(text).replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '')

export const oneLine = (text: string): string => clean(text).replace(/\s+/g, ' ').trim()

export const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
/** Letters and signs that take two columns of a terminal. */
const wide = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u

/** How many columns of a terminal it takes; colours take none. */
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

/** Wraps at words; rows of tables stay whole. */
export const wrap = (text: string, width: number, indent = ''): string[] =>
  text
    .split('\n')
    .flatMap((line) => (line.startsWith('|') ? [line] : wrapLine(line, width - indent.length)))
    .map((line) => (line === '' ? '' : indent + line))

/** `The planets in tables › Moons › Selected moons`; a title that is also the first heading stands once. */
export const place = ({ title, headingPath = [] }: { title: string; headingPath?: string[] }): string => {
  const parts = [title, ...headingPath].map(oneLine).filter((part) => part !== '')
  return parts.filter((part, at) => part !== parts[at - 1]).join(' › ')
}

export const count = (many: number, one: string, several = `${one}s`): string => `${many} ${many === 1 ? one : several}`

export const seconds = (ms: number): string =>
  ms < 10_000
    ? `${(ms / 1_000).toFixed(2)} s`
    : ms < 60_000
      ? `${(ms / 1_000).toFixed(1)} s`
      : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`
