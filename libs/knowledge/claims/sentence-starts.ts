import { sentenceSpans, tokens } from '../text'
import { blanked, citedEnd } from './citations'

/** A point after a word this short, or after a number, may be an abbreviation's; two sentences in one piece are checked together. */
const endsShort = (said: string): boolean =>
  /(?:^|[^\p{L}\p{N}])(?:[\p{L}\p{N}]{1,3}|\p{Lu}\p{Ll}{3})\.\s*$/u.test(said)

const isOneWord = (said: string): boolean => tokens(said).length < 2

/** `e.g.`, `cf.`: even a citation after it ends nothing. */
const endsShorter = (said: string): boolean => /(?:^|[^\p{L}\p{N}])(?:\p{L}\.)*\p{L}{1,2}\.\s*$/u.test(said)

const isSmall = (rest: string): boolean => /^["'“‘(*_]*\p{Ll}/u.test(rest)
const isNumberAfterPoint = (said: string, rest: string): boolean => /\.\s*$/.test(said) && /^\p{Nd}/u.test(rest)

/** Where the sentences of a block begin. Only a cited end parts a number or a word in small letters from what stands before it. */
export const sentenceStarts = (text: string): number[] => {
  const plain = blanked(text).replace(/…/g, '.')
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
