import { useInfiniteQuery } from '@tanstack/react-query'
import type { AuditEntry } from '@plumbline/contracts'
import { usePeople } from '../people'
import { useSession } from '../session'
import { Button } from '../ui/controls'
import { Problem } from '../ui/problem'
import { TableHead } from '../ui/table'

const tones = { done: undefined, refused: 'warn', failed: 'bad', unknown: 'bad' } as const
const columns = [['Time'], ['Action'], ['Target'], ['Actor'], ['Outcome']] as const

const moment = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', hour12: false })

const Row = ({ entry: { at, action, target, actor, outcome } }: { entry: AuditEntry }) => {
  const name = usePeople()(actor)
  return (
    <tr>
      <td>
        <time dateTime={at}>{moment.format(new Date(at))}</time>
      </td>
      <td className="mono">{action}</td>
      <td className="mono long">{target}</td>
      <td className="long">
        {name !== actor && <div>{name}</div>}
        <span className="mono">{actor}</span>
      </td>
      <td className={tones[outcome]}>{outcome}</td>
    </tr>
  )
}

export const AuditLog = () => {
  const { client } = useSession()
  const { data, error, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['keys', 'audit'],
    queryFn: ({ pageParam, signal }) => client.audit({ limit: 20, signal, ...(pageParam && { cursor: pageParam }) }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })
  const items = (data?.pages ?? []).flatMap((page) => page.items)
  const download = async (): Promise<void> => {
    const url = URL.createObjectURL(await (await client.exportAudit()).blob())
    Object.assign(document.createElement('a'), { href: url, download: 'audit.jsonl' }).click()
    URL.revokeObjectURL(url)
  }
  return (
    <section className="card keys" aria-labelledby="changes">
      <h2 id="changes">Audit log</h2>
      <p className="soft">
        Each entry contains the hash of the previous entry, so that changes to the log can be detected. To check a
        downloaded log, run <code className="mono">npm run plumbline -- audit verify audit.jsonl</code>
      </p>
      {error && <Problem error={error} retry={() => void refetch()} />}
      {data && items.length === 0 && <p>No changes yet.</p>}
      {items.length > 0 && (
        <div className="table" tabIndex={0} role="region" aria-label="Changes">
          <table>
            <TableHead columns={columns} />
            <tbody>
              {items.map((entry) => (
                <Row key={entry.seq} entry={entry} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <div className="actions">
        {hasNextPage && <Button onPress={() => void fetchNextPage()}>Show more</Button>}
        {items.length > 0 && <Button onPress={() => void download()}>Download all</Button>}
      </div>
    </section>
  )
}
