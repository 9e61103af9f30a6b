import type { Passage } from '@plumbline/contracts'
import { unitsIn } from '@plumbline/knowledge/quotes/units'
import { words } from '@plumbline/knowledge/text'
import type { RefineEvidence } from '../skill/skill'

export const splitIntoStrips = (passage: Passage): string[] => {
  const found: { block: number; from: number; to: number }[] = []
  for (const { kind, block, from, to, frame } of unitsIn(passage)) {
    const last = found.at(-1)
    const isPart = kind === 'row' || kind === 'code'
    if (isPart && last?.block === block) last.to = to
    else found.push({ block: isPart ? block : -1, from: kind === 'row' ? (frame.at(-1)?.from ?? from) : from, to })
  }
  return found.map(({ from, to }) => passage.text.slice(from, to))
}

export const offlineRefineEvidence: RefineEvidence = async ({ question, passage }, { signal }) => {
  signal.throwIfAborted()
  const asked = new Set(words(question))
  return splitIntoStrips(passage).filter((strip) => words(strip).some((word) => asked.has(word)))
}
