import { tracer as tracing, type StreamEvent } from '@plumbline/contracts'
import type { Screen } from './paint'
import { oneLine } from './text'

/** The trace of a run as the desk reads it, painted. */
export const tracer = ({ paint }: Pick<Screen, 'paint'>): ((event: StreamEvent) => string[]) => {
  const trace = tracing()
  return (event) =>
    trace(event).map(({ ms, what, text, tone }) => {
      const said = oneLine(text)
      return `${paint.dim(`${(ms / 1_000).toFixed(3).padStart(8)} s`)}  ${paint.accent(what.padEnd(8))} ${tone ? paint[tone](said) : said}`
    })
}
