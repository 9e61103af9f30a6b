import { useState } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from 'wouter'
import { randomId } from '@plumbline/client'
import { Reason, reasons, type RunView } from '@plumbline/contracts'
import { mayUse, useSession } from '../session'
import { Button, Field } from '../ui/controls'
import { Problem } from '../ui/problem'
import { clockTime, fromNow } from '../ui/time'

const ordinals = new Intl.PluralRules('en', { type: 'ordinal' })
const endings: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' }
const ordinal = (n: number): string => `${n}${endings[ordinals.select(n)] ?? 'th'}`

type Review = NonNullable<RunView['review']>

export const reasonText = (reason: string | undefined): string => {
  const known = Reason.safeParse(reason)
  return known.success ? reasons[known.data] : ''
}

const OwnDecision = ({ run, review }: { run: RunView; review: Review }) => {
  const { client } = useSession()
  const queries = useQueryClient()
  const [guidance, setGuidance] = useState('')
  const [decisionId] = useState(() => randomId())
  const decide = useMutation({
    mutationFn: (action: 'retry' | 'reject') => {
      const named = { taskId: review.taskId, decisionId: `${decisionId}-${action}` }
      return action === 'reject'
        ? client.decide(run.id, { ...named, action })
        : client.decide(run.id, { ...named, action, ...(guidance.trim() !== '' && { guidance }) })
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['run', run.id] }),
  })
  const may = (action: 'retry' | 'reject'): boolean => review.actions?.includes(action) ?? false
  return (
    <form
      className="decide"
      onSubmit={(event) => {
        event.preventDefault()
        decide.mutate('retry')
      }}
    >
      {may('retry') && (
        <>
          <Field
            label="Instructions for the new answer (optional)"
            value={guidance}
            onChange={setGuidance}
            maxLength={2_000}
          />
          <Button type="submit" isDisabled={decide.isPending}>
            Write a new answer
          </Button>
        </>
      )}
      {may('reject') && (
        <Button isDisabled={decide.isPending} onPress={() => decide.mutate('reject')}>
          Reject the answer
        </Button>
      )}
      {decide.error && <Problem error={decide.error} />}
    </form>
  )
}

/** Shows why the answer is held. The draft is not shown, because an asker gets only text that has passed the check. */
export const HeldNotice = ({ run, review }: { run: RunView; review: Review }) => {
  const { me } = useSession()
  const { place, dueAt, decider } = review
  const isOwn = decider === 'asker'
  const facts = [
    !isOwn && place && `${ordinal(place.at)} of ${place.of} in the review queue`,
    `decision due ${clockTime(dueAt)} (${fromNow(dueAt)})`,
    !isOwn && 'an approved answer appears on this page',
  ]
  return (
    <div className="card held" role="status">
      <b className="warn">{isOwn ? 'Held for your decision.' : 'Held for review.'}</b> {reasonText(run.reason)}{' '}
      {isOwn
        ? 'Ask for a new answer, or reject this one.'
        : `You see the ${run.partial ? 'rest of the answer' : 'answer'} when a reviewer has approved it.`}
      <p className="small soft">{facts.filter(Boolean).join(' · ')}</p>
      {isOwn && mayUse(me, 'asker') && <OwnDecision key={review.taskId} run={run} review={review} />}
      {mayUse(me, 'reviewer') && !isOwn && <Link href={`/desk/${run.id}`}>Review this answer</Link>}
    </div>
  )
}
