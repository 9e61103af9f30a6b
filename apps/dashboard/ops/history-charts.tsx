import { useLocation } from 'wouter'
import type { OpsHistory, RunCounts } from '@plumbline/contracts'
import { ContentLink } from './content-link'
import { Chart, type ChartLine } from './chart'
import { address, cents, count, share, sum, time } from './figures'
import { withoutEmptyStart } from './history'

type Tone = ChartLine['tone']
const line = (
  name: string,
  tone: Tone,
  { points }: OpsHistory,
  of: (runs: RunCounts) => number | null,
  dash?: number[],
): ChartLine => ({ name, tone, values: points.map(({ runs }) => of(runs)), ...(dash && { dash }) })

const failed = ({ ended }: RunCounts): number => (ended['failed'] ?? 0) + (ended['expired'] ?? 0)
const endedOtherwise = (runs: RunCounts): number => sum(runs.ended) - (runs.ended['answered'] ?? 0) - failed(runs)

const dashes = { long: [8, 4], short: [3, 3] }
const stageTones: [Tone, number[]?][] = [
  ['accent'],
  ['soft', dashes.long],
  ['warn'],
  ['good', dashes.short],
  ['ink', dashes.long],
]

const StageChart = ({ history, times }: { history: OpsHistory; times: number[] }) => {
  if (history.stages.length === 0) return null
  const lines = (of: 'done' | 'p95Ms'): ChartLine[] =>
    history.stages.map(({ stage }, n) => {
      const [tone, dash] = stageTones[n % stageTones.length] ?? ['soft']
      const values = history.points.map(({ stages }) => {
        const its = stages.find((each) => each.stage === stage)
        return of === 'done' ? (its?.done ?? 0) : (its?.p95Ms ?? null)
      })
      return { name: stage, tone, values, ...(dash && { dash }) }
    })
  return (
    <>
      <Chart title="Tasks done, by stage" times={times} lines={lines('done')} format={count} />
      <Chart title="Task duration (p95), by stage" times={times} lines={lines('p95Ms')} format={time} />
    </>
  )
}

type ChartsProps = { history: OpsHistory; over: { times: number[]; onChoose: (at: number) => void } }
type RunsLink = (more: Record<string, string | undefined>) => string

const OutcomesChart = ({ history, over, runs }: ChartsProps & { runs: RunsLink }) => {
  const { total } = history
  const ended = sum(total.ended)
  return (
    <Chart
      {...over}
      title="How runs ended"
      format={count}
      lines={[
        line('answered', 'accent', history, ({ ended: its }) => its['answered'] ?? 0),
        line('held', 'warn', history, ({ parked }) => sum(parked), dashes.long),
        line('failed or expired', 'bad', history, failed, dashes.short),
        line('other endings', 'soft', history, endedOtherwise, dashes.short),
      ]}
    >
      <p className="small soft">
        <ContentLink href={runs({ status: 'answered' })}>
          answered {share(total.ended['answered'] ?? 0, ended)}
        </ContentLink>
        <ContentLink href={runs({ status: 'failed' })}>failed {share(total.ended['failed'] ?? 0, ended)}</ContentLink>
        <ContentLink href={runs({ status: 'expired' })}>
          expired {share(total.ended['expired'] ?? 0, ended)}
        </ContentLink>
        <span>held for review {share(total.heldFirst ?? 0, ended)}</span>
        <span>without a model or service {share(total.degraded ?? 0, ended)}</span>
        <span>of {count(ended)} ended runs</span>
      </p>
    </Chart>
  )
}

const RewritesChart = ({ history, over }: ChartsProps) => {
  const { total } = history
  return (
    <Chart
      {...over}
      title="Query rewrites and checks"
      format={count}
      lines={[
        line('runs with a rewritten query', 'accent', history, ({ withRewrite }) => withRewrite),
        line(
          'drafts that failed the check',
          'warn',
          history,
          ({ groundingFailures }) => groundingFailures,
          dashes.long,
        ),
        line('drafts decided by reviewers', 'good', history, ({ decided }) => sum(decided), dashes.short),
      ]}
    >
      <p className="small soft">
        <span>runs with a rewritten query {share(total.withRewrite, sum(total.ended))}</span>
        <span>
          {count(total.rewritesOfAnswered)} {total.rewritesOfAnswered === 1 ? 'rewrite' : 'rewrites'} in answered runs
        </span>
        {Object.entries(total.strategies).map(([name, often]) => (
          <span key={name}>
            {name} {count(often)}
          </span>
        ))}
      </p>
    </Chart>
  )
}

const CostChart = ({ history, over }: ChartsProps) => {
  const { calls, tokensIn, tokensOut, cents: spent } = history.total
  return (
    <Chart
      {...over}
      title="Model cost, in cents"
      format={cents}
      lines={[line('cents', 'accent', history, ({ cents: its }) => its)]}
    >
      <p className="small soft">
        <span>{count(calls)} model calls</span>
        <span>
          {count(tokensIn)} tokens in, {count(tokensOut)} out
        </span>
        <span>{cents(spent)} cents</span>
      </p>
    </Chart>
  )
}

export const HistoryCharts = ({ history: whole, policy }: { history: OpsHistory; policy: string | undefined }) => {
  const [, go] = useLocation()
  const history = withoutEmptyStart(whole)
  const { stepMs, from, to } = history
  const times = history.points.map(({ at }) => new Date(at).getTime())
  const runs: RunsLink = (more) => address('/runs', { policy, from, to, ...more })
  const onChoose = (at: number): void =>
    go(runs({ from: new Date(at).toISOString(), to: new Date(at + stepMs).toISOString() }))
  const over = { times, onChoose }
  return (
    <div className="charts">
      <OutcomesChart history={history} over={over} runs={runs} />
      <Chart
        {...over}
        title="Time until a run ends or is first held"
        format={time}
        lines={[
          line('p50', 'accent', history, ({ p50Ms }) => p50Ms),
          line('p95', 'warn', history, ({ p95Ms }) => p95Ms, dashes.long),
        ]}
      />
      <RewritesChart history={history} over={over} />
      <CostChart history={history} over={over} />
      <StageChart history={history} times={times} />
    </div>
  )
}
