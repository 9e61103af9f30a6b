import { useCallback, useEffect, useRef } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { ReviewView } from '@plumbline/contracts'
import { useSession } from '../session'
import { isFree } from './labels'

export const useLease = (runId: string, view: ReviewView, isDecided: () => boolean) => {
  const { client, me } = useSession()
  const taking = useRef<Promise<boolean>>(undefined)
  const lease = useQuery({
    queryKey: ['lease', runId, view.taskId],
    queryFn: () => {
      const taken = client.take(runId)
      taking.current = taken.then(
        () => true,
        () => false,
      )
      return taken
    },
    enabled: isFree(view, me.name) && !isDecided(),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchIntervalInBackground: true,
    refetchInterval: ({ state: { data } }): number | false =>
      data ? Math.max(1_000, (new Date(data.until).getTime() - Date.now()) / 2) : false,
  })
  const decided = useRef(isDecided)
  useEffect(() => {
    decided.current = isDecided
  })
  useEffect(() => {
    const putBack = (): void => {
      // Errors are ignored, because the lease also ends on its own.
      if (!decided.current()) void client.putBack(runId).catch(() => undefined)
    }
    const leave = (): void => {
      void taking.current?.then((isOurs) => isOurs && putBack())
      taking.current = undefined
    }
    // Put the item back at once, because a closed page cannot wait for the response that confirms the lease.
    const closePage = (): void => {
      if (taking.current) putBack()
      taking.current = undefined
    }
    window.addEventListener('pagehide', closePage)
    return () => {
      window.removeEventListener('pagehide', closePage)
      leave()
    }
  }, [client, runId])
  return { error: lease.error, takeAgain: lease.refetch, settled: useCallback(async () => taking.current, []) }
}
