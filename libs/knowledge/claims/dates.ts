import { months } from './locale-words'

/** What a text may mean by a date: a day of a year, or of any year where it names none. */
export type DateRead = { raw: string; at: number; days: string[]; parts: number[] }

const between = String.raw`\s?[./\u2010-\u2015\u5e74\u6708\ub144\uc6d4-]\s?`
const ordinal = String.raw`(?:\p{L}{1,2}(?!\p{L})|[.ºª])?`
/** `de`, `of`, `den`. */
const filler = String.raw`[\s,]\s*(?:\p{L}{2,3}\s+)?`
const forms = [
  String.raw`(?<y>\d{4})${between}(?<m>\d{1,2})${between}(?<d>\d{1,2})`,
  String.raw`(?<a>\d{1,2})${between}(?<b>\d{1,2})${between}(?<y>\d{4}|\d{2})`,
  String.raw`(?<d>\d{1,2})${ordinal}${filler}(?<name>\p{L}{3,})\.?(?:${filler}(?<y>\d{4}))?`,
  String.raw`(?<![\p{L}])(?<name>\p{L}{3,})\.?\s(?<d>\d{1,2})${ordinal}(?:${filler}(?<y>\d{4}))?`,
].map((form) => new RegExp(String.raw`(?<![\p{N}.,/-])${form}(?![\p{N}/-]|[.,]\d)`, 'giu'))

const yearsOf = (written: string | undefined): number[] => {
  if (written === undefined) return []
  return written.length === 4 ? [Number(written)] : [1900 + Number(written), 2000 + Number(written)]
}

const dayOf = (year: number | '', month: number, day: number): string => `${year}-${month}-${day}`

const read = (raw: string, at: number, found: Partial<Record<string, string>>): DateRead[] => {
  const named = found['name'] === undefined ? undefined : months.get(found['name'].toLowerCase())
  const orders: [number, number][] =
    found['a'] === undefined
      ? [[named ?? Number(found['m'] ?? 0), Number(found['d'])]]
      : [
          [Number(found['b']), Number(found['a'])],
          [Number(found['a']), Number(found['b'])],
        ]
  const right = orders.filter(([month, day]) => month >= 1 && month <= 12 && day >= 1 && day <= 31)
  const years = yearsOf(found['y'])
  const days = right.flatMap(([month, day]) =>
    (years.length > 0 ? years : ['' as const]).map((year) => dayOf(year, month, day)),
  )
  return days.length === 0 ? [] : [{ raw, at, days, parts: [...years, ...right.flat()] }]
}

/** The dates of a text, each with every day it may mean: `3/5/24` is in March or in May. */
export const datesIn = (text: string): DateRead[] =>
  forms.flatMap((form) =>
    Array.from(text.matchAll(form), ({ 0: raw, index, groups }) => read(raw, index, groups ?? {})).flat(),
  )
