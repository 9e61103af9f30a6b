import { TraceFlags } from '@opentelemetry/api'
import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace'
import { LRUCache } from 'lru-cache'

/**
 * The limits for unsampled spans in memory: the maximum age and number. These spans are exported if their run fails or
 * is held for review.
 */
const bufferLimits = { ms: 60_000, spans: 20_000 }
/** The limits for the remembered ids of kept traces. Later spans of these traces are exported too. */
const wanted = { ms: 600_000, traces: 10_000 }

const asSampled = (span: ReadableSpan): ReadableSpan => {
  const context = { ...span.spanContext(), traceFlags: TraceFlags.SAMPLED }
  return Object.create(span, { spanContext: { value: () => context } }) as ReadableSpan
}

/** Exports sampled spans at once. Buffers unsampled spans, and exports them if `keep` is called for their trace. */
export const exportByOutcome = (next: SpanProcessor) => {
  const waiting = new LRUCache<string, ReadableSpan[]>({
    ttl: bufferLimits.ms,
    maxSize: bufferLimits.spans,
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
    /** Marks a trace as kept and exports its buffered spans. Returns false if the trace was already kept. */
    keep: (traceId: string): boolean => {
      if (kept.has(traceId)) return false
      kept.set(traceId, true)
      for (const span of waiting.get(traceId) ?? []) next.onEnd(asSampled(span))
      waiting.delete(traceId)
      return true
    },
  }
}
