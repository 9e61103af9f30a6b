import { useMemo } from 'react'
import { type LedgerPage, type TraceLine, tracer } from '@plumbline/contracts'
import { usePeople, withNames } from '../people'
import type { PassageTitles } from '../trace/trace'
import { type Change, changesOf } from './run-states'

type Items = LedgerPage['items']
type TimelineEntry = {
  id: string
  ms: number
  type: string
  task: string | undefined
  lines: TraceLine[]
  changes: Change[]
}

const entriesOf = (items: Items, nameOf: (who: string) => string): TimelineEntry[] => {
  const trace = tracer()
  const events = withNames(
    items.map(({ event }) => event),
    nameOf,
  )
  const changes = changesOf(events)
  const since = events.flatMap((event) => ('at' in event ? [event.at] : []))[0] ?? 0
  return events.map((event, n) => ({
    id: items[n]?.id ?? '',
    ms: 'at' in event ? event.at - since : 0,
    type: event.type,
    task: 'task' in event ? event.task : undefined,
    lines: trace(event),
    changes: changes[n] ?? [],
  }))
}

const Changes = ({ changes }: { changes: Change[] }) => (
  <ul className="changes small" aria-label="Changes">
    {changes.map(({ name, before, after }) => (
      <li key={name}>
        {name}: {before !== undefined && <del>{before}</del>} <ins>{after}</ins>
      </li>
    ))}
  </ul>
)

export const Timeline = ({ items, titles }: { items: Items; titles: PassageTitles }) => {
  const withTitles = (text: string): string =>
    [...titles].reduce(
      (shown, [id, { title }]) => shown.replaceAll(`${id} ${title}`, title).replaceAll(id, title),
      text,
    )
  const nameOf = usePeople()
  const entries = useMemo(() => entriesOf(items, nameOf), [items, nameOf])
  const total = Math.max(1, entries.at(-1)?.ms ?? 1)
  if (entries.length === 0) return <p className="soft">No events to show yet.</p>
  return (
    <ol className="timeline">
      {entries.map(({ id, ms, type, task, lines, changes }) => (
        <li key={id}>
          <div className="when">
            <span className="mono">{(ms / 1_000).toFixed(3)} s</span>
            <span className="track" aria-hidden="true">
              <span style={{ left: `${(100 * ms) / total}%` }} />
            </span>
          </div>
          <div>
            <b>{type}</b> {task !== undefined && <span className="mono faint">{task}</span>}
            {lines.map(({ what, text, tone }, n) => (
              <p key={n} className={`small ${tone ?? ''}`}>
                {what}: {withTitles(text)}
              </p>
            ))}
            {changes.length > 0 && <Changes changes={changes} />}
          </div>
        </li>
      ))}
    </ol>
  )
}
