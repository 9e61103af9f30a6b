import { createHash } from 'node:crypto'
import type { Attributes, Link, Span, SpanContext } from '@opentelemetry/api'
import { currentScope, inScope } from '../trace-scope'

export type SpanDetails = {
  kind?: 'server' | 'client' | 'producer' | 'consumer'
  attributes?: Attributes
  links?: Link[]
  at?: number
  spanId?: string
}

export type Tracing = {
  content: boolean
  start(name: string, details: SpanDetails, parent: SpanContext | undefined): Span
  newSpanId(): string
  /** Exports the whole trace, even if it was not sampled. */
  keep(traceId: string): void
}

let tracing: Tracing | undefined

export const useTracing = (used: Tracing): (() => void) => {
  tracing = used
  return () => {
    if (tracing === used) tracing = undefined
  }
}

export const isTracing = (): boolean => tracing !== undefined
export const newSpanId = (): string | undefined => tracing?.newSpanId()

const errorStatus = 2

/** Returns the code or the name of an error. The message is left out, because it may contain text of documents. */
export const errorTypeOf = (error: unknown): string => {
  const { code, name }: { code?: unknown; name?: unknown } = typeof error === 'object' && error !== null ? error : {}
  if (typeof code === 'string' || typeof code === 'number') return `${code}`
  return typeof name === 'string' ? name : 'unknown'
}

export const markFailed = (span: Span, type: string): void =>
  void span.setStatus({ code: errorStatus }).setAttribute('error.type', type)

/** Starts a span, which the caller must end. Returns undefined if tracing is off. */
export const startSpan = (name: string, parent: SpanContext | undefined, details: SpanDetails): Span | undefined =>
  tracing?.start(name, details, parent)

export const within = async <T>(span: Span, work: () => Promise<T>): Promise<T> => {
  try {
    return await inScope({ span }, work)
  } catch (error) {
    markFailed(span, errorTypeOf(error))
    throw error
  } finally {
    span.end()
  }
}

export const inSpan = <T>(name: string, details: () => SpanDetails, work: () => Promise<T>): Promise<T> => {
  const parent = tracing && currentScope()?.span
  const span = parent && tracing?.start(name, details(), parent.spanContext())
  return span ? within(span, work) : work()
}

const currentSpan = (): Span | undefined => tracing && currentScope()?.span

export const noteOnSpan = (attributes: () => Attributes): void => void currentSpan()?.setAttributes(attributes())

export const noteEvent = (name: string, attributes: () => Attributes): void =>
  void currentSpan()?.addEvent(name, attributes())

export const noteFailure = (type: string): void => {
  const span = currentSpan()
  if (span) markFailed(span, type)
}

export const keepTrace = (place = currentPlace()): void => {
  if (place && !(place.traceFlags & 1)) tracing?.keep(place.traceId)
}

export const currentPlace = (): SpanContext | undefined => currentSpan()?.spanContext()

export const linkCurrentTo = (context: SpanContext, why: string): void =>
  void currentSpan()?.addLink({ context, attributes: { 'plumbline.link': why } })

const longestContent = 32_000

/** Returns attributes with questions, passages or answers, or none if the operator does not allow them in traces. */
export const content = (attributes: () => Record<string, string>): Attributes =>
  tracing?.content
    ? Object.fromEntries(Object.entries(attributes()).map(([name, text]) => [name, text.slice(0, longestContent)]))
    : {}

export const messages = (said: readonly { role: string; content: string }[]): string =>
  JSON.stringify(said.map(({ role, content: text }) => ({ role, parts: [{ type: 'text', content: text }] })))

/** Traces contain this hash instead of the tenant's name. */
export const tenantHash = (tenant: string): string => createHash('sha256').update(tenant).digest('hex').slice(0, 16)
