import type { Claim, ReviewView } from '@plumbline/contracts'

export type CitedDraft = Pick<ReviewView['draft'], 'text' | 'citations'>

export const numbersIn = (text: string): number[] => [
  ...new Set(Array.from(text.matchAll(/\[(\d{1,3})\]/g), ([, n]) => Number(n))),
]
export const withoutNumbers = (text: string): string => text.replace(/\s*\[\d{1,3}\]/g, '')

/** Returns the citation numbers in the claim, or else after its text in the draft, or else those of its passage. */
export const citedBy = ({ text, passageId }: Claim, { text: draft, citations }: CitedDraft): number[] => {
  const own = numbersIn(text)
  if (own.length > 0) return own
  const words = withoutNumbers(text).replace(/[.!?]+$/, '')
  const at = words === '' ? -1 : draft.indexOf(words)
  const behind = at < 0 ? undefined : /^(?:\s*\[\d{1,3}\])+/.exec(draft.slice(at + words.length))?.[0]
  if (behind !== undefined) return numbersIn(behind)
  return citations.filter((one) => one.passageId === passageId).map(({ n }) => n)
}
