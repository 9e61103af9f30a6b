/** Whether a hyphen at a line's end belongs to the word; a document tells by how it writes the word elsewhere. */
export type Hyphens = (before: string, after: string) => boolean

const broken = /(?<head>\p{L}+)-$/u
const going = /^(?<tail>\p{Ll}+)/u

/** Keeps the hyphen of words seen written with it, unless they are also seen without. */
export const hyphensOf = (texts: readonly string[]): Hyphens => {
  const hyphenated = new Set<string>()
  const whole = new Set<string>()
  for (const [index, line] of texts.entries()) {
    const after = broken.test(texts[index - 1] ?? '')
    const text = line.replace(/\p{L}+-$/u, '').replace(after ? going : /$^/, '')
    for (const [word] of text.matchAll(/\p{L}+(?:-\p{L}+)+/gu)) hyphenated.add(word.toLowerCase())
    for (const [word] of text.matchAll(/\p{L}{4,}/gu)) whole.add(word.toLowerCase())
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

/** Lines as one text: a word broken at a line's end is whole again. */
export const joinLines = (lines: readonly string[], keeps: Hyphens): string =>
  lines.reduce((text, line) => {
    if (text === '' || line === '') return text + line
    if (/[\p{L}\d]-$/u.test(text) && !/\s-$/.test(text)) {
      if (/^[\d\p{Lu}]/u.test(line) || !broken.test(text)) return text + line
      if (going.test(line)) return keeps(text, line) ? text + line : text.slice(0, -1) + line
    }
    return /\/$/.test(text) && !/\s\/$/.test(text) && /^\S/.test(line) && /\w\/$/.test(text)
      ? text + line
      : `${text} ${line}`
  }, '')
