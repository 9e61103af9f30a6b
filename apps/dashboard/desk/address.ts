import { useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import { ReviewOrder } from '@plumbline/contracts'

export const choiceNames = ['collection', 'policy', 'reason', 'assignee'] as const
export type ChoiceName = (typeof choiceNames)[number]
export const filterNames = [...choiceNames, 'escalated', 'words'] as const
type FilterName = (typeof filterNames)[number]
export type Filters = { order: ReviewOrder } & Partial<Record<FilterName, string>>

const readFilters = (search: string): Filters => {
  const words = new URLSearchParams(search)
  const order = ReviewOrder.safeParse(words.get('order'))
  const given = filterNames.flatMap((name) => {
    const value = words.get(name)
    return value ? [[name, value] as const] : []
  })
  return { order: order.success ? order.data : 'deadline', ...Object.fromEntries(given) }
}

export const searchOf = ({ order, ...filters }: Filters): string => {
  const given = filterNames.flatMap((name) => (filters[name] ? [[name, filters[name]]] : []))
  const text = new URLSearchParams([...(order === 'deadline' ? [] : [['order', order]]), ...given]).toString()
  return text === '' ? '' : `?${text}`
}

export const useDeskAddress = () => {
  const [path, navigate] = useLocation()
  const search = useSearch()
  return useMemo(() => {
    const filters = readFilters(search)
    const addressOf = (runId?: string): string => `/${runId ?? ''}${searchOf(filters)}`
    return {
      filters,
      runId: path.split('/')[1] || undefined,
      addressOf,
      open: (runId?: string, options?: { replace: boolean }): void => navigate(addressOf(runId), options),
      filter: (change: Partial<Filters>, options?: { replace: boolean }): void =>
        navigate(`${path}${searchOf({ ...filters, ...change })}`, options),
      view: (search: string): void => navigate(`${path}${search}`),
      clear: (): void => navigate(`${path}${searchOf({ order: filters.order })}`),
    }
  }, [path, search, navigate])
}
export type DeskAddress = ReturnType<typeof useDeskAddress>
