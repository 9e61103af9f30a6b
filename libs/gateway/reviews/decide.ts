import type { Decision } from '@plumbline/contracts'
import { advance, type Moved, type Report, type Run } from '@plumbline/flow'

type ReviewReport = Report<'review'>

const resultOf = (decision: Decision, by: string): ReviewReport['result'] => {
  const decided = { by, decisionId: decision.decisionId, ...(decision.note !== undefined && { note: decision.note }) }
  switch (decision.action) {
    case 'approve':
      return { outcome: 'approved', ...decided }
    case 'edit':
      return { outcome: 'edited', ...decided, text: decision.text }
    case 'retry':
      return { outcome: 'retry', ...decided, ...(decision.guidance !== undefined && { guidance: decision.guidance }) }
    case 'research':
      return { outcome: 'research', ...decided, guidance: decision.guidance }
    case 'reject':
      return { outcome: 'rejected', ...decided }
  }
}

/** A decision as the report of its review task: one that names a task which is not open is stale. */
export const decide = (run: Run, decision: Decision, by: string, at: number): Moved | { kind: 'stale' } => {
  return advance(run, { kind: 'review', taskId: decision.taskId, at, result: resultOf(decision, by) })
}
