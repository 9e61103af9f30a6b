import type { Claim } from '@plumbline/contracts'
import { vocabularyOf } from '@plumbline/knowledge/tables'
import { sentences, withoutCitations } from '@plumbline/knowledge/text'
import { lookUp } from '../reading/lookup'
import { isTooBroad } from './breadth'
import { fit } from './fit'
import type { Rated } from './parts'
import { ratedParts } from './parts'
import type { RateUsefulness } from './rate-usefulness'

/** Where no check was made, every sentence is taken as it stands. */
const unchecked = (text: string): Claim[] =>
  sentences(text).map((sentence) => ({
    text: withoutCitations(sentence),
    kind: 'fact',
    verdict: 'supported',
    reason: '',
    passageId: null,
  }))

/** 5 all answered · 4 answered but for what the documents lack · 3 and 2 partly · 2 all lacking · 1 nothing. */
const usefulnessOf = (parts: Rated[], text: string, question: string): number => {
  const share = (outcome: Rated['outcome']): number =>
    parts.filter((part) => part.outcome === outcome).length / Math.max(1, parts.length)
  if (share('answered') === 1) return fit(question, text) >= 0.25 ? 5 : 3
  if (share('not-in-documents') === 1) return 2
  if (share('missed') === 0) return 4
  return share('answered') >= 0.5 ? 3 : share('answered') + share('not-in-documents') > 0 ? 2 : 1
}

const byForm = (question: string, text: string): { usefulness: number; confidence: number } => {
  const score = fit(question, text)
  return { usefulness: 1 + Math.round(4 * score), confidence: Math.abs(score - 0.5) + 0.4 }
}

export const offlineRateUsefulness: RateUsefulness = async (
  { question, steps, text, claims, evidence },
  { signal },
) => {
  signal.throwIfAborted()
  const vocabulary = vocabularyOf(evidence)
  const parts = ratedParts(
    steps.length > 0 ? steps : [question],
    claims.length > 0 ? claims : unchecked(text),
    evidence,
    vocabulary,
  )
  const tooBroad = isTooBroad(question, evidence, lookUp(question, vocabulary))
  const listed = parts.map(({ what, outcome }) => ({ what, outcome }))
  if (evidence.length === 0 && claims.length === 0) return { ...byForm(question, text), parts: listed, tooBroad }
  const confidence = parts.length === 0 ? 0.5 : parts.reduce((sum, part) => sum + part.confidence, 0) / parts.length
  return { usefulness: usefulnessOf(parts, text, question), confidence, parts: listed, tooBroad }
}
