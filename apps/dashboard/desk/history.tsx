import { useMemo, useState } from 'react'
import { clean, type LedgerEvent, type ReviewView } from '@plumbline/contracts'
import { Prose } from '../ui/markdown'
import { duration } from '../ui/time'
import { Difference } from './difference'
import type { Event } from '../trace/spans'
import { passageTitles, Trace } from '../trace/trace'

type DraftedEvent = Extract<LedgerEvent, { type: 'drafted' }>
type GradedEvent = Extract<LedgerEvent, { type: 'answer-graded' }>

export const Drafts = ({ view }: { view: ReviewView }) => {
  const [compared, setCompared] = useState<number | null>(null)
  const earlier = view.trace
    .map(({ event }) => event)
    .filter((event): event is DraftedEvent => event.type === 'drafted' && event.draft !== view.draft.draft)
  const before = earlier.find(({ draft }) => draft === compared)
  const text = clean(view.draft.text)
  return (
    <details className="part">
      <summary>
        The draft as the asker would read it
        {earlier.length > 0 && `, and ${earlier.length} earlier ${earlier.length === 1 ? 'draft' : 'drafts'}`}
      </summary>
      {earlier.length > 0 && (
        <label className="chip">
          Compare with
          <select
            value={compared ?? ''}
            onChange={({ target }) => setCompared(target.value === '' ? null : Number(target.value))}
          >
            <option value="">no other draft</option>
            {earlier.map(({ draft }) => (
              <option key={draft} value={draft}>
                draft {draft}
              </option>
            ))}
          </select>
        </label>
      )}
      {before ? <Difference before={clean(before.text)} after={text} /> : <Prose text={text} />}
    </details>
  )
}

const percent = (part: number): string => `${Math.round(100 * part)} %`

const Scores = ({ view }: { view: ReviewView }) => {
  const checks = view.trace
    .map(({ event }) => event)
    .filter((event): event is GradedEvent => event.type === 'answer-graded')
  const last = checks.at(-1)
  const { calls, tokensIn, tokensOut, cents } = view.run.usage
  const took = new Date(view.parkedAt).getTime() - new Date(view.run.timings.createdAt).getTime()
  const all: [string, string | undefined][] = [
    ['Supported claims', view.score === null ? 'not checked' : percent(view.score)],
    ['Usefulness', last?.usefulness === undefined ? undefined : [`${last.usefulness} of 5`, last.why].join(' ').trim()],
    ['Question too broad', last?.tooBroad ? (last.broadWhy ?? 'yes') : undefined],
    ['Checker confidence', last && percent(last.confidence)],
    [
      'Model calls',
      `${calls} ${calls === 1 ? 'call' : 'calls'}, ${tokensIn} tokens in, ${tokensOut} out, ${cents.toFixed(2)} cents`,
    ],
    ['Time until held', duration(took)],
  ]
  return (
    <dl className="scores">
      {all.map(([name, value]) =>
        value === undefined ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  )
}

export const History = ({ view }: { view: ReviewView }) => {
  const events = useMemo(() => view.trace.map(({ event }) => event as Event), [view.trace])
  const titles = useMemo(() => passageTitles(view.evidence, events), [view.evidence, events])
  return (
    <section className="part history">
      <h2>How the answer was found</h2>
      <Scores view={view} />
      <Trace events={events} titles={titles} />
    </section>
  )
}
