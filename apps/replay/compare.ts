import type { Case, Verdict } from '@plumbline/contracts'
import type { ReplayOptions, ReplayResult } from './replay'

type Flip = { claim: string; from: Verdict; to: Verdict }
export type Change = 'same' | 'better' | 'worse' | 'other'
export type CaseComparison = {
  id: string
  question: string
  policy: string
  action: Case['action']
  change: Change
  reason: { before: string; after: string }
  score: { before: number | null; after: number | null }
  flips: Flip[]
}

const flat = (text: string): string => text.replace(/\s+/g, ' ').trim()

const flipsIn = (kept: Case, { claims }: ReplayResult): Flip[] => {
  const before = new Map((kept.check?.claims ?? []).map(({ text, verdict }) => [flat(text), verdict]))
  return claims.flatMap(({ text, verdict }) => {
    const from = before.get(flat(text))
    return from !== undefined && from !== verdict ? [{ claim: flat(text), from, to: verdict }] : []
  })
}

/** Compares two reasons. A held edit is replayed as an ordinary draft, so it may be held for any reason. */
const sameReason = (before: string, after: string): boolean =>
  before === after || (before === 'parked.edit-ungrounded' && after.startsWith('parked.'))

const isOut = ({ status }: ReplayResult): boolean => status === 'answered' || status === 'needs_input'

const byScore = (before: number | null, after: number | null): Change => {
  if (before === null || after === null || before === after) return 'other'
  return after > before ? 'better' : 'worse'
}

/** Judges a replay. If reviewers found the draft wrong, a higher score is no improvement, and a release is worse. */
const judged = (kept: Case, replayed: ReplayResult, drafts: ReplayOptions['drafts']): Change => {
  const isOwnDraft = drafts === 'stored' || flat(replayed.text) === flat(kept.draft.text)
  const wasRight = kept.action === 'approve'
  if (isOut(replayed)) return isOwnDraft && !wasRight ? 'worse' : 'better'
  if (replayed.status !== 'parked') return isOwnDraft && !wasRight ? 'other' : 'worse'
  if (isOwnDraft && !wasRight) return 'other'
  return byScore(kept.score, replayed.score)
}

export const compare = (kept: Case, replayed: ReplayResult, drafts: ReplayOptions['drafts']): CaseComparison => {
  const flips = flipsIn(kept, replayed)
  const isSame = sameReason(kept.reason, replayed.reason) && kept.score === replayed.score && flips.length === 0
  return {
    id: kept.id,
    question: kept.question,
    policy: kept.policy,
    action: kept.action,
    change: isSame ? 'same' : judged(kept, replayed, drafts),
    reason: { before: kept.reason, after: replayed.reason },
    score: { before: kept.score, after: replayed.score },
    flips,
  }
}
