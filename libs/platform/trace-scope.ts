import { AsyncLocalStorage } from 'node:async_hooks'
import type { Span, SpanContext } from '@opentelemetry/api'
import { readTraceparent, traceparentOf } from './traceparent'

/** What the work that is under way belongs to. `caller`: the span of whoever asked for it, in another program. */
export type Scope = {
  requestId?: string | undefined
  runId?: string
  taskId?: string
  caller?: SpanContext | undefined
  span?: Span
}

const scopes = new AsyncLocalStorage<Scope>()

export const currentScope = (): Scope | undefined => scopes.getStore()

/** Does the work in this scope, as work of it was done before. */
export const enterScope = <T>(scope: Scope, work: () => T): T => scopes.run(scope, work)

/** Does the work in a scope of its own, which has what is around it too. */
export const inScope = <T>(own: Scope, work: () => T): T => scopes.run({ ...scopes.getStore(), ...own }, work)

/** Adds to the scope what is learned within it. */
export const addToScope = (learned: Scope): void => void Object.assign(scopes.getStore() ?? {}, learned)

const placeIn = ({ span, caller }: Scope): SpanContext | undefined => span?.spanContext() ?? caller

/** Where a run or a document came from, as it is kept with it. */
export type Origin = { requestId?: string | undefined; traceparent?: string | undefined }

export const currentOrigin = (): Origin | undefined => {
  const scope = scopes.getStore()
  const place = scope && placeIn(scope)
  if (scope?.requestId === undefined && place === undefined) return undefined
  return {
    ...(scope?.requestId !== undefined && { requestId: scope.requestId }),
    ...(place && { traceparent: traceparentOf(place) }),
  }
}

export const traceIdOf = (origin: Origin | undefined): string | undefined =>
  readTraceparent(origin?.traceparent)?.traceId

/** What every line of the log says of the work it is about. */
export const scopeFields = (): Record<string, string> => {
  const scope = scopes.getStore()
  if (!scope) return {}
  const { requestId, runId, taskId } = scope
  const traceId = placeIn(scope)?.traceId
  return {
    ...(requestId !== undefined && { requestId }),
    ...(runId !== undefined && { runId }),
    ...(taskId !== undefined && { taskId }),
    ...(traceId !== undefined && { traceId }),
  }
}
