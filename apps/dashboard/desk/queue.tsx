import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { useVirtualizer } from '@tanstack/react-virtual'
import { cleanName, type ReviewRow } from '@plumbline/contracts'
import { usePeople } from '../people'
import type { DeskAddress } from './address'
import { actionLabels, dueText, isFree, riskLabel, shortReason } from './labels'
import type { Queue } from './queue-data'
import type { Selection } from './selection'

const rowHeight = 46

type NameOf = (who: string) => string
const holderText = ({ lease, pending, assignee }: ReviewRow, who: string, nameOf: NameOf): string | null => {
  if (pending) return `${actionLabels[pending.action].done.toLowerCase()} by ${nameOf(pending.by)}`
  if (lease && lease.by !== who) return `opened by ${nameOf(lease.by)}`
  if (assignee) return assignee === who ? 'assigned to you' : `assignee ${nameOf(assignee)}`
  return null
}

const Row = ({ row, who }: { row: ReviewRow; who: string }) => {
  const { words, tone } = dueText(row.dueAt)
  const has = holderText(row, who, usePeople())
  const risk = riskLabel(row.risk)
  return (
    <>
      <b className="one-line">{cleanName(row.question)}</b>
      <span className="row-meta">
        <span className={tone}>
          {row.escalatedAt !== undefined && <b className="bad">overdue · </b>}
          {words}
        </span>
        <span className="one-line">{shortReason(row.reason)}</span>
        {risk !== 'low' && <span className={risk === 'high' ? 'bad' : 'warn'}>{risk} risk</span>}
        {has !== null && <span className="one-line who">{has}</span>}
      </span>
    </>
  )
}

type ListProps = { queue: Queue; address: DeskAddress; who: string; selection: Selection }

const QueueRow = ({
  row,
  index,
  address,
  who,
  selection,
}: Omit<ListProps, 'queue'> & { row: ReviewRow; index: number }) => (
  <>
    <label className="pick">
      <input
        type="checkbox"
        aria-label={`Select ${cleanName(row.question)}`}
        checked={selection.chosen.has(row.runId)}
        disabled={!isFree(row, who)}
        onChange={({ nativeEvent }) =>
          selection.toggle(index, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
        }
      />
    </label>
    <Link
      href={address.addressOf(row.runId)}
      className="row"
      aria-current={row.runId === address.runId ? 'true' : undefined}
    >
      <Row row={row} who={who} />
    </Link>
  </>
)

export const QueueList = ({ queue, ...shown }: ListProps) => {
  const scroller = useRef<HTMLDivElement>(null)
  const { rows, count, setVisible } = queue
  const { runId } = shown.address
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  })
  const items = virtual.getVirtualItems()
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0]
  useEffect(() => setVisible({ first, last }), [setVisible, first, last])
  const open = rows.findIndex((row) => row.runId === runId)
  const shownOnce = useRef<string>(undefined)
  useEffect(() => {
    // Scroll to the opened item only once, so that the reviewer can scroll freely afterwards.
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
              onClickCapture={(event) => {
                // A click with Shift selects a range of items. Otherwise, browsers would open a new window.
                if (!event.shiftKey || event.target instanceof HTMLInputElement) return
                event.preventDefault()
                shown.selection.toggle(index, true)
              }}
              style={{ transform: `translateY(${start}px)` }}
              aria-setsize={count}
              aria-posinset={index + 1}
            >
              {row ? <QueueRow row={row} index={index} {...shown} /> : <span className="row waiting">…</span>}
            </li>
          )
        })}
      </ol>
    </div>
  )
}
