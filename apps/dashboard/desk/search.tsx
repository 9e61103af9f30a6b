import { forwardRef, useEffect, useState } from 'react'
import type { DeskAddress } from './address'

const settleMs = 150

export const Search = forwardRef<HTMLInputElement, { address: DeskAddress }>(({ address }, field) => {
  const { filters, filter } = address
  const [typed, setTyped] = useState(filters.words ?? '')
  useEffect(() => setTyped(filters.words ?? ''), [filters.words])
  useEffect(() => {
    if (typed.trim() === (filters.words ?? '')) return
    const timer = setTimeout(() => filter({ words: typed.trim() }, { replace: true }), settleMs)
    return () => clearTimeout(timer)
  }, [typed, filters.words, filter])
  return (
    <input
      ref={field}
      type="search"
      className="search"
      aria-label="Search held answers"
      placeholder="Search by question, asker or draft"
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape' || event.key === 'Enter') event.currentTarget.blur()
      }}
    />
  )
})
Search.displayName = 'Search'
