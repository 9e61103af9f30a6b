import { type FormEvent, useState } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { randomId } from '@plumbline/client'
import { type BulkResult, cleanName, type ReviewRow } from '@plumbline/contracts'
import { useSession } from '../session'
import { Button, Field } from '../ui/controls'
import { Problem } from '../ui/problem'
import { heldBecause } from './words'

export const mostAtOnce = 100

type Chosen = ReadonlyMap<string, ReviewRow>
type Sent = { action: 'approve' | 'reject'; note: string; rows: ReviewRow[]; decisionId: string }

const Results = ({ result, questions }: { result: BulkResult; questions: Map<string, string> }) => {
  const failed = result.items.filter(({ decided }) => !decided)
  return (
    <div role="status">
      <p>
        {result.items.length - failed.length} of {result.items.length} decided.
      </p>
      <ul className="results">
        {result.items.map(({ runId, decided, problem }) => (
          <li key={runId}>
            {cleanName(questions.get(runId) ?? runId)}:{' '}
            <span className={decided ? 'good' : 'bad'}>{decided ? 'decided' : `not decided. ${problem ?? ''}`}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

type BulkProps = {
  reason: string
  rows: ReviewRow[]
  chosen: Chosen
  onChosen: (chosen: Chosen) => void
  onClose: () => void
}

/** One action for rows that are held for the same reason; what became of each is told. */
export const Bulk = ({ reason, rows, chosen, onChosen, onClose }: BulkProps) => {
  const { client } = useSession()
  const queries = useQueryClient()
  const [note, setNote] = useState('')
  const decide = useMutation({
    mutationFn: ({ action, note, rows, decisionId }: Sent) =>
      client.decideMany({
        action,
        decisionId,
        ...(note !== '' && { note }),
        items: rows.map(({ runId, taskId }) => ({ runId, taskId })),
      }),
    onSuccess: () => onChosen(new Map()),
    onSettled: () => queries.invalidateQueries({ queryKey: ['desk'] }),
  })
  const send = (action: Sent['action']) => (): void =>
    decide.mutate({ action, note: note.trim(), rows: [...chosen.values()], decisionId: randomId() })
  const isReady = chosen.size > 0 && !decide.isPending
  const questions = new Map(decide.variables?.rows.map(({ runId, question }) => [runId, question]))
  return (
    <section className="teach bulk" aria-label="Decide several">
      <h2>Decide several</h2>
      <p>
        All of these are held because {heldBecause(reason)}. Choose rows of the queue, {mostAtOnce} at most; they are
        decided one by one and at once, and there is no undo.
      </p>
      <form onSubmit={(event: FormEvent) => event.preventDefault()}>
        <p>
          {chosen.size} chosen.{' '}
          <Button quiet onPress={() => onChosen(new Map(rows.slice(0, mostAtOnce).map((row) => [row.runId, row])))}>
            Choose the first {Math.min(mostAtOnce, rows.length)}
          </Button>
        </p>
        <Field label="Note, for all of them" value={note} onChange={setNote} maxLength={2_000} />
        <div className="buttons">
          <Button main isDisabled={!isReady} onPress={send('approve')}>
            Approve {chosen.size}
          </Button>
          <Button isDisabled={!isReady || note.trim() === ''} onPress={send('reject')}>
            Reject {chosen.size}
          </Button>
          <Button onPress={onClose}>Done</Button>
        </div>
        <p className="small soft">To reject, say why in the note.</p>
      </form>
      {decide.error && <Problem error={decide.error} />}
      {decide.data && <Results result={decide.data} questions={questions} />}
    </section>
  )
}
