import { TraceFlags } from '@opentelemetry/api'
import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace'
import { LRUCache } from 'lru-cache'

/** How long, and how many, unsampled spans wait for an outcome that keeps them. */
const held = { ms: 60_000, spans: 20_000 }
/** How long a kept trace is remembered for later spans. */
const wanted = { ms: 600_000, traces: 10_000 }

const asSampled = (span: ReadableSpan): ReadableSpan => {
  const context = { ...span.spanContext(), traceFlags: TraceFlags.SAMPLED }
  return Object.create(span, { spanContext: { value: () => context } }) as ReadableSpan
}

/** Exports sampled spans at once, and the others of a trace if it is kept after all. */
export const exportByOutcome = (next: SpanProcessor) => {
  const waiting = new LRUCache<string, ReadableSpan[]>({
    ttl: held.ms,
    maxSize: held.spans,
    sizeCalculation: (spans) => spans.length,
  })
  const kept = new LRUCache<string, true>({ max: wanted.traces, ttl: wanted.ms })
  const processor: SpanProcessor = {
    onStart: (span, parent) => next.onStart(span, parent),
    onEnd: (span) => {
      const { traceId, traceFlags } = span.spanContext()
      if (traceFlags & TraceFlags.SAMPLED) return next.onEnd(span)
      if (kept.has(traceId)) return next.onEnd(asSampled(span))
      waiting.set(traceId, [...(waiting.get(traceId) ?? []), span])
    },
    forceFlush: () => next.forceFlush(),
    shutdown: () => next.shutdown(),
  }
  return {
    processor,
    /** Returns whether the trace was not kept before. */
    keep: (traceId: string): boolean => {
      if (kept.has(traceId)) return false
      kept.set(traceId, true)
      for (const span of waiting.get(traceId) ?? []) next.onEnd(asSampled(span))
      waiting.delete(traceId)
      return true
    },
  }
}
