import { useEffect, useState } from 'react'
import type { RunView } from '@plumbline/contracts'
import { duration } from '../ui/time'
import { hasEnded, useLedger } from './run'
import { stageTimeline, type TimelineBar } from './stage-timeline'

const tickMs = 200
const useNow = (isRunning: boolean): number => {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => setNow(Date.now()), tickMs)
    return () => clearInterval(timer)
  }, [isRunning])
  return now
}

const percent = (part: number, whole: number): string => `${whole > 0 ? Math.min(100, (100 * part) / whole) : 0}%`

const Bar = ({ bar: { name, about, from, to, note }, total }: { bar: TimelineBar; total: number }) => {
  const until = Math.max(from, to ?? total)
  return (
    <li className="lane" aria-busy={to === null}>
      <span>{name}</span>
      <span className="track">
        {about !== undefined && <span className="about">{about}</span>}
        <span className="bar" aria-hidden="true">
          <i
            style={{
              left: percent(from, total),
              width: `max(4px, ${percent(until - from, total)})`,
              opacity: to === null ? 0.6 : 1,
            }}
          />
        </span>
      </span>
      <span className="figures">
        {duration(until - from)}
        {note !== '' && <span className="faint">{note}</span>}
      </span>
    </li>
  )
}

export const Stages = ({ run }: { run: RunView }) => {
  const isRunning = run.status === 'queued' || run.status === 'running'
  const { data: ledger } = useLedger(run.id, true)
  const now = useNow(isRunning)
  if (!ledger) return <ol className="card lanes" aria-busy="true" />
  const { bars, startedAt, lastAt, isOver } = stageTimeline(ledger.events)
  // If the clock of this machine is behind the gateway's clock, count at least the time since the last event arrived.
  const soFar = Math.max(now - startedAt, lastAt + now - ledger.receivedAt)
  const total = isOver || hasEnded(run) ? lastAt : Math.max(lastAt, soFar)
  const notes = ledger.events.flatMap((event) => (event.type === 'noted' ? [event.note] : []))
  return (
    <>
      <ol className="card lanes" aria-label="Stages">
        {bars.map((bar) => (
          <Bar key={bar.name} bar={bar} total={total} />
        ))}
      </ol>
      {notes.map((note) => (
        <p key={note} className="small warn">
          {note}
        </p>
      ))}
    </>
  )
}
