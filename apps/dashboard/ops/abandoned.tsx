import { Link } from 'wouter'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { AbandonedTask } from '@plumbline/contracts'
import { mayRead, mayUse, useSession } from '../session'
import { Button } from '../ui/controls'
import { Problem } from '../ui/problem'
import { fromNow } from '../ui/time'
import { RunStatusLabel } from './run-rows'
import { useTitle } from '../ui/title'

const Replay = ({ runId, tenant }: AbandonedTask) => {
  const { client, me } = useSession()
  const { mutate, data, error, isPending } = useMutation({ mutationFn: () => client.replay(runId) })
  if (error) return <Problem error={error} />
  if (data)
    return (
      <span role="status">
        {tenant === me.tenant && mayRead(me) ? (
          <Link href={`/runs/${data.runId}`}>asked again</Link>
        ) : (
          <>
            asked again: <span className="mono">{data.runId}</span>
          </>
        )}
      </span>
    )
  return (
    <Button onPress={() => mutate()} isDisabled={isPending} aria-label={`Ask again: question of run ${runId}`}>
      Ask again
    </Button>
  )
}

const Row = ({ its, shared }: { its: AbandonedTask; shared: boolean }) => {
  const { me } = useSession()
  const isOwn = its.tenant === me.tenant
  return (
    <tr>
      <td>{fromNow(its.at)}</td>
      {shared && <td>{its.tenant}</td>}
      <td className="mono">{its.taskId}</td>
      <td>{its.reason}</td>
      <td>
        {isOwn && its.question !== undefined ? (
          <Link href={`/runs/${its.runId}`}>{its.question}</Link>
        ) : (
          <span className="mono soft">{its.runId}</span>
        )}
      </td>
      <td>{its.status ? <RunStatusLabel status={its.status} /> : <span className="soft">deleted</span>}</td>
      <td>{its.status && <Replay {...its} />}</td>
    </tr>
  )
}

const ReplayAll = ({ tasks }: { tasks: AbandonedTask[] }) => {
  const { client } = useSession()
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (runIds: string[]) => client.replayMany({ runIds }),
  })
  const open = tasks.filter(({ status }) => status === 'failed' || status === 'expired' || status === 'unanswered')
  const runIds = [...new Set(open.map(({ runId }) => runId))]
  if (error) return <Problem error={error} />
  if (data) {
    const refused = data.items.flatMap(({ problem }) => problem ?? [])
    return (
      <p role="status">
        {data.items.length - refused.length} asked again
        {refused.length > 0 && `, ${refused.length} refused: ${refused[0]}`}
      </p>
    )
  }
  if (runIds.length < 2) return null
  return (
    <Button onPress={() => mutate(runIds)} isDisabled={isPending}>
      {`Ask all ${runIds.length} questions again`}
    </Button>
  )
}

export const AbandonedPage = () => {
  useTitle('Abandoned tasks')
  const { client, me } = useSession()
  const shared = mayUse(me, 'operator')
  const { data, error, refetch } = useQuery({
    queryKey: ['ops', 'abandoned'],
    queryFn: ({ signal }) => client.abandoned({ signal }),
  })
  if (error) return <Problem error={error} retry={() => void refetch()} />
  return (
    <>
      <h1>Abandoned tasks</h1>
      <p className="soft">
        A task is abandoned if it crashed its process three times or failed as often as its stage allows. Its run
        continues without this task or ends. The button Ask again starts a new run with the same question, policy,
        collection, filters and thread.
      </p>
      {data && <ReplayAll tasks={data.items} />}
      {data?.items.length === 0 && <p className="card empty">No abandoned tasks.</p>}
      {data && data.items.length > 0 && (
        <div className="card table" tabIndex={0} role="region" aria-label="Abandoned tasks, newest first">
          <table>
            <thead>
              <tr>
                <th scope="col">Time</th>
                {shared && <th scope="col">Tenant</th>}
                <th scope="col">Task</th>
                <th scope="col">Reason</th>
                <th scope="col">Run</th>
                <th scope="col">Status</th>
                <th scope="col">Action</th>
              </tr>
            </thead>
            <tbody>
              {data.items.map((its) => (
                <Row key={`${its.runId} ${its.taskId}`} its={its} shared={shared} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  )
}
