import type { Word } from './page'

/** Returns true if a hyphen at a line break is kept. This depends on how the document writes the word elsewhere. */
export type Hyphens = (before: string, after: string) => boolean

const broken = /(?<head>\p{L}+)-$/u
const going = /^(?<tail>\p{Ll}+)/u

/** Collects the words of the document. A word that also occurs without a hyphen loses its hyphen at a line break. */
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

export const isMarker = (text: string): boolean => bullet.test(text) || (number.test(text) && /[.)]$/.test(text))

export const itemOf = (text: string): { mark: string; rest: string } | null => {
  const [first = ''] = text.split(' ', 1)
  const mark = bullet.test(first) ? '-' : /^(?:\d{1,2}[.)]|\(?[a-z\d]{1,2}\))$/.test(first) ? first : null
  const rest = mark === null ? '' : text.slice(first.length).trim()
  return mark === null || rest === '' ? null : { mark, rest }
}

/**
 * Returns true if the first word is a bullet, which a symbol font can draw with any letter. A bullet is a single
 * character in another font than the next word.
 */
export const isSign = ([first, second]: readonly Word[]): boolean =>
  first !== undefined &&
  second !== undefined &&
  [...first.text].length === 1 &&
  /[^aAI\d(]/.test(first.text) &&
  first.font !== second.font &&
  second.x - first.right > 0.35 * second.size

const caption =
  /^(?:[Tt]able|TABLE|[Ff]igure|FIGURE|Fig\.|FIG\.|Listing|Example|Chart|Exhibit|Box|Tab\.|Algorithm|Plate)\s+(?:[A-Z]?[.-]?\d|[A-Z][.:\s]|[IVX]+[.:\s])/
export const isCaption = (text: string): boolean => caption.test(text)

export const isNumber = (text: string): boolean => /^[^\p{L}]*\d[^\p{L}]*$/u.test(text)

export const isValue = (text: string): boolean => /^[^\p{L}]*\d[^\p{L}]*\p{L}{0,3}$/u.test(text) || /^[-–—]$/.test(text)
