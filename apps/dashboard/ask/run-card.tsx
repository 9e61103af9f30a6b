import { useEffect, useState } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { Citation, RunView } from '@plumbline/contracts'
import { mayUse, useSession } from '../session'
import { Button } from '../ui/controls'
import { Problem } from '../ui/problem'
import { AnswerText, Claims, type OnSource } from './answer'
import { Feedback } from './feedback'
import { HeldNotice, reasonText } from './held-notice'
import { Missing, isMissing } from './missing'
import { AnnouncedPart, answerToShow, PartRest, PartWarning } from './partial-answer'
import { Question } from './question'
import { hasEnded, useRun } from './run'
import { CopyAnswer } from './share'
import { type OpenSource, sourceLocation } from './source-panel'
import { Stages } from './stages'
import { RunTrace } from './trace'

const Cancel = ({ id }: { id: string }) => {
  const { client, me } = useSession()
  const queries = useQueryClient()
  const cancel = useMutation({
    mutationFn: () => client.cancel(id),
    onSettled: () => queries.invalidateQueries({ queryKey: ['run', id] }),
  })
  if (!mayUse(me, 'asker')) return null
  return (
    <Button quiet isDisabled={cancel.isPending} onPress={() => cancel.mutate()}>
      Cancel this question
    </Button>
  )
}

/** A run that takes less time than this is never reported as slow, even if most runs are much faster. */
const minLongMs = 20_000

const useIsLong = (): boolean => {
  const { usualMs = 0 } = useSession().me
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), Math.max(minLongMs, usualMs))
    return () => clearTimeout(timer)
  }, [usualMs])
  return isLong
}

const runningWords = ({ status, partial }: RunView, isLong: boolean): string => {
  if (partial)
    return `Checking the rest of the answer …${isLong ? ' You can leave this page: the work continues.' : ''}`
  if (isLong) return 'This takes longer than usual. You can leave this page: the work continues.'
  return status === 'queued'
    ? 'The question is waiting to be processed.'
    : 'Working. The answer appears after it is checked.'
}

const Running = ({ run }: { run: RunView }) => (
  <>
    <p className="small soft line" role="status">
      {runningWords(run, useIsLong())} <Cancel id={run.id} />
    </p>
    <AnnouncedPart text={run.partial?.text ?? ''} />
    <Stages run={run} />
  </>
)

const ClosestPassages = ({ nearest, onSource }: { nearest: Citation[]; onSource: OnSource }) => (
  <>
    <h3>Closest passages</h3>
    <ol className="nearest">
      {nearest.map((place) => (
        <li key={place.passageId}>
          <a
            href={`#source-${place.n}`}
            onClick={(event) => {
              event.preventDefault()
              onSource(place.n, event.currentTarget)
            }}
          >
            {sourceLocation(place)}
          </a>
        </li>
      ))}
    </ol>
  </>
)

const SearchedQueries = ({ queries = [] }: Pick<RunView, 'queries'>) =>
  queries.length > 0 && <p className="small soft">Searched for: {queries.map((query) => `“${query}”`).join(', ')}.</p>

const statusAnnouncements: Partial<Record<RunView['status'], string>> = {
  answered: 'Answered.',
  needs_input: 'More input is needed.',
  declined: 'Declined.',
  unanswered: 'No answer.',
  rejected: 'Rejected.',
  failed: 'Failed.',
  cancelled: 'Canceled.',
  expired: 'Expired.',
}

