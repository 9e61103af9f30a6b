import { coverage, requests, subjectWords, words } from '@plumbline/knowledge/text'
import { vocabularyOf } from '@plumbline/knowledge/tables'
import { bearings } from '../reading/bearing'
import { asksForData, lookUp } from '../reading/lookup'
import type { RefineEvidence } from './refine-evidence'
import { stripsOf } from './strips'

const bar = 0.4
const nearBest = 0.6

/** A table is one strip: a row without its header says nothing. Prose is cut at sentences. */
export const offlineRefineEvidence: RefineEvidence = async ({ question, passage }, { signal }) => {
  signal.throwIfAborted()
  const lookups = lookUp(question, vocabularyOf([passage]))
  const wantsTable = asksForData(lookups, vocabularyOf([passage]))
  const scores = new Map<string, number>()
  for (const request of requests(question))
    for (const { text, score } of bearings(request, [passage])) scores.set(text, Math.max(score, scores.get(text) ?? 0))
  const best = Math.max(0, ...scores.values())
  const asked = subjectWords(question)
  const kept = stripsOf(passage.text).filter(({ kind, text, plain }) => {
    if (kind === 'table') return wantsTable || coverage(asked, words(text)) >= bar
    const score = scores.get(plain) ?? 0
    return score >= bar && score >= best * nearBest
  })
  return kept.map(({ text }) => text)
}
