import type { AnswerPart, Claim } from '@plumbline/contracts'
import { Confidence, AnswerPart as Part, Usefulness, Verdict } from '@plumbline/contracts'
import type { Piece } from '@plumbline/knowledge/claims/pieces'
import { withoutPieces } from '@plumbline/knowledge/claims/without-pieces'
import { z } from 'zod'
import { askModel, type ModelOf, type StructuredResult } from '../skill/ask-model'
import { promptName } from '../skill/prompt'
import type { Call, Check, CheckPart } from '../skill/skill'
import { supportOf } from './check.offline'
import { checkPartPrompt, checkPrompt } from './check.prompt'
import { bySource, checkKey, failedClaim, type Judgement, onWeaker, readDraft, type Settled } from './settle'

const Other = z.object({
  claim: z.int(),
  verdict: z.enum([...Verdict.exclude(['supported']).options, 'nothing']),
  reason: z.string().min(1),
  passage: z.int().nullable(),
  conflictsWith: z.int().nullable(),
})
const Mark = z.enum(['absent', 'sensitive', 'outdated', 'lowAuthority'])
/** Supported claims are listed by number only, because output tokens cost time. */
const Verdicts = z.object({
  supported: z.array(z.int()),
  others: z.array(Other),
  marks: z.array(z.object({ mark: Mark, number: z.int().nullable() })),
})
type Verdicts = z.infer<typeof Verdicts>
const Judged = Verdicts.extend({
  parts: z.array(Part.extend({ claims: z.array(z.int()), why: z.string().nullable() })).min(1),
  usefulness: Usefulness,
  why: z.string().nullable(),
  tooBroad: z.string().nullable(),
  confidence: Confidence,
})
type Judged = z.infer<typeof Judged>

type ClaimVerdicts = Pick<Judged, 'supported' | 'others'>
const isSupported: Judgement = { verdict: 'supported', reason: bySource, passage: null, conflictsWith: null }

const judgementsOf = ({ supported, others }: ClaimVerdicts, n: number): Judgement[] => [
  ...supported.filter((claim) => claim === n).map(() => isSupported),
  ...others.filter(({ claim }) => claim === n),
]

const marked = ({ marks }: Pick<Judged, 'marks'>, wanted: z.infer<typeof Mark>): number[] =>
  marks.flatMap(({ mark, number }) => (mark === wanted && number !== null ? [number] : []))

const faultIn = (verdicts: ClaimVerdicts, known: number, count: number): string | null => {
  const all = Array.from({ length: count - known }, (_, at) => known + at + 1)
  const left = all.filter((n) => judgementsOf(verdicts, n).length !== 1)
  return left.length === 0 ? null : `Each claim must be named exactly once; look at ${left.join(', ')}.`
}

/** A part of the question without a supported claim counts as missed, whatever the model says. */
const partOf = ({ what, outcome, why, claims: numbers }: Judged['parts'][number], claims: Claim[]): AnswerPart => {
  const stands = numbers.some((n) => claims[n - 1]?.verdict === 'supported')
  if (stands && outcome !== 'missed') return { what, outcome }
  const reason = why?.trim() || (stands ? 'The answer leaves it out.' : 'No supported statement answers it.')
  return { what, outcome: 'missed', why: reason }
}

const lacking = (usefulness: number, why: string | null, parts: AnswerPart[]): string | undefined => {
  if (usefulness > poorUsefulness) return undefined
  const settledParts = parts.filter(({ outcome }) => outcome !== 'missed').length
  return why?.trim() || `The answer covers ${settledParts} of ${parts.length} ${parts.length === 1 ? 'part' : 'parts'}.`
}
/** The highest usefulness rating for which a reason is given. */
const poorUsefulness = 3

/** Returns the highest usefulness rating for the parts. A correct "the documents do not say" counts as an answer. */
const atMost = (parts: AnswerPart[]): number => {
  if (parts.every(({ outcome }) => outcome !== 'missed')) return 5
  return parts.some(({ outcome }) => outcome !== 'missed') ? 3 : 1
}

const bare = ({ says: _, ...claim }: Settled): Claim => claim

const withoutNothing = (text: string, pieces: Piece[], claims: Settled[]): { claims: Claim[]; text?: string } => {
  const telling = claims.filter(({ says }) => says === 'something')
  const stands = telling.length > 0 && telling.every(({ verdict }) => verdict === 'supported')
  if (!stands || telling.length === claims.length) return { claims: claims.map(bare) }
  const gone = pieces.filter((_, at) => claims[at]?.says === 'nothing')
  return { claims: telling.map(bare), text: withoutPieces(text, gone) }
}

const refused = (pieces: Piece[], asking: string[], reason: string) => ({
  claims: pieces.map(({ text }) => bare(failedClaim(text, 'fact', `The model refused to check it: ${reason}`))),
  parts: asking.map((what): AnswerPart => ({ what, outcome: 'missed', why: 'Nothing was checked.' })),
  support: 'none' as const,
  confidence: 0,
  tooBroad: false,
})

