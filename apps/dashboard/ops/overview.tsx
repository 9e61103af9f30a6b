import { Link } from 'wouter'
import { useQuery } from '@tanstack/react-query'
import { mayRead, mayUse, useSession } from '../session'
import { Select } from '../ui/controls'
import { Problem } from '../ui/problem'
import { Diagnosis } from './diagnosis'
import { address } from './figures'
import { ranges, useHistory, useHistoryFilter } from './history'
import { HistoryCharts } from './history-charts'
import { LiveStatus } from './live-status'
import { RunRows } from './run-rows'
import { ComparisonTable, Reasons } from './tables'
import { useTitle } from '../ui/title'

const LatestRuns = () => {
  const { client } = useSession()
  const { data } = useQuery({
    queryKey: ['ops', 'latest'],
    queryFn: ({ signal }) => client.runs({ limit: 8, signal }),
    refetchInterval: 5_000,
  })
  return (
    <section className="card" aria-label="Latest runs">
      <div className="table">
        <table className="runs-table">
          <RunRows.Head />
          <tbody>
            {data?.items.map((run) => (
              <RunRows.Row key={run.id} run={run} />
            ))}
            {data?.items.length === 0 && (
              <tr>
                <td colSpan={5} className="soft">
                  No questions yet. <Link href="~/">Ask a question</Link>, and it is listed here.
                </td>
              </tr>
            )}
          </tbody>
        </table>
      </div>
      <p className="small more">
        <Link href="/runs">All runs</Link>
      </p>
    </section>
  )
}

const FilterNotice = ({
  tenant,
  policy,
  onAll,
}: {
  tenant?: string
  policy?: string
  onAll: (what: 'tenant' | 'policy') => void
}) => (
  <>
    {tenant !== undefined && (
      <button type="button" className="chip" onClick={() => onAll('tenant')}>
        tenant {tenant} · show all tenants
      </button>
    )}
    {policy !== undefined && (
      <button type="button" className="chip" onClick={() => onAll('policy')}>
        policy {policy} · show all policies
      </button>
    )}
  </>
)

export const Overview = () => {
  useTitle('Ops')
  const { me } = useSession()
  const isOperator = mayUse(me, 'operator')
  const [chosen, choose] = useHistoryFilter()
  const { range, tenant, policy } = chosen
  const { data: history, error, refetch } = useHistory(chosen)
  const to = (what: { tenant?: string; policy?: string }): string =>
    address('/', { range: range.id, tenant, policy, ...what })
  return (
    <>
      <header className="top">
        <h1>{isOperator ? 'System status' : `Runs of ${me.tenant}`}</h1>
        <span className="room" />
        <FilterNotice {...chosen} onAll={(what) => choose(what, '')} />
        <Select
          label="Time range"
          labelled="before"
          value={range.id}
          options={ranges.map(({ id, name }) => [id, name])}
          onChange={(id) => choose('range', id)}
        />
      </header>
      {isOperator && <LiveStatus history={history} />}
      {error && <Problem error={error} retry={() => void refetch()} />}
      {mayRead(me) && <LatestRuns />}
      {history ? (
        <>
          <HistoryCharts history={history} policy={policy} />
          <div className="below">
            {isOperator && <ComparisonTable what="tenant" rows={history.tenants} to={(name) => to({ tenant: name })} />}
            <ComparisonTable what="policy" rows={history.policies} to={(name) => to({ policy: name })} />
          </div>
        </>
      ) : (
        <div className="charts-space" aria-busy={!error} />
      )}
      <Diagnosis />
      {history && <Reasons total={history.total} from={history.from} to={history.to} />}
    </>
  )
}
