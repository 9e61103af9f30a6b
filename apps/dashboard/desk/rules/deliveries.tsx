import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import type { WebhookDelivery } from '@plumbline/contracts'
import { Link } from 'wouter'
import { useSession } from '../../session'
import { Button } from '../../ui/controls'
import { Problem } from '../../ui/problem'
import { clockTime, fromNow } from '../../ui/time'

const deliveryText = ({ status, tries, nextTryAt, problem }: WebhookDelivery): string => {
  const tried = `${tries} ${tries === 1 ? 'try' : 'tries'}`
  switch (status) {
    case 'delivered':
      return `delivered after ${tried}`
    case 'failed':
      return `failed after ${tried}. ${problem ?? ''}`
    case 'waiting':
      return nextTryAt ? `${problem ?? ''} ${tried}, next try ${fromNow(nextTryAt)}` : 'sending'
  }
}
const tones = { delivered: 'good', waiting: 'warn', failed: 'bad' } as const

const DeliverySubject = ({ runId, documentId, batchId, scheduleId }: WebhookDelivery) => {
  if (runId !== undefined) return <Link href={`/desk/${runId}`}>show run</Link>
  if (documentId !== undefined) return <Link href={`/documents/${documentId}`}>show document</Link>
  return <span className="mono">{batchId ?? scheduleId}</span>
}

const Row = ({ delivery }: { delivery: WebhookDelivery }) => {
  const { client } = useSession()
  const queries = useQueryClient()
  const replay = useMutation({
    mutationFn: () => client.replayDelivery(delivery.id),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['webhooks', 'deliveries'] }),
  })
  const { at, event, webhook, status } = delivery
  return (
    <tr>
      <td>{clockTime(at)}</td>
      <td>
        <span className="mono">{event}</span> <DeliverySubject {...delivery} />
      </td>
      <td>{webhook}</td>
      <td className={tones[status]}>
        {deliveryText(delivery)}
        {replay.error && <Problem error={replay.error} />}
      </td>
      <td>
        {status !== 'waiting' && (
          <Button
            onPress={() => replay.mutate()}
            isDisabled={replay.isPending}
            aria-label={`Send again: ${event} of ${clockTime(at)} to ${webhook}`}
          >
            Send again
          </Button>
        )}
      </td>
    </tr>
  )
}

const refreshMs = 5_000

export const Deliveries = () => {
  const { client } = useSession()
  const { data, error, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['webhooks', 'deliveries'],
    queryFn: ({ pageParam, signal }) =>
      client.deliveries({ limit: 10, signal, ...(pageParam && { cursor: pageParam }) }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    refetchInterval: refreshMs,
  })
  const items = (data?.pages ?? []).flatMap((page) => page.items)
  return (
    <section className="card rules" aria-labelledby="deliveries">
      <h2 id="deliveries">Recent deliveries</h2>
      {error && <Problem error={error} retry={() => void refetch()} />}
      {data && items.length === 0 && (
        <p className="says">No deliveries yet. Deliveries are listed here for 8 days and can be sent again.</p>
      )}
      {items.length > 0 && (
        <div className="table" tabIndex={0} role="region" aria-label="Table of deliveries">
          <table>
            <thead>
              <tr>
                {['Time', 'Event', 'Webhook', 'Status', 'Action'].map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {items.map((delivery) => (
                <Row key={delivery.id} delivery={delivery} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {hasNextPage && <Button onPress={() => void fetchNextPage()}>Show more</Button>}
    </section>
  )
}
