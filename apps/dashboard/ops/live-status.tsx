import { Link } from 'wouter'
import { useQuery } from '@tanstack/react-query'
import type { OpsHistory, OpsOverview } from '@plumbline/contracts'
import { useSession } from '../session'
import { Problem } from '../ui/problem'
import { ContentLink } from './content-link'
import { count, sum, time } from './figures'
import { Sparkline, StageTile } from './stage-tile'
import { clockTime } from '../ui/time'
import { countText, healthyText, type Trouble, troublesOf } from './health-summary'

const useOverview = (enabled: boolean) => {
  const { client } = useSession()
  return useQuery({
    queryKey: ['ops', 'overview'],
    queryFn: ({ signal }) => client.overview({ signal }),
    refetchInterval: 4_000,
    enabled,
  })
}

const TroubleLine = ({ text, since, error, step, to, runbook }: Trouble) => (
  <li>
    <Link href={to}>
      <b>{text}</b>
    </Link>{' '}
    {since !== undefined && <span>Since {clockTime(since)}. </span>}
    {error !== undefined && <q className="soft">{error}</q>} {step}{' '}
    <Link href={`/runbook#${runbook}`} className="small">
      Runbook
    </Link>
  </li>
)

const HealthSummary = ({ now }: { now: OpsOverview }) => {
  const found = troublesOf(now)
  if (found.length === 0)
    return (
      <p className="verdict well" role="status">
        <b>All is well.</b> {healthyText(now)}
      </p>
    )
  const isGrave = found.some(({ grave }) => grave)
  return (
    <div className={`verdict ${isGrave ? 'grave' : 'watch'}`} role="status">
      <b>{isGrave ? '■ Something is wrong.' : '▲ Needs attention.'}</b>
      <ul>
        {found.map((trouble) => (
          <TroubleLine key={trouble.text} {...trouble} />
        ))}
      </ul>
    </div>
  )
}

const HeldTile = ({ now, history }: { now: OpsOverview; history: OpsHistory | undefined }) => (
  <li className="card stage">
    <div className="line">
      <h2>desk</h2>
      <span>reviewers</span>
    </div>
    <ContentLink href="~/desk" className="plain">
      <b className="big">{count(now.held.waiting)}</b>{' '}
      <span className="small soft">
        {now.held.oldestMs === null ? 'held' : `held, oldest for ${time(now.held.oldestMs)}`}
      </span>
    </ContentLink>
    <div className="line">
      <span>{history ? `${count(sum(history.total.parked))} arrived` : ''}</span>
      <span>{history ? `${count(sum(history.total.decided))} decided` : ''}</span>
    </div>
    <Sparkline values={history?.points.map(({ runs }) => sum(runs.parked)) ?? []} />
    {now.desk && (
      <div className="line">
        <span className={now.desk.overdue > 0 ? 'bad' : undefined}>{count(now.desk.overdue)} overdue</span>
        <span>{count(now.desk.dueWithinHour)} due within 1 h</span>
      </div>
    )}
    {!!now.desk?.takingWork && (
      <div className="line">{countText(now.desk.takingWork, 'reviewer available', 'reviewers available')}</div>
    )}
  </li>
)

const RunsTile = ({ now, history }: { now: OpsOverview; history: OpsHistory | undefined }) => (
  <li className="card stage">
    <div className="line">
      <h2>all runs</h2>
      <span>{count(now.runsPerHour)} runs/h</span>
    </div>
    <ContentLink href="/runs?status=running" className="plain">
      <b className="big">{count(now.runs.running ?? 0)}</b> <span className="small soft">running</span>
    </ContentLink>
    <div className="line">
      <span>{history ? `${count(history.total.asked)} asked` : ''}</span>
      <span>{history ? `${count(sum(history.total.ended))} ended` : ''}</span>
    </div>
    <Sparkline values={history?.points.map(({ runs }) => sum(runs.ended)) ?? []} />
    <div className="line">
      <span>{now.p50Ms !== null && `p50 ${time(now.p50Ms)}`}</span>
      <span>{now.p95Ms !== null && `p95 ${time(now.p95Ms)}`}</span>
    </div>
  </li>
)

export const LiveStatus = ({ history }: { history: OpsHistory | undefined }) => {
  const { data: now, error, refetch } = useOverview(true)
  if (error) return <Problem error={error} retry={() => void refetch()} />
  if (!now) return <div className="now-space" aria-busy="true" />
  const doneBy = (stage: string): number[] =>
    history?.points.map((point) => point.stages.find((each) => each.stage === stage)?.done ?? 0) ?? []
  return (
    <>
      <p className="glance">
        <span className={`chip ${now.accepting ? 'good' : 'bad'}`}>
          {now.accepting ? '● accepting questions' : '■ refusing questions'}
        </span>
        <span className="small soft">
          {count(now.runsPerHour)} {now.runsPerHour === 1 ? 'run' : 'runs'} ended in the last hour ·{' '}
          {now.oldestMs === null ? 'queues are empty' : `longest wait in a queue ${time(now.oldestMs)}`}
        </span>
      </p>
      <HealthSummary now={now} />
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
