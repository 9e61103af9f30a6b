import { createHash } from 'node:crypto'
import type { Claim, Evidence, Passage, Verdict, Working } from '@plumbline/contracts'
import { strayAddresses } from '@plumbline/knowledge/claims/addresses'
import { strayFigures } from '@plumbline/knowledge/claims/figures'
import { withoutCodeSpans } from '@plumbline/knowledge/claims/citations'
import { type Piece, piecesOf } from '@plumbline/knowledge/claims/pieces'
import { inDocumentOrder, type NumberedPassage, numberPassages, today, withinBudget } from '../skill/prompt'
import type { Check } from '../skill/skill'
import { asPassage, valuesOf, workingHolds } from '../skill/workings'

/** `held`: all found passages. The numbers of a calculation may come from any of them. */
type Known = { question: string; workings: readonly Working[]; held?: readonly Passage[] }

/** Outside code, `{{` shows that a calculation was not carried out. */
const isUnworked = (text: string): boolean => withoutCodeSpans(text).includes('{{')

/**
 * Returns why a claim fails although the model supports it, or null. Today's date is in every prompt, so it needs no
 * source.
 */
export const overrule = (
  raw: string,
  cited: Passage[],
  { question, workings, held = [] }: Known,
  isCode = false,
): string | null => {
  const addresses = strayAddresses(raw, cited)
  if (addresses.length > 0) return `The cited passages do not contain ${addresses.join(', ')}.`
  const known = workings.flatMap((working) => valuesOf(working, question, held))
  const figures = strayFigures(raw, [...cited, asPassage(question)], known, [today()], isCode)
  if (figures.length > 0)
    return `The cited passages do not contain ${figures.join(', ')}, and no calculation gave this result.`
  return !isCode && isUnworked(raw) ? 'The statement contains a calculation that could not be carried out.' : null
}

const saysNothing = 'The statement contains nothing that can be checked: remove it.'

export const bySource = 'The cited passage states this.'

export type Judgement = {
  verdict: Verdict | 'nothing'
  reason: string
  passage: number | null
  conflictsWith: number | null
}

/** `held`: full passages. `shown`: the passages as in the prompt, with long ones shortened. */
type CheckContext = { question: string; shown: NumberedPassage[]; held: Evidence[]; workings: Working[] }
export type Settled = Claim & { says: 'something' | 'nothing' }

export const failedClaim = (text: string, kind: Claim['kind'], reason: string): Settled => ({
  text,
  kind,
  verdict: 'unsupported',
  reason,
  passageId: null,
  says: 'something',
})

/** Returns why a statement has no valid citation, or null. A number calculated only from the question needs none. */
const unfounded = ({ text, marks }: Piece, cited: Evidence[], workings: Working[]): string | null => {
  if (cited.length < marks.length) return 'A cited passage is not part of the evidence.'
  if (cited.length > 0) return null
  return workings.some(({ what, inputs }) => what === text && inputs.every(({ passageId }) => passageId === null))
    ? null
    : 'The statement cites no passage.'
}

/** Derives the kind from the text, so that the model need not state it. */
const kindOf = (text: string): Claim['kind'] => (/\p{Nd}/u.test(text) ? 'number' : 'fact')

const settled = (piece: Piece, cited: Evidence[], judgements: Judgement[], scene: CheckContext): Settled => {
  const { text, raw, form } = piece
  const [judgement] = judgements
  if (!judgement || judgements.length > 1)
    return failedClaim(text, 'fact', 'The check did not return exactly one verdict for this statement.')
  const { verdict, passage, conflictsWith } = judgement
  const kind = kindOf(text)
  const idOf = (n: number | null): string | undefined => scene.shown.find((each) => each.n === n)?.passage.id
  if (verdict === 'nothing') return { ...failedClaim(text, kind, saysNothing), says: 'nothing' }
  const against =
    verdict === 'supported'
      ? (unfounded(piece, cited, scene.workings) ?? overrule(raw, cited, scene, form === 'code'))
      : null
  if (against !== null) return failedClaim(text, kind, against)
  const passageId = idOf(passage) ?? (verdict === 'supported' ? cited[0]?.id : undefined) ?? null
  const conflict = idOf(conflictsWith)
  return {
    ...{ text, kind, verdict, reason: judgement.reason, passageId, says: 'something' as const },
    ...(conflict !== undefined && conflict !== passageId && { conflictsWith: conflict }),
  }
}

export const onWeaker = (claim: Settled, weak: number[], { shown }: CheckContext): Settled => {
  const isWeak = (id: string): boolean => shown.some(({ n, passage }) => passage.id === id && weak.includes(n))
  const { verdict, conflictsWith, passageId, reason } = claim
  const rests = verdict !== 'supported' && conflictsWith !== undefined && passageId !== null && isWeak(passageId)
  return rests && !isWeak(conflictsWith)
    ? { ...claim, reason: `It rests only on the weaker of two passages that disagree. ${reason}` }
    : claim
}

type Draft = Pick<Parameters<Check>[0], 'question' | 'text' | 'citations' | 'evidence' | 'numbers' | 'workings'>

export const readDraft = async (draft: Draft, evidenceTokens: number) => {
  const { question, text, citations, evidence: held, numbers, workings: claimed = [] } = draft
  const pieces = piecesOf(text)
  const cited = citations.map(({ passageId }) => passageId)
  const shown = numberPassages(withinBudget(evidenceTokens, `${question}\n${text}`, held, cited), numbers)
  const stands = await Promise.all(claimed.map((working) => workingHolds(working, question, held)))
  const workings = claimed.filter((_, at) => stands[at])
  const citedBy = ({ marks }: Piece): Evidence[] =>
    marks.flatMap((mark) => {
      const passageId = citations.find(({ n }) => n === mark)?.passageId
      return held.filter(({ id }) => id === passageId)
    })
  const claims = pieces.map((piece) => {
    const cited = citedBy(piece)
    return {
      text: piece.text,
      marks: shown.flatMap(({ n, passage }) => (cited.some(({ id }) => id === passage.id) ? [n] : [])),
    }
  })
  const scene: CheckContext = { question, shown, held, workings }
  const settle = (piece: Piece, judgements: Judgement[]): Settled => settled(piece, citedBy(piece), judgements, scene)
  return { pieces, scene, claims, settle }
}

type CheckInputs = { model: string; prompts: string[]; question: string; steps: string[]; evidence: Evidence[] }

/** Hashes everything that affects a verdict except the draft. Verdicts with an equal hash can be reused. */
export const checkKey = ({ model, prompts, question, steps, evidence }: CheckInputs): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        ...[model, prompts, today(), question, steps],
        inDocumentOrder(evidence).map(({ id, text, authority }) => [id, text, authority]),
      ]),
    )
    .digest('base64url')
