import { useState } from 'react'
import type { ReviewRow } from '@plumbline/contracts'
import { isFree } from './labels'

/** The gateway accepts at most this many decisions per request. */
export const maxBulkItems = 200

type Chosen = ReadonlyMap<string, ReviewRow>

export const useSelection = (rows: readonly ReviewRow[], who: string) => {
  const [chosen, setChosen] = useState<Chosen>(new Map())
  const [anchor, setAnchor] = useState(0)
  const add = (more: readonly ReviewRow[]): void => {
    const free = more.filter((row) => isFree(row, who)).map((row) => [row.runId, row] as const)
    setChosen(new Map([...new Map([...chosen, ...free])].slice(0, maxBulkItems)))
  }
  const toggle = (index: number, isRange: boolean): void => {
    const row = rows[index]
    if (!row) return
    if (isRange) return add(rows.slice(Math.min(anchor, index), Math.max(anchor, index) + 1))
    setAnchor(index)
    if (!chosen.has(row.runId)) return add([row])
    const others = new Map(chosen)
    others.delete(row.runId)
    setChosen(others)
  }
  return { chosen, toggle, addAll: () => add(rows), clear: () => setChosen(new Map()) }
}
export type Selection = ReturnType<typeof useSelection>
