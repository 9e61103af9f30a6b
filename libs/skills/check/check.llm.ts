import type { AnswerPart, Claim, Evidence, Passage, Working } from '@plumbline/contracts'
import { Confidence, AnswerPart as Part, Usefulness, Verdict } from '@plumbline/contracts'
import { type Piece, piecesOf } from '@plumbline/knowledge/claims/pieces'
import { strayAddresses } from '@plumbline/knowledge/claims/addresses'
import { strayFigures } from '@plumbline/knowledge/claims/figures'
import { withoutPieces } from '@plumbline/knowledge/claims/without-pieces'
import { z } from 'zod'
import { type Asked, askModel, type ModelOf } from '../skill/ask-model'
import { inOrder, type Numbered, numbered, today, withinBudget } from '../skill/prompt'
import type { Check } from '../skill/skill'
import { asPassage, valuesOf, workingHolds } from '../skill/workings'
import { supportOf } from './check.offline'
import { checkPrompt } from './check.prompt'

/** `held`: all passages that were found. Any of them may contain the inputs of a working (a checked calculation). */
type Known = { question: string; workings: readonly Working[]; held?: readonly Passage[] }

/** Returns whether a text still contains braces, which mark a calculation that failed. */
const isUnworked = (text: string): boolean => text.includes('{{')

/**
 * Returns why a claim is unsupported although the model supports it, or null. The next draft gets this reason.
 * Addresses must occur in the cited passages. Figures must occur there, in a valid calculation or in the question.
 * Today's date is allowed, because every prompt states it.
 */
export const overrule = (raw: string, cited: Passage[], { question, workings, held = [] }: Known): string | null => {
  const addresses = strayAddresses(raw, cited)
  if (addresses.length > 0) return `${addresses.join(', ')} stands in none of the passages it cites.`
  const known = workings.flatMap((working) => valuesOf(working, question, held))
  const figures = strayFigures(raw, [...cited, asPassage(question)], known, [today()])
  if (figures.length > 0)
    return `${figures.join(', ')} stands in none of the passages it cites, and is no figure that was worked out.`
  return isUnworked(raw) ? 'It holds a calculation that could not be worked out.' : null
}

const saysNothing = 'It states nothing that can be checked: leave it out.'

const Supported = z.object({ claim: z.int(), passage: z.int().nullable() })
const Failed = z.object({
  claim: z.int(),
  verdict: Verdict.exclude(['supported']),
  reason: z.string().min(1),
  passage: z.int().nullable(),
  conflictsWith: z.int().nullable(),
})
/**
 * The verdict of the model. Only failed claims have a reason, because output tokens cost time. The reason for a
 * supported claim is its passage.
 */
const Judged = z.object({
  supported: z.array(Supported),
  failed: z.array(Failed),
  nothing: z.array(z.int()),
  parts: z.array(Part.extend({ claims: z.array(z.int()) })).min(1),
  usefulness: Usefulness,
  tooBroad: z.boolean(),
  why: z.string().nullable(),
  sensitive: z.boolean(),
  outdated: z.array(z.int()),
  lowAuthority: z.array(z.int()),
  confidence: Confidence,
})
type Judged = z.infer<typeof Judged>
type Judgement = { verdict: Verdict | 'nothing'; reason: string; passage: number | null; conflictsWith: number | null }

const bySource = 'Its passage states it.'

/** Returns all judgements of one claim. A valid reply judges each claim exactly once. */
const judgementsOf = ({ supported, failed, nothing }: Judged, n: number): Judgement[] => [
  ...supported
    .filter(({ claim }) => claim === n)
    .map(({ passage }) => ({ verdict: 'supported' as const, reason: bySource, passage, conflictsWith: null })),
  ...failed.filter(({ claim }) => claim === n),
  ...nothing
    .filter((claim) => claim === n)
    .map(() => ({ verdict: 'nothing' as const, reason: saysNothing, passage: null, conflictsWith: null })),
]

/**
 * `held`: all passages with their full text. `shown`: the passages as the prompt shows them, with long ones shortened.
 */
type CheckContext = { question: string; shown: Numbered[]; held: Evidence[]; workings: Working[] }
type Settled = Claim & { says: 'something' | 'nothing' }

const failed = (text: string, kind: Claim['kind'], reason: string): Settled => ({
  text,
  kind,
  verdict: 'unsupported',
  reason,
  passageId: null,
  says: 'something',
})

/**
 * Returns why a claim is unsupported, or null. Needs no model: a claim without a cited passage is unsupported. A figure
 * that is calculated from the question alone is an exception.
 */
const unfounded = ({ text, marks }: Piece, cited: Evidence[], workings: Working[]): string | null => {
  if (cited.length > 0) return null
  if (marks.length > 0) return 'What it cites is not among the evidence.'
  return workings.some(({ what, inputs }) => what === text && inputs.every(({ passageId }) => passageId === null))
    ? null
    : 'It cites no passage.'
}

/** Derives the kind of a claim from its text, so that the model need not output it. */
const kindOf = (text: string): Claim['kind'] => (/\p{Nd}/u.test(text) ? 'number' : 'fact')

