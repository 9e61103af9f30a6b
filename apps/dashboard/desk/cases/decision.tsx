import { useMutation } from '@tanstack/react-query'
import type { Case } from '@plumbline/contracts'
import { diffWordsWithSpace } from 'diff'
import { usePeople } from '../../people'
import { useSession } from '../../session'
import { Button } from '../../ui/controls'
import { Prose } from '../../ui/markdown'
import { Problem } from '../../ui/problem'
import { clockTime } from '../../ui/time'
import { decisionLabels, outcomeLabel, reasonLabel } from './labels'

const EditDifference = ({ before, after }: { before: string; after: string }) => (
  <p className="edited" aria-label="Changes in this edit">
    {diffWordsWithSpace(before, after).map(({ value, added, removed }, at) => {
      if (added) return <ins key={at}>{value}</ins>
      return removed ? <del key={at}>{value}</del> : <span key={at}>{value}</span>
    })}
  </p>
)

const mayBeReused = ({ outcome }: Case): boolean =>
  outcome?.reason === 'answered.decided' || outcome?.reason === 'answered.edited'

const ReuseAnswer = ({ runId }: { runId: string }) => {
  const { client } = useSession()
  const keep = useMutation({ mutationFn: () => client.keepAnswer(runId) })
  const drop = useMutation({ mutationFn: () => client.dropAnswer(runId), onSuccess: () => keep.reset() })
  return (
    <div>
      {keep.isSuccess ? (
        <p role="status">
          This answer is reused for the same question, until a document it cites changes.{' '}
          <Button quiet onPress={() => drop.mutate()}>
            Stop reusing this answer
          </Button>
        </p>
      ) : (
        <Button onPress={() => keep.mutate()} isDisabled={keep.isPending}>
          Reuse this answer for the same question
        </Button>
      )}
      {keep.error && <Problem error={keep.error} />}
    </div>
  )
}

export const CaseDecision = ({ found }: { found: Case }) => {
  const nameOf = usePeople()
  const { action, by, decidedAt, guidance, note, edited, draft, outcome } = found
  return (
    <section className="card decided" aria-label="Decision">
      <p>
        <b>{decisionLabels[action]}</b> by {nameOf(by)}, <time dateTime={decidedAt}>{clockTime(decidedAt)}</time> →{' '}
        <b>{outcomeLabel(outcome?.status)}</b>
        {outcome && ` (${reasonLabel(outcome.reason)})`}
      </p>
      {guidance !== undefined && <p>Instructions for the new draft: {guidance}</p>}
      {note !== undefined && <p>Reviewer note: {note}</p>}
      {edited !== undefined && <EditDifference before={draft.text} after={edited} />}
      {outcome?.released && (
        <details>
          <summary>Released answer</summary>
          {outcome.released.caveat !== undefined && <p>{outcome.released.caveat}</p>}
          <Prose text={outcome.released.text} />
        </details>
      )}
      {mayBeReused(found) && <ReuseAnswer runId={found.runId} />}
    </section>
  )
}
