import { useEffect, useRef } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ProblemError } from '@plumbline/client'
import { useSession } from '../session'
import { timeOfDay } from '../ui/time'

const pollMs = 15_000
const retryMs = 2_000
const pingKey = ['pulse']

const isUnreachable = (error: unknown): boolean =>
  error !== null && !(error instanceof ProblemError && error.problem.status < 500)

const useServerPing = () => {
  const { client } = useSession()
  const queries = useQueryClient()
  const pulse = useQuery({
    queryKey: pingKey,
    queryFn: () => client.me(),
    retry: false,
    networkMode: 'always',
    refetchInterval: ({ state }) => (isUnreachable(state.error) ? retryMs : pollMs),
  })
  useEffect(
    () =>
      queries.getQueryCache().subscribe(({ type, query, ...event }) => {
        if (type !== 'updated' || query.queryKey[0] === pingKey[0]) return
        const { action } = event as { action: { type: string; error?: unknown } }
        if ((action.type === 'failed' || action.type === 'error') && isUnreachable(action.error))
          void queries.refetchQueries({ queryKey: pingKey })
      }),
    [queries],
  )
  useEffect(() => {
    const look = (): void => void queries.refetchQueries({ queryKey: pingKey })
    for (const change of ['offline', 'online']) window.addEventListener(change, look)
    return () => {
      for (const change of ['offline', 'online']) window.removeEventListener(change, look)
    }
  }, [queries])
  return { away: isUnreachable(pulse.error), since: pulse.dataUpdatedAt }
}

export const Connection = () => {
  const { away, since } = useServerPing()
  const queries = useQueryClient()
  const wasAway = useRef(false)
  useEffect(() => {
    if (wasAway.current && !away)
      void queries.invalidateQueries({ predicate: ({ queryKey: [first] }) => first !== pingKey[0] })
    wasAway.current = away
  }, [away, queries])
  return (
    <div role="status" className="connection">
      {away && (
        <p>Not connected{since > 0 && ` since ${timeOfDay(since)}`}. This page may be out of date. Retrying …</p>
      )}
    </div>
  )
}