const nextSteps: Partial<Record<RunView['status'], string>> = {
  needs_input: 'Type your reply in the box below to continue.',
  declined: 'Ask about a topic of the documents, or add documents about this topic.',
  unanswered: 'Ask in other words, choose another collection, or add a document with the answer.',
  rejected: 'Ask in other words, or ask the reviewers why the answer was rejected.',
  failed: 'Ask again in a few minutes. If it fails again, send your operator the link to this question.',
  cancelled: 'Ask again if you still want the answer.',
  expired: 'Ask again. A narrower question takes less time.',
}
/** Advice for some reasons. It replaces the advice for the status of the run. */
const nextStepsByReason: Record<string, string> = {
  'expired.review-overdue':
    'The held answer will not be released. Ask again for a new answer, which may be held again.',
}
/** These reasons are not displayed, because the answer itself makes them clear. */
const obviousReasons = new Set(['answered.checked', 'answered.known', 'answered.quoted', 'answered.with-caveat'])
const statusesWithFeedback = new Set<RunView['status']>(['answered', 'unanswered'])
const isBad = ({ status }: RunView): boolean => status === 'failed' || status === 'expired'
const canAskAgain = new Set<RunView['status']>(['failed', 'cancelled', 'expired'])

type OutcomeProps = { run: RunView; onSource: OnSource; onAskAgain?: (question: string) => void }

const Outcome = ({ run, onSource, onAskAgain }: OutcomeProps) => {
  const { me } = useSession()
  const { status, answer, partial, nearest, grounding } = run
  const [wasPartial, setWasPartial] = useState(partial !== undefined)
  if (partial && !wasPartial) setWasPartial(true)
  const hint = nextStepsByReason[run.reason ?? ''] ?? nextSteps[status]
  const text = answerToShow(run)
  return (
    <div className={`card outcome ${status}`}>
      <PartWarning run={run} />
      {text && (
        <AnswerText answer={text} question={run.standalone ?? run.question} onSource={onSource} begun={wasPartial} />
      )}
      <PartRest run={run} />
      {!answer && hasEnded(run) && (
        <p className="reason">
          <b className={isBad(run) ? 'bad' : undefined}>{statusAnnouncements[status]}</b> {reasonText(run.reason)}
        </p>
      )}
      {status === 'unanswered' && <SearchedQueries queries={run.queries} />}
      {nearest && nearest.length > 0 && <ClosestPassages nearest={nearest} onSource={onSource} />}
      {hint !== undefined && (
        <p className="next">
          <span>
            {hint} {status === 'unanswered' && <Link href="/documents">Documents</Link>}
          </span>
          {onAskAgain && canAskAgain.has(status) && <Button onPress={() => onAskAgain(run.question)}>Ask again</Button>}
        </p>
      )}
      {answer && statusesWithFeedback.has(status) && (
        <div className="stand">
          {!obviousReasons.has(run.reason ?? '') && status === 'answered' && (
            <p className="why">{reasonText(run.reason)}</p>
          )}
          {grounding && <Claims claims={grounding.claims} />}
          <CopyAnswer answer={answer} />
          {mayUse(me, 'asker') && <Feedback runId={run.id} />}
        </div>
      )}
    </div>
  )
}

type Props = { id: string; onOpen: (source: OpenSource) => void; onAskAgain?: (question: string) => void }

export const RunCard = ({ id, onOpen, onAskAgain }: Props) => {
  const { data: run, error, refetch } = useRun(id)
  if (error && !run) return isMissing(error) ? <Missing /> : <Problem error={error} retry={() => void refetch()} />
  if (!run) return <article aria-busy="true" />
  const onSource: OnSource = (n, from) => onOpen({ run, n, from })
  const hasOutcome = hasEnded(run) || run.partial !== undefined
  return (
    <article id={id} aria-label={run.question}>
      <Question text={run.question} />
      <p className="unseen" role="status">
        {hasEnded(run) && statusAnnouncements[run.status]}
      </p>
      {hasOutcome && <RunTrace run={run} />}
      {hasOutcome && <Outcome run={run} onSource={onSource} {...(onAskAgain && { onAskAgain })} />}
      {(run.status === 'queued' || run.status === 'running') && <Running run={run} />}
      {run.status === 'parked' && run.review && (
        <>
          <HeldNotice run={run} review={run.review} />
          <p className="small soft line">
            <Cancel id={id} />
          </p>
        </>
      )}
    </article>
  )
}
