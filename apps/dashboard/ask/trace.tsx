import type { ReactNode } from 'react'
import { useState } from 'react'
import type { RunView } from '@plumbline/contracts'
import { Button } from '../ui/controls'
import { CopyButton } from '../ui/copy-button'
import { duration } from '../ui/time'
import { Stages } from './stages'

const routeNames: Record<NonNullable<RunView['route']>['to'], string> = {
  research: 'research',
  summarise: 'summary',
  web: 'web search',
  reply: 'general reply',
  clarify: 'clarifying question',
  decline: 'declined',
  continue: 'answered from this thread',
}

const money = (cents: number): string =>
  `$${(cents / 100).toFixed(cents >= 10 ? 2 : 4).replace(/(\.\d{2,}?)0+$/, '$1')}`
const countText = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`

const summaryOf = ({ route, plan, timings, usage }: RunView): string =>
  [
    route && routeNames[route.to],
    plan.steps.length > 0 && countText(plan.steps.length, 'step'),
    timings.totalMs !== undefined && duration(timings.totalMs),
    timings.totalMs !== undefined && (usage.calls === 0 ? 'no model call' : money(usage.cents)),
  ]
    .filter(Boolean)
    .join(' · ')

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)

const Facts = ({ run }: { run: RunView }) => (
  <dl className="facts">
    {run.standalone !== undefined && <Fact name="Question understood as">{run.standalone}</Fact>}
    {run.queries && run.queries.length > 0 && (
      <Fact name="Searched for">
        <ul>
          {run.queries.map((query) => (
            <li key={query}>{query}</li>
          ))}
        </ul>
      </Fact>
    )}
    {run.route && run.route.collections.length > 0 && (
      <Fact name="Collections">{run.route.collections.join(', ')}</Fact>
    )}
    {run.documentsUsed.length > 0 && (
      <Fact name="Documents">{run.documentsUsed.map(({ title }) => title).join(' · ')}</Fact>
    )}
    {run.rewrites > 0 && (
      <Fact name="Rewritten queries">{countText(run.rewrites, 'query').replace('querys', 'queries')}</Fact>
    )}
    {run.degraded && <Fact name="Unavailable services">{run.degraded.join(', ')}</Fact>}
    <Fact name="Policy">{run.policy}</Fact>
    {run.usage.calls > 0 && (
      <Fact name="Models">
        {countText(run.usage.calls, 'call')}, {run.usage.tokensIn} tokens in, {run.usage.tokensOut} out
      </Fact>
    )}
  </dl>
)

export const RunTrace = ({ run }: { run: RunView }) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <p className="small soft line">
        <span className="summary">{summaryOf(run)}</span>
        <span className="after-summary"> · </span>
        {run.status !== 'queued' && run.status !== 'running' && (
          <>
            <Button quiet aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
              how the answer was found
            </Button>{' '}
            ·{' '}
          </>
        )}
        <CopyButton quiet label="Copy link" done="Link copied" text={`${location.origin}/runs/${run.id}`} />
      </p>
      {isOpen && (
        <>
          <Stages run={run} />
          <Facts run={run} />
        </>
      )}
    </>
  )
}
