import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { useVirtualizer } from '@tanstack/react-virtual'
import { cleanName, type ReviewRow } from '@plumbline/contracts'
import { fromNow } from '../ui/time'
import type { Address } from './address'
import type { Queue } from './queue-data'
import { actionWords, due, heldBecause, mostRisk, riskWord } from './words'

const rowHeight = 104

const Risk = ({ risk }: { risk: number }) => (
  <span
    className="risk"
    role="meter"
    aria-label="Risk"
    aria-valuenow={risk}
    aria-valuemin={0}
    aria-valuemax={mostRisk}
    aria-valuetext={riskWord(risk)}
  >
    <i style={{ width: `${(100 * risk) / mostRisk}%` }} />
  </span>
)

const whoHas = ({ lease, pending, assignee }: ReviewRow, who: string): string | null => {
  if (pending) return `${actionWords[pending.action].done.toLowerCase()} by ${pending.by}, ${fromNow(pending.at)}`
  if (lease && lease.by !== who) return `open at ${lease.by}`
  if (assignee) return assignee === who ? 'yours' : `for ${assignee}`
  return null
}

const Row = ({ row, who }: { row: ReviewRow; who: string }) => {
  const { words, tone } = due(row.dueAt)
  const has = whoHas(row, who)
  return (
    <>
      <b>{cleanName(row.question)}</b>
      <span className="one-line small soft">{heldBecause(row.reason)}</span>
      <span className="row-meta">
        <span className={tone}>{words}</span>
        <Risk risk={row.risk} />
        {has !== null && <span className="one-line">{has}</span>}
      </span>
    </>
  )
}

type Choosing = { chosen: ReadonlyMap<string, ReviewRow>; choose: (row: ReviewRow) => void } | null
type ListProps = { queue: Queue; address: Address; who: string; choosing: Choosing }

const Place = ({ row, address, who, choosing }: Omit<ListProps, 'queue'> & { row: ReviewRow }) => (
  <>
    {choosing && (
      <input
        type="checkbox"
        aria-label={`Choose ${cleanName(row.question)}`}
        checked={choosing.chosen.has(row.runId)}
        onChange={() => choosing.choose(row)}
      />
    )}
    <Link
      href={address.addressOf(row.runId)}
      className="row"
      aria-current={row.runId === address.runId ? 'true' : undefined}
    >
      <Row row={row} who={who} />
    </Link>
  </>
)

/** Rows of one height, drawn only where they are in sight. */
export const QueueList = ({ queue, ...shown }: ListProps) => {
  const scroller = useRef<HTMLDivElement>(null)
  const { rows, count, look } = queue
  const { runId } = shown.address
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 4,
  })
  const items = virtual.getVirtualItems()
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0]
  useEffect(() => look({ first, last }), [look, first, last])
  const open = rows.findIndex((row) => row.runId === runId)
  const shownOnce = useRef<string>(undefined)
  useEffect(() => {
    // Once for each item that is opened: after that, scrolling is the reader's.
    if (open < 0 || shownOnce.current === runId) return
    shownOnce.current = runId
    virtual.scrollToIndex(open)
  }, [virtual, runId, open])
  return (
    <div className="queue" ref={scroller}>
      <ol style={{ height: virtual.getTotalSize() }} aria-label="Held answers">
        {items.map(({ index, start }) => {
          const row = rows[index]
          return (
            <li
              key={index}
              style={{ transform: `translateY(${start}px)` }}
              aria-setsize={count}
              aria-posinset={index + 1}
            >
              {row ? <Place row={row} {...shown} /> : <span className="row waiting">…</span>}
            </li>
          )
        })}
      </ol>
    </div>
  )
}
