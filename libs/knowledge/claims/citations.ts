import { oneLine, sentenceSpans, tokens } from '../text'

export const citationPattern = String.raw`\[\d{1,2}(?:\s*,\s*\d{1,2})*\]`
const codeSpanPattern = String.raw`(?<!\x60)(\x60+)(?!\x60)[^]*?[^\x60]\1(?!\x60)`
/** Code spans are matched only to skip them, because `list[1]` in code is not a citation. */
const citation = new RegExp(String.raw`${codeSpanPattern}|(?<!\s)(\s*${citationPattern})`, 'g')
const closers = String.raw`["'”’»)\]*_~]*`
const runs = String.raw`(?<!\s)(?:\s*${citationPattern})+`
/** Matches the end of a sentence that ends with a citation, even if the next word begins with a lower-case letter. */
const citedEnd = new RegExp(
  String.raw`(?:${runs}${closers}[.!?…]+${closers}|[.!?…]+${closers}${runs}${closers})\s+(?=\S)(?!${citationPattern})`,
  'g',
)
/** These characters are removed, because a word that contains one would differ from the same word without it. */
const invisible = /[\u00ad\u200b-\u200d\u2060\ufeff]/g
const numbered = /&#(?:x([\da-f]{1,5})|(\d{1,6}));/gi

const codeSpan = new RegExp(codeSpanPattern, 'g')
export const withoutCodeSpans = (text: string): string => text.replace(codeSpan, '')
export const isInCodeSpan = (text: string, at: number): boolean =>
  Array.from(text.matchAll(codeSpan)).some(({ 0: all, index }) => index < at && at < index + all.length)

/** Returns the text as a reader sees it: with entities such as `&#65;` replaced, and without invisible characters. */
export const asShown = (text: string): string =>
  text
    .replace(numbered, (_all: string, hex?: string, digits?: string) =>
      String.fromCodePoint(hex ? parseInt(hex, 16) : Number(digits)),
    )
    .normalize('NFKC')
    .replace(invisible, '')

export const marksIn = (text: string): number[] => {
  const found = Array.from(text.matchAll(citation), ([, , mark]) => mark ?? '').join()
  return [...new Set(Array.from(found.matchAll(/\d+/g), ([digits]) => Number(digits)))]
}

const replaced = (text: string, by: (mark: string) => string): string =>
  text.replace(citation, (all: string, _ticks?: string, mark?: string) => (mark === undefined ? all : by(all)))

/** Replaces each citation by spaces of the same length, so that positions in the text stay valid. */
export const blankCitations = (text: string): string => replaced(text, (mark) => ' '.repeat(mark.length))

export const oneVisibleLine = (text: string): string => oneLine(text.replace(invisible, ''))
export const withoutCitations = (text: string): string => oneVisibleLine(replaced(text, () => ''))

/**
 * Returns true if a text ends with a possible abbreviation, such as `Dr.`. The text is not split there. This is safe:
 * if a sentence did end there, both sentences are checked together.
 */
const endsShort = (said: string): boolean =>
  /(?:^|[^\p{L}\p{N}])(?:[\p{L}\p{N}]{1,3}|\p{Lu}\p{Ll}{3})\.\s*$/u.test(said)

const isOneWord = (said: string): boolean => tokens(said).length < 2

/**
 * Returns true if a text ends with a short abbreviation, such as `e.g.`. Before a lower-case letter, even a citation
 * after such an abbreviation does not end the sentence.
 */
const endsShorter = (said: string): boolean => /(?:^|[^\p{L}\p{N}])(?:\p{L}\.)*\p{L}{1,2}\.\s*$/u.test(said)

const isSmall = (rest: string): boolean => /^["'“‘(*_]*\p{Ll}/u.test(rest)
const isNumberAfterPoint = (said: string, rest: string): boolean => /\.\s*$/.test(said) && /^\p{Nd}/u.test(rest)

/**
 * Returns the positions where a new sentence begins. A sentence can begin with a lower-case letter, or with a number
 * after a period, only if a citation precedes it.
 */
export const sentenceStarts = (text: string): number[] => {
  const plain = blankCitations(text).replace(/…/g, '.')
  const strong = Array.from(text.matchAll(citedEnd), ({ 0: all, index }) => ({
    point: index + 1,
    next: index + all.length,
  }))
    .filter(({ point, next }) => !(endsShorter(text.slice(0, point)) && isSmall(text.slice(next))))
    .map(({ next }) => next)
  const found = sentenceSpans(plain).map(({ from }) => from)
  const weak = found.slice(1).filter((at, n) => {
    const [before, rest] = [plain.slice(found[n] ?? 0, at), plain.slice(at)]
    if (/[.!?][^\s]*$/.test(before)) return false
    return !endsShort(before) && !isOneWord(before) && !isSmall(rest) && !isNumberAfterPoint(before, rest)
  })
  const all = [...new Set([...weak, ...strong])].sort((a, b) => a - b)
  return all.filter((at, n) => /[\p{L}\p{N}\p{S}]/u.test(plain.slice(all[n - 1] ?? 0, at)))
}
