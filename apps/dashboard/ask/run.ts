import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { RunView, StreamEvent, ThreadView } from '@plumbline/contracts'
import { useLive } from '../live'
import { useSession } from '../session'

export const hasEnded = ({ timings }: RunView): boolean => timings.endedAt !== undefined

export const useRun = (id: string) => {
  const { client } = useSession()
  const run = useQuery({ queryKey: ['run', id], queryFn: ({ signal }) => client.run(id, { signal }) })
  useLive(run.data && hasEnded(run.data) ? {} : { runs: [id] })
  return run
}

type RunLedger = { events: StreamEvent[]; after?: string; ended: boolean; receivedAt: number }

export const useLedger = (id: string, enabled: boolean) => {
  const { client } = useSession()
  const queries = useQueryClient()
  const queryKey = ['run', id, 'ledger']
  return useQuery({
    queryKey,
    enabled,
    queryFn: async ({ signal }): Promise<RunLedger> => {
      const before = queries.getQueryData<RunLedger>(queryKey)
      if (before?.ended) return before
      const { items, ended } = await client.ledger(id, { ...(before?.after && { after: before.after }), signal })
      const after = items.at(-1)?.id ?? before?.after
      return {
        events: [...(before?.events ?? []), ...items.map(({ event }) => event)],
        ...(after !== undefined && { after }),
        ended,
        receivedAt: items.length > 0 || !before ? Date.now() : before.receivedAt,
      }
    },
  })
}

/** Loads a thread and adds its runs to the cache. Runs that are already in the cache stay unchanged. */
export const useThread = (id: string | undefined) => {
  const { client } = useSession()
  const queries = useQueryClient()
  return useQuery({
    queryKey: ['thread', id],
    enabled: id !== undefined,
    queryFn: async ({ signal }) => {
      const thread = await client.thread(id ?? '', { signal })
      for (const run of thread.items) queries.setQueryData(['run', run.id], (known?: RunView) => known ?? run)
      return thread
    },
  })
}

export const withRun = (thread: ThreadView | undefined, threadId: string, run: RunView): ThreadView => {
  const { createdAt } = run.timings
  const known = thread ?? { id: threadId, title: run.question, runs: 0, createdAt, updatedAt: createdAt, items: [] }
  if (known.items.some(({ id }) => id === run.id)) return known
  return { ...known, runs: known.runs + 1, updatedAt: createdAt, items: [...known.items, run] }
}
