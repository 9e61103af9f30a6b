import { useState } from 'react'
import { randomId } from '@plumbline/client'
import { type BulkResult, cleanName, type ReviewRow } from '@plumbline/contracts'
import { Button, Field } from '../ui/controls'
import { Problem } from '../ui/problem'
import type { DecisionsState } from './decisions'
import { maxBulkItems, type Selection } from './selection'

const BulkFailures = ({ result: { items }, rows }: { result: BulkResult; rows: ReviewRow[] }) => {
  const questions = new Map(rows.map(({ runId, question }) => [runId, cleanName(question)]))
  const refused = items.filter(({ decided }) => !decided)
  if (refused.length === 0) return null
  return (
    <details className="notice" open={refused.length <= 3}>
      <summary>
        {items.length - refused.length} of {items.length} decisions made, {refused.length} failed
      </summary>
      <ul className="results">
        {refused.map(({ runId, problem }) => (
          <li key={runId}>
            {questions.get(runId) ?? runId}: <span className="bad">{problem}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}

export const BulkDecisionBar = ({ selection, decisions }: { selection: Selection; decisions: DecisionsState }) => {
  const [note, setNote] = useState('')
  const { decideMany } = decisions
  const rows = [...selection.chosen.values()]
  const contradicted = rows.filter((row) => row.contradicted).length
  const hasNote = note.trim() !== ''
  const send = (action: 'approve' | 'reject') => (): void =>
    decideMany.mutate(
      { action, note: note.trim(), rows, decisionId: randomId() },
      {
        onSuccess: () => {
          selection.clear()
          setNote('')
        },
      },
    )
  const result = decideMany.data && decideMany.variables && (
    <div role="status">
      <BulkFailures result={decideMany.data} rows={decideMany.variables.rows} />
    </div>
  )
  if (rows.length === 0) return <>{result}</>
  const isReady = !decideMany.isPending
  return (
    <section className="bulk" aria-label="Decide several answers">
      <b>{rows.length} selected</b>
      <Button quiet onPress={selection.addAll}>
        Select the first {maxBulkItems}
      </Button>
      <Button quiet onPress={selection.clear}>
        Clear selection
      </Button>
      <Field label="Reason or note for all selected answers" value={note} onChange={setNote} maxLength={2_000} />
      <Button isDisabled={!isReady || (contradicted > 0 && !hasNote)} onPress={send('approve')}>
        Approve {rows.length} selected
      </Button>
      <Button isDisabled={!isReady || !hasNote} onPress={send('reject')}>
        Reject {rows.length} selected
      </Button>
      <p className="small soft">
        {contradicted > 0
          ? `${contradicted} selected ${contradicted === 1 ? 'draft has' : 'drafts have'} a contradicted claim. To approve or reject, enter a reason.`
          : 'To reject, enter a reason.'}{' '}
        If you reject an answer and its asker has already read a part of it, the asker gets a notice.
      </p>
      {decideMany.error && <Problem error={decideMany.error} />}
      {result}
    </section>
  )
}