export const llmCheck =
  (chat: ModelOf, evidenceTokens: number): Check =>
  async ({ checked: earlier, onPassed, ...draft }, call) => {
    call.signal.throwIfAborted()
    const { question, steps, text } = draft
    const { pieces, scene, claims, settle } = await readDraft(draft, evidenceTokens)
    const { shown } = scene
    const { collections = [] } = draft
    const asking = steps.length > 0 ? steps : [question]
    if (pieces.length === 0) return refused([], asking, '')
    const key = keyOf(chat, draft, call)
    const known = earlier?.key === key ? knownOf(earlier.claims, pieces) : []
    const settleAll = (verdicts: ClaimVerdicts): Settled[] =>
      pieces.map((piece, at) => {
        const before = known[at]
        return before ? { ...before, says: 'something' } : settle(piece, judgementsOf(verdicts, at + 1))
      })
    const input = {
      ...{ question, steps, passages: shown, workings: scene.workings, claims, collections },
      known: known.length,
    }
    const asked: StructuredResult<Judged> = await askModel({
      ...{ chat, skill: 'check' as const, prompt: checkPrompt, input, call, schema: Judged },
      faultIn: (value) => faultIn(value, known.length, claims.length),
      ...(onPassed && {
        onText: verdictReader((verdicts) => {
          if (faultIn(verdicts, known.length, claims.length) === null)
            onPassed(passedFirst(settleAll(verdicts), verdicts), key)
        }),
      }),
    })
    if (asked.kind === 'refused') return refused(pieces, asking, asked.reason)
    const judged = asked.value
    const lowAuthority = marked(judged, 'lowAuthority')
    const all = settleAll(judged).map((claim) => onWeaker(claim, lowAuthority, scene))
    const parts = judged.parts.map((part) => partOf(part, all))
    const { confidence, tooBroad: broadWhy, marks } = judged
    const usefulness = Math.min(judged.usefulness, atMost(parts))
    const why = lacking(usefulness, judged.why, parts)
    const idsOf = (numbers: number[]): string[] =>
      shown.flatMap(({ n, passage }) => (numbers.includes(n) ? [passage.id] : []))
    const left = withoutNothing(text, pieces, all)
    return {
      ...left,
      ...{ parts, support: supportOf(left.claims), usefulness, confidence, tooBroad: broadWhy !== null },
      ...(broadWhy !== null && { broadWhy }),
      ...(why && { why }),
      evidence: {
        sensitive: marks.some(({ mark }) => mark === 'sensitive'),
        outdated: idsOf(marked(judged, 'outdated')),
        lowAuthority: idsOf(lowAuthority),
      },
    }
  }

const verdictReader = (report: (verdicts: Verdicts) => void) => {
  let isRead = false
  return (text: string): void => {
    const end = isRead ? -1 : text.indexOf('"parts"')
    if (end < 0) return
    isRead = true
    const read = Verdicts.safeParse(jsonOf(`${text.slice(0, end).trimEnd().replace(/,$/, '')}}`))
    if (read.success) report(read.data)
  }
}
const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const passedFirst = (all: Settled[], verdicts: Verdicts): Claim[] => {
  if (verdicts.marks.some(({ mark }) => mark !== 'absent')) return []
  const absent = marked(verdicts, 'absent')
  const end = all.findIndex(
    ({ verdict, conflictsWith }, at) =>
      verdict !== 'supported' || conflictsWith !== undefined || absent.includes(at + 1),
  )
  return all.slice(0, end < 0 ? undefined : end).map(bare)
}

const keyOf = (chat: ModelOf, draft: Parameters<CheckPart>[0] | Parameters<Check>[0], call: Call): string => {
  const { question, steps, evidence } = draft
  const prompts = [promptName(checkPrompt), promptName(checkPartPrompt)]
  return checkKey({ model: chat(call.tier).name, prompts, question, steps, evidence })
}

const knownOf = (earlier: Claim[], pieces: Piece[]): Claim[] =>
  earlier.length <= pieces.length && earlier.every(({ text }, at) => pieces[at]?.text === text) ? earlier : []

const PartJudged = z.object({ supported: z.array(z.int()), wait: z.array(z.int()) })

/** Checks the beginning of a draft. A failed call is never repeated, because the whole draft is checked later. */
export const llmCheckPart =
  (chat: ModelOf, evidenceTokens: number): CheckPart =>
  async ({ known, ...draft }, call) => {
    call.signal.throwIfAborted()
    const { question, steps } = draft
    const { pieces, scene, claims, settle } = await readDraft(draft, evidenceTokens)
    const key = keyOf(chat, draft, call)
    if (pieces.length <= known) return { claims: [], key }
    const input = { question, steps, passages: scene.shown, workings: scene.workings, claims, known }
    const asked = await askModel({
      ...{ chat, skill: 'check' as const, prompt: checkPartPrompt, input, schema: PartJudged },
      call: { ...call, once: true },
    })
    if (asked.kind === 'refused') return { claims: [], key }
    const { supported, wait } = asked.value
    const settledClaims = pieces.slice(known).map((piece, at) => {
      const n = known + at + 1
      return settle(piece, wait.includes(n) ? [] : judgementsOf({ supported, others: [] }, n))
    })
    const firstToWait = settledClaims.findIndex(({ verdict }) => verdict !== 'supported')
    return { claims: settledClaims.slice(0, firstToWait < 0 ? undefined : firstToWait).map(bare), key }
  }