const settled = (piece: Piece, cited: Evidence[], judgements: Judgement[], scene: CheckContext): Settled => {
  const { text, raw } = piece
  const [judgement] = judgements
  if (!judgement || judgements.length > 1) return failed(text, 'fact', 'The check gave no single judgement of it.')
  const { verdict, passage, conflictsWith } = judgement
  const kind = kindOf(text)
  const idOf = (n: number | null): string | undefined => scene.shown.find((each) => each.n === n)?.passage.id
  if (verdict === 'nothing') return { ...failed(text, kind, saysNothing), says: 'nothing' }
  const against =
    verdict === 'supported' ? (unfounded(piece, cited, scene.workings) ?? overrule(raw, cited, scene)) : null
  if (against !== null) return failed(text, kind, against)
  const passageId = idOf(passage) ?? (verdict === 'supported' ? cited[0]?.id : undefined) ?? null
  const conflict = idOf(conflictsWith)
  return {
    ...{ text, kind, verdict, reason: judgement.reason, passageId, says: 'something' as const },
    ...(conflict !== undefined && conflict !== passageId && { conflictsWith: conflict }),
  }
}

const faultIn = (judged: Judged, count: number): string | null => {
  const all = Array.from({ length: count }, (_, at) => at + 1)
  const left = all.filter((n) => judgementsOf(judged, n).length !== 1)
  return left.length === 0 ? null : `Each claim must be named exactly once; look at ${left.join(', ')}.`
}

/** Returns a part of the answer. A part without any supported claim is missed, even if the model rates it higher. */
const partOf = (part: Judged['parts'][number], claims: Claim[]): AnswerPart => {
  const stands = part.claims.some((n) => claims[n - 1]?.verdict === 'supported')
  return { what: part.what, outcome: stands ? part.outcome : 'missed' }
}

/**
 * Returns the highest usefulness rating that the outcomes allow. A correct "the documents do not say" is rated like an
 * answer.
 */
const atMost = (parts: AnswerPart[]): number => {
  if (parts.every(({ outcome }) => outcome !== 'missed')) return 5
  return parts.some(({ outcome }) => outcome !== 'missed') ? 3 : 1
}

const bare = ({ says: _, ...claim }: Settled): Claim => claim

/**
 * Deletes pieces that state nothing if all other pieces are supported. Otherwise the pieces remain, and the next draft
 * omits them.
 */
const withoutNothing = (text: string, pieces: Piece[], claims: Settled[]): { claims: Claim[]; text?: string } => {
  const telling = claims.filter(({ says }) => says === 'something')
  const stands = telling.length > 0 && telling.every(({ verdict }) => verdict === 'supported')
  if (!stands || telling.length === claims.length) return { claims: claims.map(bare) }
  const gone = pieces.filter((_, at) => claims[at]?.says === 'nothing')
  return { claims: telling.map(bare), text: withoutPieces(text, gone) }
}

const refused = (pieces: Piece[], asking: string[], reason: string) => ({
  claims: pieces.map(({ text }) => bare(failed(text, 'fact', `The model refused to check it: ${reason}`))),
  parts: asking.map((what): AnswerPart => ({ what, outcome: 'missed' })),
  support: 'none' as const,
  confidence: 0,
  tooBroad: false,
})

/**
 * Returns the `check` skill of a model. One call judges every piece against the evidence, and the draft against the
 * question.
 */
export const llmCheck =
  (chat: ModelOf, evidenceTokens: number): Check =>
  async ({ question, steps, text, citations, evidence, workings: claimed = [] }, call) => {
    call.signal.throwIfAborted()
    const pieces = piecesOf(text)
    const held = inOrder(evidence)
    const shown = numbered(withinBudget(evidenceTokens, `${question}\n${text}`, held))
    const stands = await Promise.all(claimed.map((working) => workingHolds(working, question, held)))
    const workings = claimed.filter((_, at) => stands[at])
    const citedBy = ({ marks }: Piece): Evidence[] => {
      const ids = citations.flatMap(({ n, passageId }) => (marks.includes(n) ? [passageId] : []))
      return held.filter(({ id }) => ids.includes(id))
    }
    const claims = pieces.map((piece) => {
      const cited = citedBy(piece)
      return {
        text: piece.text,
        marks: shown.flatMap(({ n, passage }) => (cited.some(({ id }) => id === passage.id) ? [n] : [])),
      }
    })
    const asking = steps.length > 0 ? steps : [question]
    if (pieces.length === 0) return refused([], asking, '')
    const input = { question, steps, passages: shown, workings, claims }
    const asked: Asked<Judged> = await askModel({
      ...{ chat, skill: 'check' as const, prompt: checkPrompt, input, call, schema: Judged },
      faultIn: (value) => faultIn(value, claims.length),
    })
    if (asked.kind === 'refused') return refused(pieces, asking, asked.reason)
    const judged = asked.value
    const scene = { question, shown, held, workings }
    const all = pieces.map((piece, at) => settled(piece, citedBy(piece), judgementsOf(judged, at + 1), scene))
    const parts = judged.parts.map((part) => partOf(part, all))
    const { usefulness, confidence, tooBroad, why, sensitive } = judged
    const idsOf = (numbers: number[]): string[] =>
      shown.flatMap(({ n, passage }) => (numbers.includes(n) ? [passage.id] : []))
    const left = withoutNothing(text, pieces, all)
    return {
      ...left,
      ...{ parts, support: supportOf(left.claims), confidence, tooBroad },
      usefulness: Math.min(usefulness, atMost(parts)),
      ...(why && { why }),
      evidence: { sensitive, outdated: idsOf(judged.outdated), lowAuthority: idsOf(judged.lowAuthority) },
    }
  }
