import type { FastifyInstance, FastifyReply } from 'fastify'
import { Histogram, type Registry } from 'prom-client'

/** Streams are not measured, because a stream lasts until its reader disconnects. */
const isStream = (reply: FastifyReply): boolean => {
  const type = reply.getHeader('content-type')
  return typeof type === 'string' && type.startsWith('text/event-stream')
}

/** Measures the duration of requests. The labels contain no ids or names from URLs. */
export const measureRequests = (server: FastifyInstance, registry: Registry): void => {
  const time = new Histogram({
    name: 'plumbline_http_seconds',
    help: 'Duration of requests, by route and status class, without event streams. If a request waits for its answer, the wait is included.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers: [registry],
  })
  server.addHook('onResponse', (request, reply, done) => {
    // The method of an unknown route is left out, because a client may send any text as the method.
    const { url: route = 'none', method = 'none' } = request.is404 ? {} : request.routeOptions
    const labels = { method: [method].flat().join('|'), route, status: `${Math.floor(reply.statusCode / 100)}xx` }
    if (!isStream(reply)) time.observe(labels, reply.elapsedTime / 1_000)
    done()
  })
}
