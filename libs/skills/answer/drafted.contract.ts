import type { Evidence } from '@plumbline/contracts'
import { piecesOf } from '@plumbline/knowledge/claims'
import { expect } from 'vitest'
import type { Drafted } from '../skill'

const flat = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** What every draft keeps to: each piece cites passages that were given, and quotes are word for word. */
export const keepsToItsEvidence = (draft: Drafted, evidence: readonly Evidence[]): void => {
  const given = new Map(evidence.map((passage) => [passage.id, flat(passage.text)]))
  if (draft.kind === 'refused') expect(draft.reason).not.toBe('')
  if (draft.kind === 'written') {
    const cited = new Map(draft.citations.map(({ n, passageId }) => [n, passageId]))
    expect(draft.text.trim()).not.toBe('')
    for (const { text, marks } of piecesOf(draft.text)) {
      expect(marks.length, text).toBeGreaterThan(0)
      for (const n of marks) expect([...given.keys()]).toContain(cited.get(n))
    }
  }
  const quotes = draft.kind === 'refused' ? [] : (draft.quotes ?? [])
  if (draft.kind === 'quoted') expect(quotes.length).toBeGreaterThan(0)
  for (const { passageId, text, marks } of quotes) {
    for (const line of text.split(/…|\n/)) expect(given.get(passageId)).toContain(flat(line))
    for (const [from, to] of marks) expect(text.slice(from, to)).toMatch(/^\S(?:.*\S)?$/su)
  }
}
