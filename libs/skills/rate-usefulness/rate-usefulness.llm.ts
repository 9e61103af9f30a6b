import type { Claim } from '@plumbline/contracts'
import { AnswerPart, Confidence, Usefulness } from '@plumbline/contracts'
import { sentences, withoutCitations } from '@plumbline/knowledge/text'
import { z } from 'zod'
import { askModel } from '../asking/ask-model'
import type { ModelOf } from '../asking/asking'
import type { RateUsefulness } from './rate-usefulness'
import { rateUsefulnessPrompt } from './rate-usefulness.prompt'

const Rated = z.object({
  parts: z.array(AnswerPart.extend({ claims: z.array(z.int()) })).min(1),
  usefulness: Usefulness,
  confidence: Confidence,
  tooBroad: z.boolean(),
})

/** Where no check was made, every sentence is taken as it stands. */
const unchecked = (text: string): Claim[] =>
  sentences(text).map((sentence) => ({
    text: withoutCitations(sentence),
    kind: 'fact',
    verdict: 'supported',
    reason: '',
    passageId: null,
  }))

/** A part is settled only by sentences that stood, whatever the model says. */
const held = (part: z.infer<typeof Rated>['parts'][number], claims: Claim[]): AnswerPart => {
  const stands = part.claims.some((n) => claims[n - 1]?.verdict === 'supported')
  return { what: part.what, outcome: stands ? part.outcome : 'missed' }
}

const atMost = (parts: AnswerPart[]): number => {
  if (parts.every(({ outcome }) => outcome === 'missed')) return 1
  return parts.some(({ outcome }) => outcome === 'answered') ? 5 : 2
}

export const llmRateUsefulness =
  (chat: ModelOf): RateUsefulness =>
  async ({ question, steps, text, claims: checked, evidence }, call) => {
    const claims = checked.length > 0 ? checked : unchecked(text)
    const input = { question, steps, claims, evidence }
    const asked = await askModel({
      chat,
      skill: 'rateUsefulness',
      prompt: rateUsefulnessPrompt,
      input,
      call,
      schema: Rated,
    })
    if (asked.kind === 'refused') {
      const asking = steps.length > 0 ? steps : [question]
      return {
        usefulness: 1,
        confidence: 0,
        parts: asking.map((what) => ({ what, outcome: 'missed' })),
        tooBroad: false,
      }
    }
    const { usefulness, confidence, tooBroad } = asked.value
    const parts = asked.value.parts.map((part) => held(part, claims))
    return { usefulness: Math.min(usefulness, atMost(parts)), confidence, parts, tooBroad }
  }
