import { useRef, useState, useEffect } from 'react'
import { Link } from 'wouter'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { clean, cleanName, type AnswerPart, type ReviewView } from '@plumbline/contracts'
import { usePeople } from '../people'
import { useSession } from '../session'
import { Button } from '../ui/controls'
import { Problem } from '../ui/problem'
import { clockTime } from '../ui/time'
import { claimsSummary, dueText, holdReasonText, verdictLabels } from './labels'

const EarlierQuestions = ({ threadId, runId }: { threadId: string; runId: string }) => {
  const { client } = useSession()
  const [isOpen, setOpen] = useState(false)
  const { data, error } = useQuery({
    queryKey: ['thread', threadId],
    queryFn: ({ signal }) => client.thread(threadId, { signal }),
    enabled: isOpen,
  })
  const earlier = data?.items.slice(
    0,
    Math.max(
      0,
      data.items.findIndex(({ id }) => id === runId),
    ),
  )
  return (
    <details className="part" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Earlier questions in this thread</summary>
      {error && <Problem error={error} />}
      {earlier?.length === 0 && <p className="soft">This is the first question of the thread.</p>}
      {earlier?.map(({ id, question, answer, partial, status }) => (
        <p key={id}>
          <b>{cleanName(question)}</b>
          <br />
          <span className="soft">
            {answer ? clean(answer.text) : partial ? `${status}, incomplete: ${clean(partial.text)}` : status}
          </span>
        </p>
      ))}
      <Link href={`~/threads/${encodeURIComponent(threadId)}`}>Open the thread</Link>
    </details>
  )
}

const outcomes: Record<AnswerPart['outcome'], { word: string; tone: string }> = {
  answered: { word: 'answered', tone: 'good' },
  'not-in-documents': { word: 'not in the documents', tone: 'warn' },
  missed: { word: 'not answered', tone: 'bad' },
}

export const AnswerParts = ({ parts }: { parts: AnswerPart[] }) =>
  parts.length === 0 ? null : (
    <section className="part">
      <h2>Parts of the question</h2>
      <ul className="parts">
        {parts.map(({ what, outcome, why }, index) => (
          <li key={index}>
            {clean(what)} <span className={outcomes[outcome].tone}>{outcomes[outcome].word}</span>
            {why && <p className="small soft">{clean(why)}</p>}
          </li>
        ))}
      </ul>
    </section>
  )

const AssignButton = ({ view: { run, assignee } }: { view: ReviewView }) => {
  const { client, me } = useSession()
  const nameOf = usePeople()
  const queries = useQueryClient()
  const assign = useMutation({
    mutationFn: (to: string | null) => client.assign(run.id, { to }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['desk'] }),
  })
  const isMine = assignee === me.name
  return (
    <>
      {assignee && !isMine && <span>assigned to {nameOf(assignee)} · </span>}
      <Button quiet isDisabled={assign.isPending} onPress={() => assign.mutate(isMine ? null : me.name)}>
        {isMine ? 'Unassign me' : 'Assign to me'}
      </Button>
      {assign.error && <Problem error={assign.error} />}
    </>
  )
}

const FailedEdit = ({ view: { reason, draft, claims } }: { view: ReviewView }) => {
  const nameOf = usePeople()
  const failed = claims.filter(({ verdict }) => verdict !== 'supported')
  if (reason !== 'parked.edit-ungrounded' || failed.length === 0) return null
  return (
    <div className="notice" role="status">
      The edit{draft.editedBy !== undefined && ` by ${nameOf(draft.editedBy)}`} failed the check before release:
      <ul className="parts">
        {failed.map((claim, index) => (
          <li key={index}>
            “{clean(claim.text)}”: {verdictLabels[claim.verdict]}
            {claim.reason !== '' && `, ${clean(claim.reason)}`}
          </li>
        ))}
      </ul>
    </div>
  )
}

const holdReason = ({ reason, ruleWords }: ReviewView): string =>
  reason === 'parked.words' && ruleWords?.length
    ? `Rule: question contains ${ruleWords.map((word) => `“${cleanName(word)}”`).join(', ')}`
    : `Held: ${holdReasonText(reason)}`

export const ItemHeader = ({ view }: { view: ReviewView }) => {
  const { run, dueAt, draft, claims, approvedBy = [], approvedText } = view
  const nameOf = usePeople()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const { words, tone } = dueText(dueAt)
  const asker = Object.entries(run.metadata ?? {}).map(([name, value]) => `${cleanName(name)} ${cleanName(value)}`)
  const where = [
    `asked ${clockTime(run.timings.createdAt)}`,
    ...asker,
    ...(run.route?.collections ?? []),
    run.policy,
    `draft ${draft.draft}`,
  ]
  return (
    <header className="item-head">
      <p className="small soft">
        {where.join(' · ')} <AssignButton view={view} />
      </p>
      <h2 className="held-question" tabIndex={-1} ref={heading}>
        {cleanName(run.question)}
      </h2>
      {run.standalone && <p className="small soft">Question understood as: {cleanName(run.standalone)}</p>}
      <p>
        {holdReason(view)}. {claimsSummary(claims).replace(/^./, (first) => first.toUpperCase())}.{' '}
        <span className={tone}>{words.replace(/^./, (first) => first.toUpperCase())}.</span>
        {draft.editedBy !== undefined && ` Edited by ${nameOf(draft.editedBy)}.`}
      </p>
      <FailedEdit view={view} />
      {approvedBy.length > 0 && (
        <p className="notice">
          {approvedBy.map(nameOf).join(', ')} approved{' '}
          {approvedText === undefined ? 'this draft' : `this text: “${clean(approvedText)}”`}. A second person must
          approve it too.
        </p>
      )}
      {run.threadId !== undefined && <EarlierQuestions threadId={run.threadId} runId={run.id} />}
    </header>
  )
}
