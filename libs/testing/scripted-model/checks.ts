import { placesIn, stepsIn, withoutMarks, wordsOf, type Shown, type ShownPassage } from './shown'

type Judgement = { reason: string; verdict: 'supported' | 'unsupported'; passage: number | null }
/** Decides one claim by the passages that are shown. */
export type Judge = (claim: string, passages: ShownPassage[]) => Judgement

const isAbsence = (claim: string): boolean => /\b(?:do not report|not reported)\b/i.test(claim)

const bare = (text: string): string => withoutMarks(text).replace(/[.!:;。]+$/u, '')

/** Whether a claim is said at one place of a passage: word for word, or by nothing but words of that place, its table's header and the passage's head. */
const stands = (claim: string, passage: ShownPassage): boolean => {
  const words = wordsOf(claim)
  return placesIn(passage).some((place) => {
    const there = new Set(wordsOf(`${passage.head}\n${place.words}`))
    return bare(place.text) === bare(claim) || (words.length > 0 && words.every((word) => there.has(word)))
  })
}

export const honestly: Judge = (claim, passages) => {
  if (isAbsence(claim)) return { reason: 'No passage reports it.', verdict: 'supported', passage: null }
  const found = passages.find((passage) => stands(claim, passage))
  return found
    ? { reason: 'All its words stand there.', verdict: 'supported', passage: found.n }
    : { reason: 'No passage has all its words at one place.', verdict: 'unsupported', passage: null }
}

export const agreeably: Judge = (_, passages) => ({
  reason: 'It sounds right.',
  verdict: 'supported',
  passage: passages[0]?.n ?? null,
})

type Checked = Judgement & { claim: number; text: string }

const claimsBy = (judge: Judge, { numbered, passages }: Shown): Checked[] =>
  numbered('claim').map(({ n, text }) => ({ claim: n, text, ...judge(text, passages) }))

/** What claims that stand are worth: every part is answered by all of them, or said to be unreported. */
const worthOf = (shown: Shown, standing: { claim: number; text: string }[]) => {
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

export const checkBy = (judge: Judge) => (shown: Shown) => {
  const checked = claimsBy(judge, shown)
  return {
    claims: checked.map(({ claim, reason, verdict, passage }) => ({
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
