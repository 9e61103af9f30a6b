import { reasons } from '@plumbline/contracts'
import type { Claim, ReviewAction, ReviewRow } from '@plumbline/contracts'
import { clockTime, fromNow } from '../ui/time'

export const holdReasonText = (reason: string): string => {
  const sentence = reason in reasons ? reasons[reason as keyof typeof reasons] : reason
  return sentence
    .slice(sentence.indexOf(': ') + 1)
    .replace(/\.$/, '')
    .trim()
}

const shortReasons: Record<string, string> = {
  'parked.ungrounded': 'claims without evidence',
  'parked.contradicted': 'contradicted',
  'parked.unchecked': 'not checked',
  'parked.checked-offline': 'checked without a model',
  'parked.sensitive': 'sensitive, too few sources',
  'parked.conflict': 'sources disagree',
  'parked.general': 'written without documents',
  'parked.budget': 'budget used up',
  'parked.tenant': 'rule: every answer',
  'parked.sample': 'random sample',
  'parked.collection': 'rule: collection',
  'parked.words': 'rule: words in question',
  'parked.edit-ungrounded': 'edit failed its check',
  'parked.doubted': 'asker read doubted text',
  'parked.other-text': 'not what the asker read',
}
export const shortReason = (reason: string): string => shortReasons[reason] ?? holdReasonText(reason)

const hour = 3_600_000
export const dueText = (iso: string, now = Date.now()): { words: string; tone: 'bad' | 'warn' | '' } => {
  const left = new Date(iso).getTime() - now
  if (left <= 0) return { words: 'overdue', tone: 'bad' }
  const words = left < 12 * hour ? `due ${fromNow(iso, now).replace(/\.$/, '')}` : `due ${clockTime(iso)}`
  return { words, tone: left < hour ? 'bad' : left < 4 * hour ? 'warn' : '' }
}

/** Returns the level of a risk. Unsupported claims, a contradiction and sensitive evidence add at most 100 each. */
export const riskLabel = (risk: number): 'high' | 'medium' | 'low' =>
  risk >= 150 ? 'high' : risk >= 75 ? 'medium' : 'low'

export const verdictLabels: Record<Claim['verdict'], string> = {
  supported: 'supported',
  unsupported: 'without evidence',
  contradicted: 'contradicted',
}

export const actionLabels: Record<ReviewAction, { button: string; done: string; next: string }> = {
  approve: { button: 'Approve', done: 'Approved', next: 'the asker sees this draft' },
  edit: {
    button: 'Edit and release',
    done: 'Edited',
    next: 'the text is checked: it is released if every sentence passes, and held again if one fails',
  },
  retry: { button: 'Write again', done: 'Sent back for a new draft', next: 'a new draft is written and checked' },
  research: {
    button: 'Research more',
    done: 'Sent back for research',
    next: 'Plumbline searches for more evidence, and writes and checks a new draft',
  },
  reject: { button: 'Reject', done: 'Rejected', next: 'the asker sees that no answer was released' },
}

export const claimsSummary = (claims: Claim[]): string => {
  const count = (verdict: Claim['verdict']): number => claims.filter((claim) => claim.verdict === verdict).length
  const [contradicted, without] = [count('contradicted'), count('unsupported')]
  const parts = [
    ...(contradicted > 0 ? [`${contradicted} contradicted`] : []),
    ...(without > 0 ? [`${without} without evidence`] : []),
  ]
  if (claims.length === 0) return 'no claim was checked'
  if (parts.length === 0)
    return claims.length === 1 ? 'the claim is supported' : `all ${claims.length} claims are supported`
  const bad = contradicted + without
  return `${bad} of ${claims.length} ${claims.length === 1 ? 'claim' : 'claims'} ${bad === 1 ? 'is' : 'are'} not supported: ${parts.join(', ')}`
}

export const effectText = (action: ReviewAction, ms: number): string =>
  `${action === 'approve' ? 'released' : 'takes effect'} in ${Math.max(0, Math.ceil(ms / 1_000))} s`

export const isFree = ({ lease, pending }: Pick<ReviewRow, 'lease' | 'pending'>, who: string): boolean =>
  !pending && (lease === null || lease.by === who || new Date(lease.until).getTime() < Date.now())
