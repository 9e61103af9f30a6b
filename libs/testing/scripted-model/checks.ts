import {
  knownIn,
  evidenceLines,
  stepsIn,
  withoutMarks,
  wordsOf,
  type PromptContent,
  type ShownPassage,
} from './prompt-content'

type Judgement = { reason: string; verdict: 'supported' | 'unsupported'; passage: number | null }
export type Judge = (claim: string, passages: ShownPassage[]) => Judgement

const isAbsence = (claim: string): boolean => /\b(?:do not report|not reported)\b/i.test(claim)

const bare = (text: string): string => withoutMarks(text).replace(/[.!:;。]+$/u, '')

/**
 * Returns whether a sentence or table row of the passage supports the claim. It must equal the claim or contain all its
 * words. Words of the table header and the title count too.
 */
const stands = (claim: string, passage: ShownPassage): boolean => {
  const words = wordsOf(claim)
  return evidenceLines(passage).some((place) => {
    const there = new Set(wordsOf(`${passage.head}\n${place.words}`))
    return bare(place.text) === bare(claim) || (words.length > 0 && words.every((word) => there.has(word)))
  })
}

export const honestly: Judge = (claim, passages) => {
  if (isAbsence(claim)) return { reason: 'No passage reports it.', verdict: 'supported', passage: null }
  const found = passages.find((passage) => stands(claim, passage))
  return found
    ? { reason: 'The passage has all its words.', verdict: 'supported', passage: found.n }
    : { reason: 'No passage has all its words in one position.', verdict: 'unsupported', passage: null }
}

export const agreeably: Judge = (_, passages) => ({
  reason: 'It sounds right.',
  verdict: 'supported',
  passage: passages[0]?.n ?? null,
})

type Checked = Judgement & { claim: number; text: string }

const claimsBy = (judge: Judge, { numbered, passages }: PromptContent): Checked[] =>
  numbered('claim').map(({ n, text }) => ({ claim: n, text, ...judge(text, passages) }))

/** Rates the answer. If only claims about missing information are supported, the outcome is `not-in-documents`. */
const worthOf = (shown: PromptContent, standing: { claim: number; text: string }[]) => {
  const telling = standing.filter(({ text }) => !isAbsence(text))
  const outcome = telling.length > 0 ? 'answered' : standing.length > 0 ? 'not-in-documents' : 'missed'
  const claims = (telling.length > 0 ? telling : standing).map(({ claim }) => claim)
  return {
    parts: stepsIn(shown).map((what) => ({ what, outcome, claims })),
    usefulness: telling.length > 0 ? 5 : 1,
    confidence: 0.9,
    tooBroad: false,
  }
}

export const checkBy = (judge: Judge) => (shown: PromptContent) => {
  const checked = claimsBy(judge, shown)
  return {
    claims: checked.slice(knownIn(shown)).map(({ claim, reason, verdict, passage }) => ({
      claim,
      kind: 'fact',
      reason,
      verdict,
      confidence: 0.9,
      passage,
      conflictsWith: null,
    })),
    ...worthOf(
      shown,
      checked.filter(({ verdict }) => verdict === 'supported'),
    ),
  }
}

export const checkPartBy = (judge: Judge) => (shown: PromptContent) => ({ claims: checkBy(judge)(shown).claims })
