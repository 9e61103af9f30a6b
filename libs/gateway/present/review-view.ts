import type {
  Evidence,
  Lease,
  LedgerEvent,
  PendingDecision,
  ReviewList,
  ReviewNote,
  ReviewRow,
  ReviewView,
} from '@plumbline/contracts'
import { hasWords, parkedRow, questionOf, reviewTask, type Draft, type ParkedRow, type Run } from '@plumbline/flow'
import type { ParkedPage } from '@plumbline/ports/run-store/run-store'
import { iso } from './answer'
import { presentCitations, presentQuotes, withQuotes } from './answer'
import { runView } from './run-view'

export const pendingDecision = (run: Run): PendingDecision | null => {
  const pending = reviewTask(run)?.pending
  if (!pending) return null
  const { decision, by, at } = pending
  return { decisionId: decision.decisionId, action: decision.action, by, at: iso(at) }
}

const parked = (
  { taskId, decider, group, openedAt, dueAt, escalatedAt, actions, score, risk, contradicted }: ParkedRow,
  lease: Lease | null,
  pending: PendingDecision | null,
) => ({
  taskId,
  decider,
  reason: group.reason,
  parkedAt: iso(openedAt),
  dueAt: iso(dueAt),
  ...(escalatedAt !== undefined && { escalatedAt: iso(escalatedAt) }),
  actions,
  score,
  risk,
  ...(contradicted && { contradicted }),
  lease,
  assignee: group.assignee ?? null,
  pending,
})

export const reviewRow = (row: ParkedRow, lease: Lease | null, pending: PendingDecision | null): ReviewRow => {
  const { policy, collections } = row.group
  return { runId: row.runId, question: row.question, policy, collections, ...parked(row, lease, pending) }
}

const addTo = (counts: Record<string, number>, name: string, count: number): void => {
  counts[name] = (counts[name] ?? 0) + count
}
export const reviewCounts = (groups: ParkedPage['groups']): ReviewList['counts'] => {
  const counts = { total: 0, escalated: 0, policies: {}, reasons: {}, collections: {}, assignees: {} }
  for (const { group, count } of groups) {
    counts.total += count
    if (group.escalated) counts.escalated += count
    addTo(counts.policies, group.policy, count)
    addTo(counts.reasons, group.reason, count)
    addTo(counts.assignees, group.assignee ?? 'none', count)
    for (const collection of group.collections) addTo(counts.collections, collection, count)
  }
  return counts
}

type Desk = { run: Run; evidence: Evidence[]; trace: { id: string; event: LedgerEvent }[]; lease: Lease | null }

const notesIn = (trace: Desk['trace']): ReviewNote[] =>
  trace.flatMap(({ event }) =>
    event.type === 'review-noted' ? [{ by: event.by, at: iso(event.at), text: event.text }] : [],
  )

const approvalsOf = (run: Run): Pick<ReviewView, 'approvedBy' | 'approvedText'> => {
  const approvals = reviewTask(run)?.approvals ?? []
  const text = approvals[0]?.text
  return {
    ...(approvals.length > 0 && { approvedBy: approvals.map(({ by }) => by) }),
    ...(text !== undefined && { approvedText: text }),
  }
}

const ruleWords = (run: Run): Pick<ReviewView, 'ruleWords'> => {
  const words = run.hold?.words?.filter((word) => hasWords(questionOf(run), [word])) ?? []
  return words.length > 0 ? { ruleWords: words } : {}
}

export const reviewView = ({ run, evidence, trace, lease }: Desk): ReviewView | null => {
  const row = parkedRow(run)
  if (!row) return null
  const held: Draft = run.draft ?? { draft: 0, text: '', citations: [] }
  const { draft, text, citations, editedBy } = held
  const places = held.quotes ?? held.rows
  const quotes = places && presentQuotes(places, evidence)
  const graded = run.grading?.draft === draft ? run.grading : undefined
  return {
    ...parked(row, lease, pendingDecision(run)),
    run: runView(run, evidence, 'desk'),
    draft: {
      draft,
      text: held.quotes ? withQuotes('', quotes) : text,
      citations: presentCitations(citations, evidence),
      ...(quotes && { quotes }),
      ...(editedBy !== undefined && { editedBy }),
    },
    claims: graded?.claims ?? [],
    parts: graded?.parts ?? [],
    evidence,
    trace,
    notes: notesIn(trace),
    ...ruleWords(run),
    ...approvalsOf(run),
  }
}
