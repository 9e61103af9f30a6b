import type { Claim, Evidence, Working } from '@plumbline/contracts'
import { Confidence, Verdict } from '@plumbline/contracts'
import { vocabularyOf } from '@plumbline/knowledge/tables'
import { z } from 'zod'
import { allAtOnce } from '../asking/all-at-once'
import { askModel } from '../asking/ask-model'
import type { ModelOf } from '../asking/asking'
import { checkWorked } from '../compute/recompute'
import type { Call } from '../skill'
import { checkAbsence, isAbsence } from './absence'
import type { CheckClaims } from './check-claims'
import { checkClaimsPrompt } from './check-claims.prompt'
import type { Claimed } from './claimed'
import { claimsIn } from './claimed'
import { isStyle, kindOf } from './kinds'
import { overrule, overruleAbsence } from './overrule'
import type { Finding } from './verdict'
import { supported, unsupported } from './verdict'

/** A model cannot call anything style: style does not count, so only code may say so. */
const Kind = z.enum(['fact', 'number', 'order', 'cause', 'inference'])
const Judgement = z.object({
  claim: z.int(),
  kind: Kind,
  reason: z.string().min(1),
  verdict: Verdict,
  confidence: Confidence,
  passage: z.int().nullable(),
})
const Judged = z.object({ claims: z.array(Judgement) })
type Judgement = z.infer<typeof Judgement>

type Group = { about: 'what is said' | 'what is not said'; passages: Evidence[]; claims: Claimed[] }
type Scene = { chat: ModelOf; question: string; workings: Working[] }

const settled = ({ text, marks }: Claimed, cited: Evidence[]): Finding | null => {
  if (isStyle(text)) return supported('Style: it says nothing that could be checked.', null)
  if (isAbsence(text)) return null
  if (marks.length === 0) return unsupported('It cites no passage.')
  return cited.length === 0 ? unsupported('What it cites is not among the evidence.') : null
}

const findingOf = (
  judgement: Judgement,
  claim: string,
  { about, passages }: Group,
  { question, workings }: Scene,
): Finding => {
  const { verdict, reason, confidence, passage } = judgement
  const passageId = passage === null ? null : (passages[passage - 1]?.id ?? null)
  if (verdict !== 'supported') return { verdict, reason, passageId, confidence }
  const overruled =
    about === 'what is said'
      ? overrule(claim, passages, workings)
      : overruleAbsence(claim, question, passages, workings)
  return overruled ?? { ...supported(reason, passageId ?? passages[0]?.id ?? null), confidence }
}

const judge = async (group: Group, call: Call, scene: Scene): Promise<Claim[]> => {
  const texts = group.claims.map(({ text }) => text)
  const { chat, question, workings } = scene
  const input = { ...group, question, claims: texts, workings }
  const faultIn = ({ claims }: z.infer<typeof Judged>): string | null => {
    const left = texts.flatMap((_, at) => (claims.filter(({ claim }) => claim === at + 1).length === 1 ? [] : [at + 1]))
    return left.length === 0 ? null : `There must be exactly one judgement for each claim; look at ${left.join(', ')}.`
  }
  const asked = await askModel({
    chat,
    skill: 'checkClaims',
    prompt: checkClaimsPrompt,
    input,
    call,
    schema: Judged,
    faultIn,
  })
  return texts.map((text, at): Claim => {
    if (asked.kind === 'refused')
      return { text, kind: kindOf(text), ...unsupported(`The model refused to check it: ${asked.reason}`) }
    const own = asked.value.claims.filter(({ claim }) => claim === at + 1)
    const [judgement] = own
    if (!judgement || own.length > 1)
      return { text, kind: kindOf(text), ...unsupported('The check gave no single judgement of it.') }
    return { text, kind: judgement.kind, ...findingOf(judgement, text, group, scene) }
  })
}

const add = (groups: Map<string, Group>, key: string, claim: Claimed, group: Omit<Group, 'claims'>): void => {
  const known = groups.get(key) ?? { ...group, claims: [] }
  known.claims.push(claim)
  groups.set(key, known)
}

/**
 * Each sentence is a claim, and a claim is judged by a call that sees the passages it cites and no others; claims that cite the same share
 * one. Only what is said to be unreported is held against all evidence: first in code, then by the model.
 */
export const llmCheckClaims =
  (chat: ModelOf): CheckClaims =>
  async ({ question, text, citations, evidence, workings = [] }, call) => {
    call.signal.throwIfAborted()
    const done = new Map<Claimed, Claim>()
    const groups = new Map<string, Group>()
    const claims = claimsIn(text)
    const vocabulary = vocabularyOf(evidence)
    for (const claim of claims) {
      const ids = citations.filter(({ n }) => claim.marks.includes(n)).map(({ passageId }) => passageId)
      const cited = evidence.filter(({ id }) => ids.includes(id))
      const absent = isAbsence(claim.text) && !isStyle(claim.text)
      const denied = absent ? checkAbsence(claim.text, vocabulary, evidence, ids) : null
      const worked = isStyle(claim.text) ? null : checkWorked(claim.text, workings, { question, evidence })
      const finding =
        worked ?? settled(claim, cited) ?? (denied?.verdict === 'contradicted' || evidence.length === 0 ? denied : null)
      if (finding) done.set(claim, { text: claim.text, kind: kindOf(claim.text), ...finding })
      else if (absent) add(groups, 'absent', claim, { about: 'what is not said', passages: evidence })
      else add(groups, cited.map(({ id }) => id).join('\n'), claim, { about: 'what is said', passages: cited })
    }
    const open = [...groups.values()]
    const judged = await allAtOnce(open, call, (group, own) => judge(group, own, { chat, question, workings }))
    open.forEach((group, at) =>
      group.claims.forEach((claim, index) => {
        const result = judged[at]?.[index]
        if (result) done.set(claim, result)
      }),
    )
    return claims.flatMap((claim) => done.get(claim) ?? [])
  }
