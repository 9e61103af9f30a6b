import { TraceFlags } from '@opentelemetry/api'
import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace'
import { LRUCache } from 'lru-cache'

const bufferLimits = { ms: 60_000, spans: 20_000 }
const wanted = { ms: 600_000, traces: 10_000 }

const asSampled = (span: ReadableSpan): ReadableSpan => {
  const context = { ...span.spanContext(), traceFlags: TraceFlags.SAMPLED }
  return Object.create(span, { spanContext: { value: () => context } }) as ReadableSpan
}

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
    keep: (traceId: string): boolean => {
      if (kept.has(traceId)) return false
      kept.set(traceId, true)
      for (const span of waiting.get(traceId) ?? []) next.onEnd(asSampled(span))
      waiting.delete(traceId)
      return true
    },
  }
}
