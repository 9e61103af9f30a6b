import { lazy, Suspense, useMemo } from 'react'
import { Link, useLocation } from 'wouter'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { EndStatus, type LedgerPage, reasons, type RunView } from '@plumbline/contracts'
import { CitedProse } from '../ask/prose'
import { passageAddress } from '../ask/source-panel'
import { useLive } from '../live'
import { mayUse, useSession } from '../session'
import { Button } from '../ui/controls'
import { Problem } from '../ui/problem'
import { duration, fromNow } from '../ui/time'
import { cents, count } from './figures'
import { RunFeedback } from './run-feedback'
import { RunStatusLabel } from './run-rows'
import { passageTitles, Trace } from '../trace/trace'
import { Timeline } from './timeline'
import { useTitle } from '../ui/title'

const Prose = lazy(() => import('../ui/markdown').then(({ Prose }) => ({ default: Prose })))
const noMarks: ReadonlyMap<number, string> = new Map()

const hasEnded = ({ status }: RunView): boolean => EndStatus.safeParse(status).success

const useRun = (id: string) => {
  const { client, me } = useSession()
  const audience = mayUse(me, 'reviewer') ? ('desk' as const) : ('asker' as const)
  useLive({ runs: [id] })
  const run = useQuery({
    queryKey: ['run', id, audience],
    queryFn: ({ signal }) => client.run(id, { audience, signal }),
  })
  const ledger = useQuery({
    queryKey: ['run', id, 'ledger', audience],
    queryFn: ({ signal }) => client.ledger(id, { audience, signal }),
  })
  return { run, ledger }
}

const Actions = ({ run }: { run: RunView }) => {
  const { client, me } = useSession()
  const queries = useQueryClient()
  const [, go] = useLocation()
  const cancel = useMutation({
    mutationFn: () => client.cancel(run.id),
    onSettled: () => queries.invalidateQueries({ queryKey: ['run', run.id] }),
  })
  const again = useMutation({
    mutationFn: async () => {
      const [collection, ...more] = run.route?.collections ?? []
      const offered = (await client.policies()).items.some(({ name }) => name === run.policy)
      return client.ask({
        question: run.question,
        ...(offered && { policy: run.policy }),
        ...(collection !== undefined && more.length === 0 && { collection }),
        ...(run.metadata && { metadata: run.metadata }),
      })
    },
    onSuccess: ({ id }) => go(`/runs/${id}`),
  })
  if (!mayUse(me, 'asker')) return null
  const error = cancel.error ?? again.error
  return (
    <>
      <div className="actions">
        {!hasEnded(run) && (
          <Button onPress={() => cancel.mutate()} isDisabled={cancel.isPending}>
            Cancel this run
          </Button>
        )}
        <Button onPress={() => again.mutate()} isDisabled={again.isPending}>
          Ask again
        </Button>
        {run.status === 'parked' && mayUse(me, 'reviewer') && <Link href={`~/desk/${run.id}`}>Review this answer</Link>}
      </div>
      {error && <Problem error={error} />}
    </>
  )
}

const Facts = ({ run }: { run: RunView }) => {
  const { usage, timings } = run
  const facts: [string, string][] = [
    ['policy', run.policy],
    ['asked', fromNow(timings.createdAt)],
    ['duration', timings.totalMs === undefined ? '–' : duration(timings.totalMs)],
    ['steps', count(run.plan.steps.length)],
    ['searches', count(run.queriesAttempted)],
    ['query rewrites', count(run.rewrites)],
    ['model calls', count(usage.calls)],
    ['tokens', count(usage.tokensIn + usage.tokensOut)],
    ['model cost in cents', cents(usage.cents)],
    ...(run.grounding ? [['grounding score', run.grounding.score.toFixed(2)] as [string, string]] : []),
  ]
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const Answer = ({ answer: { text, caveat, citations } }: { answer: NonNullable<RunView['answer']> }) => {
  const [, go] = useLocation()
  const open = (n: number): void => {
    const source = citations.find((citation) => citation.n === n)
    if (source) go(`~${passageAddress(source)}`)
  }
  return (
    <section className="card pad" aria-label="Answer">
      {caveat !== undefined && <p className="warn">{caveat}</p>}
      <CitedProse text={text} marks={noMarks} onSource={open} />
    </section>
  )
}

const partialStates: Record<NonNullable<RunView['partial']>['state'], string> = {
  open: 'checked so far; more may follow',
  incomplete: 'incomplete',
  doubted: 'contradicted by later evidence',
  corrected: 'changed by a reviewer',
  withdrawn: 'withdrawn by a reviewer',
}

const PartRead = ({ partial: { text, state } }: { partial: NonNullable<RunView['partial']> }) => (
  <section className="card pad" aria-label="Part already shown to the asker">
    <p className="small soft">The asker has already read this part. State: {partialStates[state]}.</p>
    <Suspense fallback={<p>{text}</p>}>
      <Prose text={text} />
    </Suspense>
  </section>
)

const RunEvents = ({ run, items }: { run: RunView; items: LedgerPage['items'] }) => {
  const events = useMemo(() => items.map(({ event }) => event), [items])
  const cited = [...(run.answer?.citations ?? []), ...(run.partial?.citations ?? []), ...(run.nearest ?? [])]
  const titles = passageTitles(
    cited.map(({ passageId, ...passage }) => ({ id: passageId, ...passage })),
    events,
  )
  return (
    <>
      <Trace events={events} titles={titles} />
      <details className="part">
        <summary>All events and what they changed</summary>
        <Timeline items={items} titles={titles} />
      </details>
    </>
  )
}

export const RunPage = ({ id }: { id: string }) => {
  const { run, ledger } = useRun(id)
  useTitle(run.data?.question ?? 'Run')
  if (run.error) return <Problem error={run.error} retry={() => void run.refetch()} />
  if (!run.data) return <div className="run-space" aria-busy="true" />
  const { question, status, reason, threadId } = run.data
  return (
    <>
      <p className="small">
        <Link href="/runs">Runs</Link> · <span className="mono">{id}</span>
        {threadId !== undefined && (
          <>
            {' '}
            · <Link href={`~/threads/${encodeURIComponent(threadId)}`}>Thread</Link>
          </>
        )}
      </p>
      <h1>{question}</h1>
      <p>
        <b>
          <RunStatusLabel status={status} {...(reason !== undefined && { reason })} />
        </b>{' '}
        <span className="soft">{reason !== undefined && reasons[reason as keyof typeof reasons]}</span>
      </p>
      <Actions run={run.data} />
      <Facts run={run.data} />
      {run.data.partial && <PartRead partial={run.data.partial} />}
      {run.data.answer && <Answer answer={run.data.answer} />}
      {hasEnded(run.data) && <RunFeedback id={id} />}
      <h2 className="part">How the answer was found</h2>
      {ledger.error && <Problem error={ledger.error} retry={() => void ledger.refetch()} />}
      {ledger.data && <RunEvents run={run.data} items={ledger.data.items} />}
    </>
  )
}
