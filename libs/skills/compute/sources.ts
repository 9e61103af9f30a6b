import type { Evidence } from '@plumbline/contracts'
import { numbers } from '@plumbline/knowledge/text'

/** How often a year something happens, by the words for it. */
export const frequencies: [RegExp, number][] = [
  [/\b(?:daily|every day|each day)\b/i, 365],
  [/\bweekly\b|\b(?:every|each) week\b/i, 52],
  [/\bmonthly\b|\b(?:every|each) month\b/i, 12],
  [/\bquarterly\b|\b(?:every|each) quarter\b/i, 4],
  [/\b(?:semi-?annual(?:ly)?|half-?yearly|twice a year|bi-?annual(?:ly)?)\b/i, 2],
  [/\b(?:annual(?:ly)?|yearly|(?:every|each) year|once a year)\b/i, 1],
]

const near = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b))

/** Whether a value stands in a text: as a number, as a share of a hundred, or as the word for how often. */
export const standsIn = (text: string, value: number): boolean => {
  // Accounts write a loss in brackets.
  const held = numbers(`${text}\n${text.replace(/\(([$€£]?\d[\d,.]*)\)/g, ' -$1 ')}`)
  const share = /%|\bper ?cent|\bpercentage/i.test(text)
  return (
    held.some((quantity) => near(quantity.value, value) || (share && near(quantity.value, value * 100))) ||
    frequencies.some(([word, often]) => often === value && word.test(text))
  )
}

export const textOf = ({ title, headingPath, text }: Evidence): string => [title, ...headingPath, text].join('\n')

/** Numbers that stand in a formula for what they are: of counting, of the calendar, of a hundred. */
const known = new Set([0, 1, 2, 4, 7, 10, 12, 24, 52, 60, 100, 365, 1_000, 3_600, 1_000_000, 1_000_000_000])
export const isKnown = (value: number): boolean => known.has(value)
