import type { Word } from './page'

/**
 * Returns whether a hyphen at the end of a line belongs to the word. It depends on how the document writes the word
 * elsewhere.
 */
export type Hyphens = (before: string, after: string) => boolean

const broken = /(?<head>\p{L}+)-$/u
const going = /^(?<tail>\p{Ll}+)/u

/** Learns from a document which words have a hyphen. A word that also occurs without one loses its hyphen. */
export const hyphensOf = (texts: readonly string[]): Hyphens => {
  const hyphenated = new Set<string>()
  const whole = new Set<string>()
  for (const [index, line] of texts.entries()) {
    const before = texts[index - 1] ?? ''
    const after = before.endsWith('-') && broken.test(before)
    const head = line.endsWith('-') ? line.replace(/\p{L}+-$/u, '') : line
    const text = after ? head.replace(going, '') : head
    if (text.includes('-'))
      for (const word of text.match(/\p{L}+(?:-\p{L}+)+/gu) ?? []) hyphenated.add(word.toLowerCase())
    for (const word of text.match(/\p{L}{4,}/gu) ?? []) whole.add(word.toLowerCase())
  }
  return (before, after) => {
    const [head, tail] = [broken.exec(before)?.groups?.['head'] ?? '', going.exec(after)?.groups?.['tail'] ?? '']
    const joined = `${head}${tail}`.toLowerCase()
    if (whole.has(joined)) return false
    return (
      hyphenated.has(`${head}-${tail}`.toLowerCase()) ||
      (head.length >= 4 && tail.length >= 4 && whole.has(head.toLowerCase()) && whole.has(tail.toLowerCase()))
    )
  }
}

/** Joins lines to one text. A word that was divided at the end of a line is joined again. */
export const joinLines = (lines: readonly string[], keeps: Hyphens): string =>
  lines.reduce((text, line) => {
    if (text === '' || line === '') return text + line
    if (/[\p{L}\d]-$/u.test(text) && !/\s-$/.test(text)) {
      if (/^[\d\p{Lu}]/u.test(line) || !broken.test(text)) return text + line
      if (going.test(line)) return keeps(text, line) ? text + line : text.slice(0, -1) + line
    }
    return /\w\/$/.test(text) && /^\S/.test(line) ? text + line : `${text} ${line}`
  }, '')

const bullet = /^[•●○◦▪■□▫‣⁃∙·►▶➢➤✓✔–—*-]$/u
const number = /^(?:\(?(?:\d{1,2}|[a-zA-Z]|[ivx]{1,4})[.)]|\d{1,2}\.?)$/

/** Returns whether a text is a list marker without its item. */
export const isMarker = (text: string): boolean => bullet.test(text) || (number.test(text) && /[.)]$/.test(text))

/** Splits a text into list marker and rest. Returns null if it begins with no list marker. */
export const itemOf = (text: string): { mark: string; rest: string } | null => {
  const [first = ''] = text.split(' ', 1)
  const mark = bullet.test(first) ? '-' : /^(?:\d{1,2}[.)]|\(?[a-z\d]{1,2}\))$/.test(first) ? first : null
  const rest = mark === null ? '' : text.slice(first.length).trim()
  return mark === null || rest === '' ? null : { mark, rest }
}

/**
 * Returns whether a line begins with a list marker: one character in a font of its own, separated from the text. Fonts
 * of symbols may use any letter for a bullet.
 */
export const isSign = ([first, second]: readonly Word[]): boolean =>
  first !== undefined &&
  second !== undefined &&
  [...first.text].length === 1 &&
  /[^aAI\d(]/.test(first.text) &&
  first.font !== second.font &&
  second.x - first.right > 0.35 * second.size

/** Matches the label at the beginning of a caption, such as `Table 3`. */
const caption =
  /^(?:[Tt]able|TABLE|[Ff]igure|FIGURE|Fig\.|FIG\.|Listing|Example|Chart|Exhibit|Box|Tab\.|Algorithm|Plate)\s+(?:[A-Z]?[.-]?\d|[A-Z][.:\s]|[IVX]+[.:\s])/
export const isCaption = (text: string): boolean => caption.test(text)

/** Returns whether a text contains digits and signs but no letters. */
export const isNumber = (text: string): boolean => /^[^\p{L}]*\d[^\p{L}]*$/u.test(text)

/**
 * Returns whether a text is a number with an optional sign before it and a short unit after it. A single dash also
 * counts.
 */
export const isValue = (text: string): boolean => /^[^\p{L}]*\d[^\p{L}]*\p{L}{0,3}$/u.test(text) || /^[-–—]$/.test(text)
