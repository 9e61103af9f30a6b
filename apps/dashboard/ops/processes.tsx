import { useQuery } from '@tanstack/react-query'
import type { ProcessView } from '@plumbline/contracts'
import { useSession } from '../session'
import { Problem } from '../ui/problem'
import { fromNow } from '../ui/time'
import { count, megabytes, sum, time } from './figures'
import { useTitle } from '../ui/title'

const countText = (n: number, what: string, many = `${what}s`): string => `${count(n)} ${n === 1 ? what : many}`

const distinct = (items: ProcessView[], of: (process: ProcessView) => string): number => new Set(items.map(of)).size

const Row = ({ its }: { its: ProcessView }) => (
  <tr>
    <th scope="row">
      {its.app} <span className="mono faint">{its.pid}</span>
    </th>
    <td>{its.host}</td>
    <td>{its.version}</td>
    <td>{its.stages.join(', ') || 'requests'}</td>
    <td className="number">{its.stages.length > 0 ? `${count(its.active)} of ${count(sum(its.slots))}` : '–'}</td>
    <td className={`number ${its.lagMs > 200 ? 'warn' : ''}`}>
      {time(its.lagMs)}
      {its.lagMs > 200 && ' (slow)'}
    </td>
    <td className="number">{megabytes(its.memoryBytes)}</td>
    <td>{fromNow(its.startedAt)}</td>
  </tr>
)

export const ProcessesPage = () => {
  useTitle('Processes')
  const { client } = useSession()
  const { data, error, refetch } = useQuery({
    queryKey: ['ops', 'processes'],
    queryFn: ({ signal }) => client.processes({ signal }),
    refetchInterval: 5_000,
  })
  if (error) return <Problem error={error} retry={() => void refetch()} />
  if (!data) return <div className="run-space" aria-busy="true" />
  const { items } = data
  const versions = distinct(items, ({ version }) => version)
  return (
    <>
      <h1>Processes</h1>
      <p className={versions > 1 ? 'warn' : 'soft'}>
        {countText(
          distinct(items, ({ host, pid }) => `${host} ${pid}`),
          'process',
          'processes',
        )}{' '}
        on{' '}
        {countText(
          distinct(items, ({ host }) => host),
          'host',
        )}
        , {countText(versions, 'version')}.{versions > 1 && ' Several versions are normal only during a rollout.'}
      </p>
      <div className="card table" tabIndex={0} role="region" aria-label="Live processes">
        <table>
          <thead>
            <tr>
              <th scope="col">Process</th>
              <th scope="col">Host</th>
              <th scope="col">Version</th>
              <th scope="col">Stages</th>
              <th scope="col" className="number">
                Active tasks
              </th>
              <th scope="col" className="number">
                Event loop delay
              </th>
              <th scope="col" className="number">
                Memory
              </th>
              <th scope="col">Started</th>
            </tr>
          </thead>
          <tbody>
            {items.map((its) => (
              <Row key={its.id} its={its} />
            ))}
          </tbody>
        </table>
      </div>
      <p className="small soft">A process without a heartbeat for 15 s is not listed.</p>
    </>
  )
}
