import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { enterScope, type Scope } from '@plumbline/platform/trace-scope'
import { keepTrace, markFailed, startSpan, tenantHash } from '@plumbline/platform/tracing/spans'
import { readTraceparent, traceparentOf } from '@plumbline/platform/traceparent'

declare module 'fastify' {
  interface FastifyRequest {
    scope?: Scope
  }
}

const isTraced = ({ url = '' }: FastifyRequest['routeOptions']): boolean => /^\/(v1|mcp)(\/|$)/.test(url)

/** The trace contains the names of route parameters, but never their values. */
const trace = (request: FastifyRequest, reply: FastifyReply, scope: Scope): void => {
  const { url: route } = request.routeOptions
  const span = startSpan(`${request.method} ${route}`, scope.caller, {
    kind: 'server',
    attributes: {
      'http.request.method': request.method,
      ...(route !== undefined && { 'http.route': route }),
      'plumbline.request.id': request.id,
    },
  })
  if (!span) return
  scope.span = span
  reply.raw.once('close', () => {
    const { statusCode, headersSent } = reply.raw
    if (request.caller) span.setAttribute('plumbline.tenant.hash', tenantHash(request.caller.tenant))
    if (headersSent) span.setAttribute('http.response.status_code', statusCode)
    if (statusCode >= 500) {
      markFailed(span, `${statusCode}`)
      keepTrace(span.spanContext())
    }
    span.end()
  })
}

export const traceRequests = (server: FastifyInstance): void => {
  server.decorateRequest('scope')
  server.addHook('onRequest', (request, reply, done) => {
    const scope: Scope = { requestId: request.id, caller: readTraceparent(request.headers.traceparent) }
    request.scope = scope
    if (isTraced(request.routeOptions)) trace(request, reply, scope)
    const place = scope.span?.spanContext() ?? scope.caller
    if (place) void reply.header('traceparent', traceparentOf(place))
    enterScope(scope, done)
  })
  // Enters the trace scope again, because the body arrives in callbacks outside the scope.
  server.addHook('preValidation', (request, _reply, done) => enterScope(request.scope ?? {}, done))
}
