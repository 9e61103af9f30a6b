import { words } from '@plumbline/knowledge/text'
import type { RefineEvidence } from '../skill'
import { stripsOf } from './strips'

/** The strips that share a word with the question. */
export const offlineRefineEvidence: RefineEvidence = async ({ question, passage }, { signal }) => {
  signal.throwIfAborted()
  const asked = new Set(words(question))
  return stripsOf(passage).filter((strip) => words(strip).some((word) => asked.has(word)))
}
