import { type ReactNode, type RefObject, useEffect } from 'react'
import type { VirtualItem, Virtualizer } from '@tanstack/react-virtual'

export const TableHead = ({ columns }: { columns: readonly (readonly [name: string, className?: string])[] }) => (
  <thead>
    <tr>
      {columns.map(([name, className]) => (
        <th key={name} scope="col" className={className}>
          {name}
        </th>
      ))}
    </tr>
  </thead>
)

const rowsAhead = 20

type Rows<T, S extends Element | Window, R extends Element> = {
  rows: Virtualizer<S, R>
  items: readonly T[]
  onNearEnd: () => void
  body?: RefObject<HTMLTableSectionElement | null>
  children: (item: T, place: VirtualItem) => ReactNode
}

export const VirtualRows = <T, S extends Element | Window, R extends Element>(given: Rows<T, S, R>) => {
  const { rows, items, onNearEnd, body, children } = given
  const { scrollMargin } = rows.options
  const shown = rows.getVirtualItems()
  const last = shown.at(-1)
  const isNearEnd = last !== undefined && last.index >= items.length - rowsAhead
  useEffect(() => {
    if (isNearEnd) onNearEnd()
  }, [isNearEnd, items.length, onNearEnd])
  const above = (shown[0]?.start ?? scrollMargin) - scrollMargin
  const below = rows.getTotalSize() - ((last?.end ?? scrollMargin) - scrollMargin)
  return (
    <tbody ref={body}>
      <tr className="gap" aria-hidden="true" style={{ height: above }} />
      {shown.map((place) => {
        const item = items[place.index]
        return item !== undefined && children(item, place)
      })}
      <tr className="gap" aria-hidden="true" style={{ height: Math.max(0, below) }} />
    </tbody>
  )
}
