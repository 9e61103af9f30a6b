import { useEffect, useRef, useState } from 'react'
import { type QueryClient, useQueries, useQueryClient } from '@tanstack/react-query'
import type { ReviewList, ReviewRow } from '@plumbline/contracts'
import { useSession } from '../session'
import type { Filters } from './address'

const pageSize = 50
const rowsAhead = 10

type RowRange = { first: number; last: number }
type QueuePage = { cursor: string | undefined; first: number; data: ReviewList | undefined }

const endOfDay = (): string => new Date(new Date().setHours(24, 0, 0, 0)).toISOString()
const requestOf = ({ escalated, ...filters }: Filters) => ({
  ...filters,
  ...(escalated && { escalated: true }),
  limit: pageSize,
  dueBy: endOfDay(),
})

const keyOf = (filters: Filters, cursor: string | undefined) => ['desk', 'page', filters, cursor ?? ''] as const

const pagesTo = (queries: QueryClient, filters: Filters, last: number): QueuePage[] => {
  const pages: QueuePage[] = []
  let [cursor, first]: [string | undefined, number] = [undefined, 0]
  for (;;) {
    const data: ReviewList | undefined = queries.getQueryData(keyOf(filters, cursor))
    pages.push({ cursor, first, data })
    first += data?.items.length ?? pageSize
    if (!data?.next || first > last + rowsAhead) return pages
    cursor = data.next
  }
}

// Returns whether a page of the list is visible. An empty page counts as one row, because a new item may appear on it.
const isVisible = ({ first, data }: QueuePage, visible: RowRange): boolean =>
  first <= visible.last + rowsAhead && first + Math.max(1, data?.items.length ?? pageSize) > visible.first

export const useQueue = (filters: Filters) => {
  const { client } = useSession()
  const queries = useQueryClient()
  const [visible, setVisible] = useState<RowRange>({ first: 0, last: 0 })
  const pages = pagesTo(queries, filters, visible.last)
  const results = useQueries({
    queries: pages.map((page) => ({
      queryKey: keyOf(filters, page.cursor),
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        client.reviews({ ...requestOf(filters), signal, ...(page.cursor && { cursor: page.cursor }) }),
      enabled: page.data === undefined || isVisible(page, visible),
      staleTime: Number.POSITIVE_INFINITY,
    })),
  })
  // If a page changes, the pages after it must be loaded again. Show their old rows until the new rows arrive.
  const shown = useRef({ filters, items: new Map<number, ReviewRow[]>() })
  const before = shown.current.filters === filters ? shown.current.items : undefined
  useEffect(() => {
    if (shown.current.filters !== filters) shown.current = { filters, items: new Map() }
    for (const [n, { data }] of results.entries()) if (data) shown.current.items.set(n, data.items)
  })
  const items = results.map(({ data }, n) => data?.items ?? before?.get(n) ?? [])
  const latest = results.reduce((best, result) => (result.dataUpdatedAt > best.dataUpdatedAt ? result : best)).data
  const isWhole = results.at(-1)?.data?.next === null
  const rows = [...new Map(items.flat().map((row) => [row.runId, row])).values()]
  return {
    rows,
    count: isWhole ? rows.length : Math.max(latest?.counts.total ?? 0, rows.length),
    summary: latest,
    error: results.find(({ error }) => error)?.error ?? null,
    setVisible,
  }
}
export type Queue = ReturnType<typeof useQueue>
