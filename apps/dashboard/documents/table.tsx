import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import { type DocumentView, fileNameOf } from '@plumbline/contracts'
import { Link, useLocation } from 'wouter'
import { useSession } from '../session'
import { Button, Field, Select } from '../ui/controls'
import { useFilters } from '../ui/filters'
import { Problem } from '../ui/problem'
import { TableHead, VirtualRows } from '../ui/table'
import { fromNow } from '../ui/time'
import { countText, documentPath, isInProgress, reasonOf, searchPath, sizeOf, statusOf } from './labels'
import { useRetry } from './upload-list'
import { useDocument } from './use-document'

const statuses = { indexed: 'Ready', processing: 'Processing', queued: 'Waiting', failed: 'Failed' } as const
type Status = keyof typeof statuses

const StatusCell = ({ view, mayWrite }: { view: DocumentView; mayWrite: boolean }) => {
  const retry = useRetry(view.id)
  const tone = view.status === 'failed' ? 'bad' : view.status === 'indexed' ? 'good' : 'soft'
  return (
    <td className="state">
      <span className={tone}>{statusOf(view)}</span>
      {isInProgress(view) && (
        <progress max={100} value={view.progress.percent} aria-label={`Progress of ${view.title}`} />
      )}
      {view.status === 'failed' && (
        <p className="reason small">
          {reasonOf(view)}{' '}
          {mayWrite && (
            <Button quiet onPress={() => retry.mutate()} isDisabled={retry.isPending}>
              Retry
            </Button>
          )}
        </p>
      )}
    </td>
  )
}

type RowProps = { known: DocumentView; item: VirtualItem; measure: (row: Element | null) => void; mayWrite: boolean }

const Row = ({ known, item, measure, mayWrite }: RowProps) => {
  const view = useDocument(known)
  const { source, progress, notes = [], warnings = [] } = view
  const allNotes = [...warnings, ...notes]
  const file = fileNameOf(view)
  return (
    <tr ref={measure} data-index={item.index} aria-rowindex={item.index + 2}>
      <td>
        <Link href={documentPath(view.collection, view.id)}>{view.title}</Link>
        {file !== undefined && file !== view.title && <div className="faint small name">{file}</div>}
        {allNotes.length > 0 && (
          <div className="warn small">{countText(allNotes.length, 'note')} on how the document was read</div>
        )}
      </td>
      <StatusCell view={view} mayWrite={mayWrite} />
      <td className="number wide">{progress.passages > 0 ? progress.passages.toLocaleString('en') : ''}</td>
      <td className="number wide">{source?.kind === 'file' ? sizeOf(source.bytes) : source?.kind}</td>
      <td className="number wide">
        <time dateTime={view.updatedAt}>{fromNow(view.updatedAt)}</time>
      </td>
    </tr>
  )
}

const Rows = ({ items, mayWrite, more }: { items: DocumentView[]; mayWrite: boolean; more: () => void }) => {
  const body = useRef<HTMLTableSectionElement>(null)
  const [margin, setMargin] = useState(0)
  // Measure the position after every render, because content above the rows may appear or disappear.
  useLayoutEffect(() => {
    if (body.current) setMargin(Math.round(body.current.getBoundingClientRect().top + window.scrollY))
  })
  const rows = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => 46,
    overscan: 12,
    getItemKey: (at) => items[at]?.id ?? at,
    scrollMargin: margin,
  })
  return (
    <VirtualRows rows={rows} items={items} onNearEnd={more} body={body}>
      {(known, item) => (
        <Row key={item.key} known={known} item={item} measure={rows.measureElement} mayWrite={mayWrite} />
      )}
    </VirtualRows>
  )
}

const usePages = (collection: string, status: Status | undefined, words: string) => {
  const { client } = useSession()
  return useInfiniteQuery({
    queryKey: ['documents', collection, status, words],
    queryFn: ({ pageParam, signal }) =>
      client.documents({
        collection,
        limit: 100,
        signal,
        ...(pageParam !== null && { cursor: pageParam }),
        ...(status && { status }),
        ...(words !== '' && { words }),
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: (before) => before,
  })
}

const columns = [
  ['Document'],
  ['Status'],
  ['Passages', 'number wide'],
  ['Size', 'number wide'],
  ['Updated', 'number wide'],
] as const

const useDocumentFilters = () => {
  const [filters, set] = useFilters()
  const status = Object.keys(statuses).find((one): one is Status => one === filters.get('status'))
  return { status, words: filters.get('words') ?? '', set }
}

type FiltersProps = ReturnType<typeof useDocumentFilters> & { collection: string }

/** Filters the list by title and name during typing. The Enter key searches in the text of the documents. */
const Filters = ({ collection, status, words, set }: FiltersProps) => {
  const [, go] = useLocation()
  const searchText = (event: FormEvent): void => {
    event.preventDefault()
    go(searchPath(collection, words.trim()))
  }
  return (
    <form role="search" className="filters" onSubmit={searchText}>
      <Field
        label={`Search in ${collection}`}
        type="search"
        placeholder="Title, name or text"
        value={words}
        onChange={(value) => set('words', value)}
      />
      <Button type="submit" isDisabled={words.trim() === ''}>
        Search text
      </Button>
      <Select
        label="Status"
        value={status ?? ''}
        options={[['', 'Any'], ...Object.entries(statuses)]}
        onChange={(value) => set('status', value)}
      />
    </form>
  )
}

const NoMatch = ({ collection, words }: { collection: string; words: string }) => (
  <p className="card empty">
    No document matches. Remove a filter
    {words.trim() !== '' && (
      <>
        , or <Link href={searchPath(collection, words.trim())}>search the text</Link>
      </>
    )}
    .
  </p>
)

export const DocumentTable = ({ collection, mayWrite }: { collection: string; mayWrite: boolean }) => {
  const filters = useDocumentFilters()
  const { status, words } = filters
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = usePages(collection, status, words)
  const items = data?.pages.flatMap((page) => page.items) ?? []
  const isFiltered = status !== undefined || words !== ''
  const isEmpty = data !== undefined && items.length === 0 && !hasNextPage
  const more = useRef(() => {})
  more.current = () => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }
  const loadMore = useRef(() => more.current())
  // With a status filter, a page may be empty although more pages follow. In this case, load the next page.
  useEffect(() => {
    if (items.length === 0) more.current()
  })
  if (isEmpty && !isFiltered)
    return (
      <p className="card empty">
        No documents yet.{' '}
        {mayWrite ? 'Drop files anywhere on this page.' : 'Documents that your key can read appear here.'}
      </p>
    )
  return (
    <section aria-label="Documents">
      <Filters collection={collection} {...filters} />
      {error && <Problem error={error} retry={() => void refetch()} />}
      {isEmpty && <NoMatch collection={collection} words={words} />}
      {items.length > 0 && (
        <table className="list" aria-rowcount={hasNextPage ? -1 : items.length + 1}>
          <TableHead columns={columns} />
          <Rows items={items} mayWrite={mayWrite} more={loadMore.current} />
        </table>
      )}
    </section>
  )
}
