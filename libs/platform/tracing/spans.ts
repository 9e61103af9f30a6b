import { createHash } from 'node:crypto'
import type { Attributes, Link, Span, SpanContext } from '@opentelemetry/api'
import { currentScope, inScope } from '../trace-scope'

export type SpanDetails = {
  kind?: 'server' | 'client' | 'producer' | 'consumer'
  attributes?: Attributes
  links?: Link[]
  /** When it began, in ms; now, where it does not say. */
  at?: number
  /** Drawn before the span could begin; a new one where it does not say. */
  spanId?: string
}

/** What the SDK does for us, once it is loaded. `content`: words of questions, documents and answers may stand in spans. */
export type Tracing = {
  content: boolean
  start(name: string, details: SpanDetails, parent: SpanContext | undefined): Span
  newSpanId(): string
  /** The trace is to be seen whatever its ratio. */
  keep(traceId: string): void
}

let tracing: Tracing | undefined

/** Returns what ends it. */
export const useTracing = (used: Tracing): (() => void) => {
  tracing = used
  return () => {
    if (tracing === used) tracing = undefined
  }
}

export const isTracing = (): boolean => tracing !== undefined
export const newSpanId = (): string | undefined => tracing?.newSpanId()

const errorStatus = 2

/** What kind of error it was: never its message, which may hold words of documents. */
export const errorTypeOf = (error: unknown): string => {
  const { code, name }: { code?: unknown; name?: unknown } = typeof error === 'object' && error !== null ? error : {}
  if (typeof code === 'string' || typeof code === 'number') return `${code}`
  return typeof name === 'string' ? name : 'unknown'
}

export const markFailed = (span: Span, type: string): void =>
  void span.setStatus({ code: errorStatus }).setAttribute('error.type', type)

/** A span under `parent`, or one that begins a trace; undefined where nothing is traced. Whoever starts it ends it. */
export const startSpan = (name: string, parent: SpanContext | undefined, details: SpanDetails): Span | undefined =>
  tracing?.start(name, details, parent)

/** Does the work within a span, and ends it with the work. */
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

/** Does the work within a span under the current one. Where nothing is traced, or nothing around it is, there is only the work. */
export const inSpan = <T>(name: string, details: () => SpanDetails, work: () => Promise<T>): Promise<T> => {
  const parent = tracing && currentScope()?.span
  const span = parent && tracing?.start(name, details(), parent.spanContext())
  return span ? within(span, work) : work()
}

const currentSpan = (): Span | undefined => tracing && currentScope()?.span

/** Says more of the current span. */
export const noteOnSpan = (attributes: () => Attributes): void => void currentSpan()?.setAttributes(attributes())

export const noteEvent = (name: string, attributes: () => Attributes): void =>
  void currentSpan()?.addEvent(name, attributes())

export const noteFailure = (type: string): void => {
  const span = currentSpan()
  if (span) markFailed(span, type)
}

/** The trace of a span is to be seen whatever its ratio, since something in it went wrong or is held. */
export const keepTrace = (place = currentPlace()): void => {
  if (place && !(place.traceFlags & 1)) tracing?.keep(place.traceId)
}

/** The current span, to link to. */
export const currentPlace = (): SpanContext | undefined => currentSpan()?.spanContext()

/** The current span has to do with a place in another trace too. */
export const linkCurrentTo = (context: SpanContext, why: string): void =>
  void currentSpan()?.addLink({ context, attributes: { 'plumbline.link': why } })

const longestContent = 32_000

/** Words of questions, documents or answers, where the operator wants them in spans; nothing where not. */
export const content = (attributes: () => Record<string, string>): Attributes =>
  tracing?.content
    ? Object.fromEntries(Object.entries(attributes()).map(([name, text]) => [name, text.slice(0, longestContent)]))
    : {}

/** Messages as the conventions for models write them. */
export const messages = (said: readonly { role: string; content: string }[]): string =>
  JSON.stringify(said.map(({ role, content: text }) => ({ role, parts: [{ type: 'text', content: text }] })))

/** The same for every span of a tenant, without its name. */
export const tenantHash = (tenant: string): string => createHash('sha256').update(tenant).digest('hex').slice(0, 16)
