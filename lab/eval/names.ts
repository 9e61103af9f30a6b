import { stopWords } from '@plumbline/knowledge/text'

const word = /[\p{Lu}][\p{L}\p{N}.'’&+_-]*|[\p{L}]+[\p{N}_]+[\p{L}\p{N}_-]*/gu
const joins = /^\s(?:(?:of|de|da|del|van|von|der|la|le|the|and|&)\s){0,2}$/

const clean = (name: string): string => name.replace(/['’]s$/, '').replace(/[.'’&+-]+$/, '')
const common = (name: string): boolean => stopWords.has(name.toLowerCase())

/** Returns whether a word begins a sentence, where a capital letter does not indicate a name. */
const first = (text: string, at: number): boolean => /(?:^|[.!?:]["')\]]*\s|\n)\s*["'“‘(*_-]*$/.test(text.slice(0, at))

/** A capitalized word at the beginning of a sentence is a name only if the name has more words. */
export const names = (text: string): string[] => {
  const found: { name: string; end: number; start: number; parts: number }[] = []
  for (const match of text.matchAll(word)) {
    const name = clean(match[0])
    if (name === '' || common(name)) continue
    const last = found.at(-1)
    if (last && joins.test(text.slice(last.end, match.index)) && !/[.!?]$/.test(text.slice(last.start, last.end))) {
      last.name = text.slice(last.start, match.index) + name
      last.end = match.index + match[0].length
      last.parts += 1
    } else found.push({ name, start: match.index, end: match.index + match[0].length, parts: 1 })
  }
  const sure = found.filter(
    ({ name, start, parts }) => parts > 1 || !first(text, start) || /\p{Lu}.*[\p{Lu}\p{N}]|_/u.test(name),
  )
  return [...new Set(sure.map(({ name }) => name))]
}
