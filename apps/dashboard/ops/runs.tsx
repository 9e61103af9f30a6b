import { useEffect, useMemo, useRef } from 'react'
import { useSearchParams } from 'wouter'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { RunStatus, type RunSummary } from '@plumbline/contracts'
import { useSession } from '../session'
import { Button } from '../ui/controls'
import { Problem } from '../ui/problem'
import { RowsInSight } from '../ui/table'
import { RunFilters, type RunFilter, runFilters } from './run-filters'
import { RunRows } from './run-rows'
import { useTitle } from '../ui/title'

const rowHeight = 38
const pageSize = 50
/** After this many empty pages in a row, the next page loads only on request. */
const emptyPages = 4

const useFilter = (): RunFilter => {
  const [params] = useSearchParams()
  const text = params.toString()
  return useMemo(() => {
    const given = new URLSearchParams(text)
    return Object.fromEntries(runFilters.flatMap((name) => (given.get(name) ? [[name, given.get(name)]] : [])))
  }, [text])
}

const useRuns = ({ status, ...filter }: RunFilter) => {
  const { client } = useSession()
  const known = RunStatus.safeParse(status)
  return useInfiniteQuery({
    queryKey: ['ops', 'runs', status, filter],
    queryFn: ({ pageParam, signal }) =>
      client.runs({
        ...filter,
        ...(known.success && { status: known.data }),
        limit: pageSize,
        ...(pageParam !== undefined && { cursor: pageParam }),
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  })
}

const Rows = ({ runs, onEnd }: { runs: RunSummary[]; onEnd: () => void }) => {
  const frame = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: runs.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  })
  return (
    <div className="card runs-frame" ref={frame} tabIndex={0} role="region" aria-label="Runs, newest first">
      <table className="runs-table" aria-rowcount={runs.length + 1}>
        <RunRows.Head />
        <RowsInSight rows={rows} items={runs} onNearEnd={onEnd}>
          {(run, { index }) => <RunRows.Row key={run.id} run={run} index={index + 2} />}
        </RowsInSight>
      </table>
    </div>
  )
}

/** Lists the runs of this tenant, filtered by the address. */
export const Runs = () => {
  useTitle('Runs')
  const filter = useFilter()
  const { data, error, hasNextPage, isFetching, fetchNextPage, refetch } = useRuns(filter)
  const runs = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? [], [data])
  const pages = data?.pages ?? []
  const isBarren = pages.length >= emptyPages && pages.slice(-emptyPages).every(({ items }) => items.length === 0)
  const goesOn = hasNextPage && !isFetching && !error && !isBarren
  const onEnd = useMemo(() => () => void (goesOn && fetchNextPage()), [goesOn, fetchNextPage])
  useEffect(() => {
    if (goesOn && pages.at(-1)?.items.length === 0) void fetchNextPage()
  }, [goesOn, pages, fetchNextPage])
  const { data: policies } = usePolicies()
  const { data: collections } = useCollections()
  return (
    <>
      <header className="top">
        <h1>Runs</h1>
        <Button onPress={() => void refetch()} isDisabled={isFetching}>
          Refresh
        </Button>
      </header>
      <RunFilters filter={filter} policies={policies ?? []} collections={collections ?? []} />
      {error && <Problem error={error} retry={() => void refetch()} />}
      <p className="small soft" role="status">
        {isFetching
          ? 'Loading …'
          : `${runs.length}${hasNextPage ? ' or more' : ''} ${runs.length === 1 ? 'run' : 'runs'}`}
        {!isFetching && hasNextPage && isBarren && (
          <>
            {' '}
            <Button quiet onPress={() => void fetchNextPage()}>
              Search further back
            </Button>
          </>
        )}
      </p>
      {runs.length > 0 && <Rows runs={runs} onEnd={onEnd} />}
      {data && runs.length === 0 && !hasNextPage && (
        <p className="card empty">
          {Object.keys(filter).length === 0
            ? 'No runs yet. A question is listed here until its retention ends.'
            : 'No run matches. Remove a filter, or choose another time.'}
        </p>
      )}
    </>
  )
}

const usePolicies = () => {
  const { client } = useSession()
  return useQuery({
    queryKey: ['policies'],
    queryFn: ({ signal }) => client.policies({ signal }),
    select: ({ items }) => items.map(({ name }) => name),
    staleTime: 60_000,
  })
}
const useCollections = () => {
  const { client } = useSession()
  return useQuery({
    queryKey: ['collections'],
    queryFn: ({ signal }) => client.collections({ signal }),
    select: ({ items }) => items.map(({ name }) => name),
    staleTime: 60_000,
  })
}
