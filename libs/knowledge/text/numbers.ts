import { scales, units } from './units'
import { fold } from './words'

export type Quantity = { value: number; unit: string; raw: string }

const spelt =
  'zero - two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  )
const ordinals = '- first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' ')

const digits =
  /(?<![\p{L}\p{N}_.,]|\p{L}-)([$€£]\s?)?([-+]?)(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(st|nd|rd|th)?(?![\p{N}_])\s?-?(thousand|million|billion|trillion|mn|bn|[kmb])?(?![\p{L}\p{N}])/giu
const follows = /^\s?-?(%|°[cf]|per cent|[\p{L}][\p{L}\p{N}/]*)/iu

const unitAfter = (rest: string): string => {
  const word = follows.exec(rest)?.[1]?.toLowerCase() ?? ''
  return units[word] ?? units[word.replace(/s$/, '')] ?? (/^[\p{L}\d]+\/\p{L}+$/u.test(word) ? word : '')
}
const attached = /(?<![\p{L}\p{N}_.,]|\p{L}-)([-+]?)(\d+(?:\.\d+)?)(?=(%|°[cf]|\p{L}{1,4})(?![\p{L}\p{N}]))/giu

type Found = Quantity & { at: number }

const written = (text: string): Found[] =>
  Array.from(text.matchAll(digits), (match) => {
    const [raw, money, sign, digit = '', ordinal, scale] = match
    const rest = text.slice(match.index + raw.length)
    const value = Number(digit.replaceAll(',', '')) * (scale ? (scales[scale.toLowerCase()] ?? 1) : 1)
    const unit = ordinal ? 'th' : money ? (units[money.trim()] ?? '') : unitAfter(rest)
    return { value: sign === '-' ? -value : value, unit, raw: raw.trim(), at: match.index }
  })

/** `10ms`, `5GB`: a unit written onto its number. */
const joined = (text: string): Found[] =>
  Array.from(text.matchAll(attached), (match) => ({
    value: Number(match[2]) * (match[1] === '-' ? -1 : 1),
    unit: units[match[3]?.toLowerCase() ?? ''] ?? '',
    raw: match[0] + (match[3] ?? ''),
    at: match.index,
  })).filter((found) => found.unit !== '')

const named = (text: string): Found[] =>
  Array.from(text.matchAll(/\b[a-z]+\b/gi), (match) => {
    const word = match[0].toLowerCase()
    const rest = text.slice(match.index + word.length)
    const ordinal = ordinals.indexOf(word)
    if (ordinal > 0) return { value: ordinal, unit: 'th', raw: match[0], at: match.index }
    const scale = scales[/^\s(thousand|million|billion)/i.exec(rest)?.[1]?.toLowerCase() ?? ''] ?? 1
    return {
      value: word === '' ? -1 : spelt.indexOf(word) * scale,
      unit: unitAfter(rest),
      raw: match[0],
      at: match.index,
    }
  }).filter((found) => found.value >= 0 && found.raw.length > 2)

/** A citation mark is no number of the text. */
export const withoutCitations = (text: string): string => text.replace(/\s?\[\d+(?:\s*,\s*\d+)*\]/g, '')

/** The numbers of a text with their units, in order, spelt ones (`three`, `second`) too. Digits inside identifiers are not numbers. */
export const numbers = (text: string): Quantity[] => {
  const plain = withoutCitations(text)
    .normalize('NFKC')
    .replace(/[‐-―−]/g, '-')
    .replace(/(?<=\d)-(?=[$€£]?\d)/g, ' - ')
    .replace(/(?<=\d) - (?=\d)/g, '  ')
  const all = [...written(plain), ...joined(plain), ...named(plain)].sort((a, b) => a.at - b.at)
  return spread(
    all.filter((found, index) => all.findIndex((other) => other.at === found.at) === index),
    plain,
  )
}

/** In `20–30 seconds` the unit belongs to both. */
const spread = (found: Found[], text: string): Quantity[] =>
  found.map(({ at, ...quantity }, index) => {
    const next = found[index + 1]
    const between = next ? text.slice(at + quantity.raw.length, next.at) : ''
    return quantity.unit === '' && next && /^(?:\s{2}|\s(?:to|or|and)\s)$/.test(between)
      ? { ...quantity, unit: next.unit }
      : quantity
  })

/** The years a text names, in order, once each. */
export const years = (text: string): string[] => [
  ...new Set(
    Array.from(
      fold(withoutCitations(text)).matchAll(
        /(?<![\p{L}\p{N}_.,$€£]|\d-\d)(?:fy\s?)?((?:1[5-9]|20|21)\d\d)(?:s)?(?![\p{L}\p{N}_%]|[.,]\d)/gu,
      ),
      (match) => match[1] ?? '',
    ),
  ),
]
