import { useEffect, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { RunStatus, type RunSummary } from '@plumbline/contracts'
import { useSession } from '../session'
import { Button } from '../ui/controls'
import { useFilters } from '../ui/filters'
import { Problem } from '../ui/problem'
import { VirtualRows } from '../ui/table'
import { RunFilters, type RunFilter, runFilters } from './run-filters'
import { RunRows } from './run-rows'
import { isNewestFirst, type Sort, sortAfter, type SortColumn, sortRuns, sortFrom } from './run-sort'
import { useTitle } from '../ui/title'

const rowHeight = 38
const pageSize = 50
/** To sort runs, the browser loads at most this many. The gateway itself can return runs only newest first. */
const maxSortedRuns = 500
/** The refresh interval in ms for one page of runs. For two pages it is twice as long, and so on. */
const refreshMs = 4_000
/** After this many empty pages in a row, the next page is loaded only if the user asks for it. */
const emptyPages = 4

const useFilter = (): RunFilter => {
  const [params] = useSearchParams()
  const text = params.toString()
  return useMemo(() => {
    const given = new URLSearchParams(text)
    return Object.fromEntries(runFilters.flatMap((name) => (given.get(name) ? [[name, given.get(name)]] : [])))
  }, [text])
}

const useRuns = ({ status, ...filter }: RunFilter, isLive: boolean) => {
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
    refetchInterval: ({ state: { data } }) => isLive && refreshMs * Math.max(1, data?.pages.length ?? 1),
  })
}

const useSort = (): [Sort, (column: SortColumn) => void] => {
  const [filters, set] = useFilters()
  const text = filters.get('sort')
  const sort = useMemo(() => sortFrom(text), [text])
  return [sort, (column) => set('sort', sortAfter(sort, column))]
}

type RowsProps = {
  runs: RunSummary[]
  onEnd: () => void
  onTop: (isAtTop: boolean) => void
  sort: Sort
  onSort: (column: SortColumn) => void
}
const Rows = ({ runs, onEnd, onTop, sort, onSort }: RowsProps) => {
  const frame = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: runs.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  })
  return (
    <div
      className="card runs-frame"
      ref={frame}
      tabIndex={0}
      role="region"
      aria-label="Runs"
      onScroll={({ currentTarget }) => onTop(currentTarget.scrollTop === 0)}
    >
      <table className="runs-table" aria-rowcount={runs.length + 1}>
        <RunRows.SortHead sort={sort} onSort={onSort} />
        <VirtualRows rows={rows} items={runs} onNearEnd={onEnd}>
          {(run, { index }) => <RunRows.Row key={run.id} run={run} index={index + 2} />}
        </VirtualRows>
      </table>
    </div>
  )
}

type CountProps = { count: number; hasMore: boolean; isSorted: boolean; isAtTop: boolean }

const countText = ({ count, hasMore, isSorted, isAtTop }: CountProps): string =>
  [
    `${count}${hasMore ? '+' : ''} ${count === 1 && !hasMore ? 'run' : 'runs'}`,
    isSorted && hasMore && `only the newest ${count} are sorted`,
    !isAtTop && 'updates are paused until you scroll back to the top',
  ]
    .filter(Boolean)
    .join(' · ')

const usePages = (filter: RunFilter, isSorted: boolean, isLive: boolean) => {
  const query = useRuns(filter, isLive)
  const { data, error, hasNextPage, isFetching, fetchNextPage } = query
  const pages = data?.pages ?? []
  const runs = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? [], [data])
  const isBarren = pages.length >= emptyPages && pages.slice(-emptyPages).every(({ items }) => items.length === 0)
  const goesOn = hasNextPage && !isFetching && !error && !isBarren
  const needsMore = pages.at(-1)?.items.length === 0 || (isSorted && runs.length < maxSortedRuns)
  const onEnd = useMemo(() => () => void (goesOn && fetchNextPage()), [goesOn, fetchNextPage])
  useEffect(() => {
    if (goesOn && needsMore) void fetchNextPage()
  }, [goesOn, needsMore, fetchNextPage])
  return { ...query, runs, isBarren, onEnd }
}

export const Runs = () => {
  useTitle('Runs')
  const filter = useFilter()
  const [sort, onSort] = useSort()
  const [isAtTop, setAtTop] = useState(true)
  const isSorted = !isNewestFirst(sort)
  const found = usePages(filter, isSorted, isAtTop)
  const { data, error, hasNextPage, isLoading, isFetchingNextPage, isBarren, fetchNextPage, refetch } = found
  const runs = useMemo(() => sortRuns(found.runs, sort), [found.runs, sort])
  const { data: policies } = usePolicies()
  const { data: collections } = useCollections()
  return (
    <>
      <h1>Runs</h1>
      <RunFilters filter={filter} policies={policies ?? []} collections={collections ?? []} />
      {error && <Problem error={error} retry={() => void refetch()} />}
      <p className="small soft" role="status">
        {isLoading || isFetchingNextPage
          ? 'Loading …'
          : countText({ count: runs.length, hasMore: hasNextPage, isSorted, isAtTop })}
        {!isFetchingNextPage && hasNextPage && isBarren && (
          <>
            {' '}
            <Button quiet onPress={() => void fetchNextPage()}>
              Search older runs
            </Button>
          </>
        )}
      </p>
      {runs.length > 0 && <Rows {...{ runs, sort, onSort }} onEnd={found.onEnd} onTop={setAtTop} />}
      {data && runs.length === 0 && !hasNextPage && (
        <p className="card empty">
          {Object.keys(filter).length === 0
            ? 'No runs yet. A question is listed here until its retention period ends.'
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
