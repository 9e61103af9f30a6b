import type { Passage } from '@plumbline/contracts'

/** `share` returns which share of the wanted text the given passages contain, from 0 to 1. */
type Wanted = { share: (passages: readonly Passage[]) => number }
export type Query = { id: string; text: string; wanted: Wanted[]; collection?: string }

const squeezed = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()

/**
 * `head`: how many first characters of `whole` are the end of the text. `tail`: how many last characters of `whole` are
 * the beginning of the text. A quote that is split between two passages has both parts.
 */
const reach = (text: string, whole: string): { head: number; tail: number } => {
  if (text.includes(whole)) return { head: whole.length, tail: whole.length }
  let head = 0
  let tail = 0
  for (let size = Math.min(text.length, whole.length) - 1; size > 0 && (head === 0 || tail === 0); size -= 1) {
    if (head === 0 && text.endsWith(whole.slice(0, size))) head = size
    if (tail === 0 && text.startsWith(whole.slice(-size))) tail = size
  }
  return { head, tail }
}

export const shareOf = (quote: string, documentIds: readonly string[]) => {
  const whole = squeezed(quote)
  return (passages: readonly Passage[]): number => {
    const reached = passages
      .filter(({ documentId }) => documentIds.includes(documentId))
      .map((passage) => reach(squeezed(passage.text), whole))
    const [head, tail] = [
      Math.max(0, ...reached.map((one) => one.head)),
      Math.max(0, ...reached.map((one) => one.tail)),
    ]
    return Math.min(1, (head + tail) / whole.length)
  }
}
