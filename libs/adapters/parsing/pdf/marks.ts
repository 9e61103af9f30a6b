import type { Word } from './page'

const bullet = /^[•●○◦▪■□▫‣⁃∙·►▶➢➤✓✔–—*-]$/u
const number = /^(?:\(?(?:\d{1,2}|[a-zA-Z]|[ivx]{1,4})[.)]|\d{1,2}\.?)$/

/** A mark that opens an item of a list and stands apart from its text. */
export const isMarker = (text: string): boolean => bullet.test(text) || (number.test(text) && /[.)]$/.test(text))

/** Text that opens an item of a list: its mark and the rest. */
export const itemOf = (text: string): { mark: string; rest: string } | null => {
  const [first = '', ...others] = text.split(' ')
  const rest = others.join(' ').trim()
  if (rest === '') return null
  if (bullet.test(first)) return { mark: '-', rest }
  return /^(?:\d{1,2}[.)]|\(?[a-z\d]{1,2}\))$/.test(first) ? { mark: first, rest } : null
}

/** A lone sign in a font of its own, set off from the text after it, marks an item whatever letter the font has it for. */
export const isSign = ([first, second]: readonly Word[]): boolean =>
  first !== undefined &&
  second !== undefined &&
  [...first.text].length === 1 &&
  /[^aAI\d(]/.test(first.text) &&
  first.font !== second.font &&
  second.x - first.right > 0.35 * second.size

/** The name of a table or a figure, at the beginning of what is said of it. */
const caption =
  /^(?:[Tt]able|TABLE|[Ff]igure|FIGURE|Fig\.|FIG\.|Listing|Example|Chart|Exhibit|Box|Tab\.|Algorithm|Plate)\s+(?:[A-Z]?[.-]?\d|[A-Z][.:\s]|[IVX]+[.:\s])/
export const isCaption = (text: string): boolean => caption.test(text)

/** A number with what stands before it, and a unit. */
export const isValue = (text: string): boolean => /^[^\p{L}]*\d[^\p{L}]*\p{L}{0,3}$/u.test(text) || /^[-–—]$/.test(text)
