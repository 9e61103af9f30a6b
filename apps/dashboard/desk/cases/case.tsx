import { useState } from 'react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type Case, type Claim, type Evidence, shownRows } from '@plumbline/contracts'
import { Link, useLocation } from 'wouter'
import { mayUse, useSession } from '../../session'
import { Button } from '../../ui/controls'
import { Prose } from '../../ui/markdown'
import { Problem } from '../../ui/problem'
import { clockTime, fromNow } from '../../ui/time'
import { CaseDecision } from './decision'
import { DeskLinks } from './links'
import { holdReasonText, verdictLabels } from '../labels'
import { scoreText, verdictMarks } from './labels'
import { useTitle } from '../../ui/title'

type PassageChoice = { chosen: string | null; choose: (passageId: string | null) => void }

const ClaimLine = ({ claim, chosen, choose }: { claim: Claim } & PassageChoice) => {
  const { mark, tone } = verdictMarks[claim.verdict]
  const { passageId } = claim
  return (
    <li>
      <span className={`verdict ${tone}`}>
        <span aria-hidden="true">{mark}</span> {verdictLabels[claim.verdict]}
      </span>
      <Prose text={claim.text} />
      <span className="small soft">
        {claim.reason}{' '}
        {passageId !== null && (
          <button
            type="button"
            className="word"
            aria-pressed={chosen === passageId}
            onClick={() => choose(chosen === passageId ? null : passageId)}
          >
            show passage
          </button>
        )}
      </span>
    </li>
  )
}

const CaseDraft = ({ found, ...choosing }: { found: Case } & PassageChoice) => {
  const { draft, check } = found
  return (
    <section>
      <h2>Held draft</h2>
      {check ? (
        <ul className="claims card">
          {check.claims.map((claim, at) => (
            <ClaimLine key={at} claim={claim} {...choosing} />
          ))}
        </ul>
      ) : (
        <div className="card text">
          {draft.quotes ? (
            draft.quotes.map((quote, at) => (
              <div key={at}>
                <blockquote>
                  <Prose text={quote.text} />
                </blockquote>
                {quote.rows && <p className="small soft">{shownRows(quote)}</p>}
              </div>
            ))
          ) : (
            <Prose text={draft.text} />
          )}
          <p className="small soft">{draft.quotes ? 'Quotes from the documents.' : 'Not checked.'}</p>
        </div>
      )}
      {check && (
        <details>
          <summary>Full text of the draft</summary>
          <Prose text={draft.text} />
        </details>
      )}
    </section>
  )
}

const Passage = ({ passage, isChosen }: { passage: Evidence; isChosen: boolean }) => (
  <details className={isChosen ? 'chosen' : undefined} open={isChosen || undefined}>
    <summary>
      {passage.title}
      {passage.page !== undefined && ` · page ${passage.page}`}
      {passage.grade && (
        <span className="small soft">
          {' '}
          · {passage.grade.relevant ? `relevant, ${passage.grade.level}` : 'not relevant'}
        </span>
      )}
    </summary>
    <Prose text={passage.text} />
  </details>
)

const Passages = ({ found, chosen }: { found: Case; chosen: string | null }) => (
  <section>
    <h2>Evidence when the draft was held</h2>
    <div className="card passages">
      {found.evidence.length === 0 && <p className="soft">No passage was read for this draft.</p>}
      {found.evidence.map((passage) => (
        <Passage key={`${passage.id}${passage.id === chosen}`} passage={passage} isChosen={passage.id === chosen} />
      ))}
    </div>
  </section>
)

const RemoveCase = ({ id }: { id: string }) => {
  const { client } = useSession()
  const [, navigate] = useLocation()
  const [isAsked, ask] = useState(false)
  const remove = useMutation({ mutationFn: () => client.removeCase(id), onSuccess: () => navigate('~/desk/cases') })
  if (!isAsked) return <Button onPress={() => ask(true)}>Remove this case</Button>
  return (
    <span className="case-head" role="group" aria-label="Remove this case">
      <span>This permanently deletes this case with its texts.</span>
      <Button onPress={() => remove.mutate()} isDisabled={remove.isPending} autoFocus>
        Remove case
      </Button>
      <Button onPress={() => ask(false)}>Do not remove</Button>
      {remove.error && <Problem error={remove.error} />}
    </span>
  )
}

const checkerText = ({ skills = '', check }: Case): string => {
  if (/^offline\b/.test(skills)) return 'no model checked the draft'
  if (check?.degraded) return 'no model checked the draft, because the model was down'
  return check && skills !== '' ? `checked by ${skills}` : 'not checked'
}

const Facts = ({ found }: { found: Case }) => (
  <p className="small soft">
    Policy <Link href={`~/desk/cases?policy=${encodeURIComponent(found.policy)}`}>{found.policy}</Link>
    {found.collections.length > 0 && ` in ${found.collections.join(', ')}`} · score {scoreText(found.score)} · held{' '}
    {clockTime(found.parkedAt)} because {holdReasonText(found.reason)} · asked {fromNow(found.askedAt)}
    {' · '}
    {checkerText(found)}
    {found.prompts.length > 0 && ` · ${found.prompts.join(', ')}`}
  </p>
)

const CaseThread = ({ thread }: Pick<Case, 'thread'>) =>
  thread && (
    <details>
      <summary>Earlier questions in this thread</summary>
      {thread.summary !== undefined && <p className="soft">{thread.summary}</p>}
      {thread.turns.map(({ question, text }, at) => (
        <div key={at}>
          <b>{question}</b>
          <Prose text={text} />
        </div>
      ))}
    </details>
  )

export const CasePage = ({ id }: { id: string }) => {
  useTitle('Case')
  const { client, me } = useSession()
  const [chosen, choose] = useState<string | null>(null)
  const { data: found, error } = useQuery({
    queryKey: ['desk', 'case', id],
    queryFn: ({ signal }) => client.case(id, { signal }),
  })
  return (
    <main className="page cases">
      <DeskLinks here="~/desk/cases" />
      {error && <Problem error={error} />}
      {found && (
        <>
          <h1>{found.question}</h1>
          {found.standalone !== undefined && <p className="soft">Question understood as: {found.standalone}</p>}
          <Facts found={found} />
          <CaseThread thread={found.thread} />
          <CaseDecision found={found} />
          <div className="beside">
            <CaseDraft found={found} chosen={chosen} choose={choose} />
            <Passages found={found} chosen={chosen} />
          </div>
          {mayUse(me, 'admin') && <RemoveCase id={id} />}
        </>
      )}
    </main>
  )
}
