import { sentences, withoutCitations } from '@plumbline/knowledge/text'

/** One sentence of a draft, without its marks, and the numbers it cites. */
export type Claimed = { text: string; marks: number[] }

export const marksIn = (sentence: string): number[] =>
  Array.from(sentence.matchAll(/\[(\d+(?:\s*,\s*\d+)*)\]/g), (match) => (match[1] ?? '').split(',').map(Number)).flat()

export const claimsIn = (draft: string): Claimed[] =>
  sentences(draft)
    .map((sentence) => ({
      text: withoutCitations(sentence)
        .replace(/\s+([.!?])$/, '$1')
        .trim(),
      marks: marksIn(sentence),
    }))
    .filter(({ text }) => text !== '')
