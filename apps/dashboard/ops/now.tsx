import { Link } from 'wouter'
import { useQuery } from '@tanstack/react-query'
import type { OpsHistory, OpsOverview } from '@plumbline/contracts'
import { useSession } from '../session'
import { Problem } from '../ui/problem'
import { ContentLink } from './content-link'
import { count, sum, time } from './figures'
import { Spark, StageTile } from './stage-tile'
import { troubles } from './verdict'

const useOverview = (enabled: boolean) => {
  const { client } = useSession()
  return useQuery({
    queryKey: ['ops', 'overview'],
    queryFn: ({ signal }) => client.overview({ signal }),
    refetchInterval: 4_000,
    enabled,
  })
}

const Verdict = ({ now }: { now: OpsOverview }) => {
  const found = troubles(now)
  if (found.length === 0)
    return (
      <p className="verdict well" role="status">
        <b>All is well.</b> Every stage is served, nothing waits for long, and no task was given up in the last hour.
      </p>
    )
  return (
    <div className={`verdict ${found.some(({ grave }) => grave) ? 'grave' : 'watch'}`} role="status">
      <b>{found.some(({ grave }) => grave) ? 'Something is wrong.' : 'Worth a look.'}</b>
      <ul>
        {found.map(({ text, to }) => (
          <li key={text}>
            <Link href={to}>{text}</Link>
          </li>
        ))}
      </ul>
    </div>
  )
}

const HeldTile = ({ now, history }: { now: OpsOverview; history: OpsHistory | undefined }) => (
  <li className="card stage">
    <div className="line">
      <h3>desk</h3>
      <span>people</span>
    </div>
    <ContentLink href="~/desk" className="plain">
      <b className="big">{count(now.held.waiting)}</b>{' '}
      <span className="small soft">{now.held.oldestMs === null ? 'held' : `held, ${time(now.held.oldestMs)}`}</span>
    </ContentLink>
    <div className="line">
      <span>{history ? `${count(sum(history.total.parked))} came in` : ''}</span>
      <span>{history ? `${count(sum(history.total.decided))} decided` : ''}</span>
    </div>
    <Spark values={history?.points.map(({ runs }) => sum(runs.parked)) ?? []} />
  </li>
)

const RunsTile = ({ now, history }: { now: OpsOverview; history: OpsHistory | undefined }) => (
  <li className="card stage">
    <div className="line">
      <h3>all runs</h3>
      <span>{count(now.runsPerHour)}/h</span>
    </div>
    <ContentLink href="/runs?status=running" className="plain">
      <b className="big">{count(now.runs.running ?? 0)}</b> <span className="small soft">on their way</span>
    </ContentLink>
    <div className="line">
      <span>{history ? `${count(history.total.asked)} asked` : ''}</span>
      <span>{history ? `${count(sum(history.total.ended))} ended` : ''}</span>
    </div>
    <Spark values={history?.points.map(({ runs }) => sum(runs.ended)) ?? []} />
    <div className="line">
      <span>{time(now.p50Ms)}</span>
      <span>{now.p95Ms !== null && `95 % in ${time(now.p95Ms)}`}</span>
    </div>
  </li>
)

/** Whether it is well, and where not: read within a glance. */
export const Now = ({ history }: { history: OpsHistory | undefined }) => {
  const { data: now, error, refetch } = useOverview(true)
  if (error) return <Problem error={error} retry={() => void refetch()} />
  if (!now) return <div className="now-space" aria-busy="true" />
  const doneBy = (stage: string): number[] =>
    history?.points.map((point) => point.stages.find((each) => each.stage === stage)?.done ?? 0) ?? []
  return (
    <>
      <p className="glance">
        <span className={`chip ${now.accepting ? 'good' : 'bad'}`}>
          {now.accepting ? '● accepting' : '■ not accepting'}
        </span>
        <span className="small soft">
          {count(now.runsPerHour)} {now.runsPerHour === 1 ? 'run' : 'runs'} ended in the last hour ·{' '}
          {now.oldestMs === null ? 'nothing waits in a queue' : `longest wait in a queue ${time(now.oldestMs)}`}
        </span>
      </p>
      <Verdict now={now} />
      <ul className="stages" aria-label="Stages">
        <RunsTile now={now} history={history} />
        {now.stages.map((stage) => (
          <StageTile key={stage.stage} now={stage} done={doneBy(stage.stage)} />
        ))}
        <HeldTile now={now} history={history} />
      </ul>
    </>
  )
}
