import { useMemo } from 'react'
import { Link } from 'wouter'
import { clean, cleanName, type ModelCall, type QuotedPlace, shownRows, tracer } from '@plumbline/contracts'
import { usePeople, withNames } from '../people'
import { duration } from '../ui/time'
import { type Event, hasFailed, type Phase, phasesOf, type TaskSpan } from './spans'
import './trace.css'

export type PassageTitles = ReadonlyMap<string, { title: string; href?: string }>

const Passage = ({ id, titles }: { id: string; titles: PassageTitles }) => {
  const { title = 'a passage', href } = titles.get(id) ?? {}
  return href === undefined ? <span>{title}</span> : <Link href={href}>{title}</Link>
}

const money = (cents: number): string => `$${(cents / 100).toFixed(4)}`
const countText = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`

const Call = ({ call: { skill, model, prompt, usage, insteadBy, ms, failed } }: { call: ModelCall }) => (
  <li className={failed || insteadBy === 'offline' ? 'bad' : ''}>
    <b>{skill}</b> {prompt !== undefined && <span className="soft">{prompt}</span>} by {model}
    {insteadBy !== undefined && `, instead of the configured model`}
    {usage.calls > 0 && (
      <>
        {' · '}
        {countText(usage.calls, 'call')}
        {ms !== undefined && `, ${duration(ms)}`} · {usage.tokensIn} tokens in, {usage.tokensOut} out ·{' '}
        {money(usage.cents)}
      </>
    )}
    {failed && ` · ${countText(failed.calls, 'call')} failed: ${clean(failed.error)}`}
  </li>
)

const quotedText = (quote: QuotedPlace): string => [quote.text, shownRows(quote)].filter(Boolean).join('\n')

type EventProps = { event: Event; titles: PassageTitles; lines: ReturnType<ReturnType<typeof tracer>> }

const EventLine = ({ event, titles, lines }: EventProps) => {
  switch (event.type) {
    case 'called':
      return null
    case 'queried':
      return (
        <>
          <li>Searched for {event.queries.map((query) => `“${cleanName(query)}”`).join(', ')}</li>
          {event.passages.map(({ id }) => (
            <li key={id}>
              found <Passage id={id} titles={titles} />
            </li>
          ))}
        </>
      )
    case 'evidence-graded':
      return event.grades.map(({ passageId, relevant, level, reason }) => (
        <li key={passageId} className={relevant ? 'good' : ''}>
          {relevant ? 'relevant' : 'not relevant'}, {level}: <Passage id={passageId} titles={titles} />
          {reason !== '' && ` · ${clean(reason)}`}
        </li>
      ))
    case 'answer-graded':
      return event.claims.map(({ text, verdict, reason, passageId }, index) => (
        <li key={index} className={verdict === 'supported' ? 'good' : 'bad'}>
          {verdict}: {clean(text)}
          {reason !== '' && ` · ${clean(reason)}`}
          {passageId !== null && (
            <>
              {' · '}
              <Passage id={passageId} titles={titles} />
            </>
          )}
        </li>
      ))
    case 'drafted':
      return (
        <li className="pre">
          {clean(event.text === '' ? (event.quotes ?? []).map(quotedText).join('\n') : event.text)}
        </li>
      )
    default:
      return lines.map(({ what, text, tone }, index) => (
        <li key={index} className={tone ?? ''}>
          {what}: {text}
        </li>
      ))
  }
}

const share = (ms: number, of: number): string => `${Math.min(100, (100 * ms) / Math.max(1, of))}%`

const summaryOf = ({ calls, began, opened, ended }: TaskSpan): string => {
  const cents = calls.reduce((sum, { usage }) => sum + usage.cents, 0)
  const callCount = calls.reduce((sum, { usage }) => sum + usage.calls, 0)
  return [
    began - opened >= 100 && `waited ${duration(began - opened)}`,
    duration(ended - began),
    callCount > 0 && `${countText(callCount, 'call')}, ${money(cents)}`,
  ]
    .filter(Boolean)
    .join(' · ')
}

type TraceProps = { titles: PassageTitles; linesOf: (event: Event) => EventProps['lines'] }

const SpanRow = ({ span, ms, titles, linesOf }: { span: TaskSpan; ms: number } & TraceProps) => {
  const { name, opened, began, ended, calls, events } = span
  const failed = hasFailed(span)
  const called = Math.min(
    ended - began,
    calls.reduce((sum, call) => sum + (call.ms ?? 0), 0),
  )
  return (
    <li>
      <details className={failed ? 'span failed' : 'span'}>
        <summary>
          <span>{name}</span>
          <span className="track" aria-hidden="true">
            <i className="waits" style={{ left: share(opened, ms), width: share(began - opened, ms) }} />
            <i className="works" style={{ left: share(began, ms), width: share(ended - began, ms) }} />
            {called > 0 && (
              <i className="calls" style={{ left: share(ended - called, ms), width: share(called, ms) }} />
            )}
          </span>
          <span className="small soft">
            {failed && <b className="bad">failed · </b>}
            {summaryOf(span)}
          </span>
        </summary>
        <ul className="small">
          {calls.map((call, index) => (
            <Call key={index} call={call} />
          ))}
          {events.map((event, index) => (
            <EventLine key={index} event={event} titles={titles} lines={linesOf(event)} />
          ))}
        </ul>
      </details>
    </li>
  )
}

const PeopleTime = ({ people: { ms, events }, linesOf }: Pick<Phase, 'people'> & TraceProps) =>
  events.length === 0 ? null : (
    <details className="people">
      <summary>
        Reviewers <span className="small soft">{ms >= 1_000 && `held for ${duration(ms)}`}</span>
      </summary>
      <ul className="small">
        {events.flatMap((event, index) =>
          linesOf(event).map(({ what, text, tone }, n) => (
            <li key={`${index} ${n}`} className={tone ?? ''}>
              {what}: {text}
            </li>
          )),
        )}
      </ul>
    </details>
  )

export const Trace = ({ events: all, titles }: { events: readonly Event[]; titles: PassageTitles }) => {
  const nameOf = usePeople()
  const events = useMemo(() => withNames(all, nameOf), [all, nameOf])
  const phases = useMemo(() => phasesOf(events), [events])
  const linesOf = useMemo(() => {
    const trace = tracer()
    const lines = new Map(events.map((event) => [event, trace(event)]))
    return (event: Event) => lines.get(event) ?? []
  }, [events])
  if (phases.length === 0) return <p className="soft">No events to show yet.</p>
  return (
    <div className="spans">
      <p className="small soft legend" aria-hidden="true">
        <i className="waits" /> waiting <i className="works" /> working <i className="calls" /> model calls
      </p>
      {phases.map((phase, index) => (
        <section key={index} aria-label={phase.title}>
          <h3>
            {phase.title} · {duration(phase.ms)}
          </h3>
          <ol>
            {phase.spans.map((span) => (
              <SpanRow key={span.task} span={span} ms={phase.ms} {...{ titles, linesOf }} />
            ))}
          </ol>
          <PeopleTime people={phase.people} {...{ titles, linesOf }} />
        </section>
      ))}
    </div>
  )
}

type TitledPassage = { id: string; title: string; documentId?: string; collection?: string | undefined }

export const passageTitles = (passages: readonly TitledPassage[], events: readonly Event[] = []): PassageTitles => {
  const found = events.flatMap((event) => (event.type === 'queried' ? event.passages : []))
  const all = new Map<string, { title: string; href?: string }>(
    found.map(({ id, title }) => [id, { title: cleanName(title) }]),
  )
  for (const { id, title, documentId, collection } of passages) {
    const path = [collection ?? '', documentId ?? ''].map(encodeURIComponent).join('/')
    const href = collection && documentId ? `~/documents/${path}?passage=${encodeURIComponent(id)}` : undefined
    all.set(id, { title: cleanName(title), ...(href !== undefined && { href }) })
  }
  return all
}
