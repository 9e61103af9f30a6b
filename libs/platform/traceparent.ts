import type { SpanContext } from '@opentelemetry/api'

const shape = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const nothing = /^0+$/
const longest = 200

/** Parses a W3C `traceparent` header. Only versions after 00 may have additional fields. */
export const readTraceparent = (text: unknown): SpanContext | undefined => {
  if (typeof text !== 'string' || text.length > longest) return undefined
  const [whole = '', traceId = '', spanId = '', flags = '', more] = shape.exec(text) ?? []
  const isOfFirstVersion = whole.startsWith('00')
  if (whole === '' || whole.startsWith('ff') || (isOfFirstVersion && more !== undefined)) return undefined
  if (nothing.test(traceId) || nothing.test(spanId)) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
}

export const traceparentOf = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${traceFlags & 1 ? '01' : '00'}`
