import type { FastifyInstance, FastifyReply } from 'fastify'
import { Histogram, type Registry } from 'prom-client'

/** A stream lasts as long as its reader stays, which says nothing of how fast it was answered. */
const isStream = (reply: FastifyReply): boolean => {
  const type = reply.getHeader('content-type')
  return typeof type === 'string' && type.startsWith('text/event-stream')
}

/** Times requests by the pattern of their route: what stands in an address, an id or a name, is in no label. */
export const measureRequests = (server: FastifyInstance, registry: Registry): void => {
  const time = new Histogram({
    name: 'plumbline_http_seconds',
    help: 'How long a request took, by route and class of status; without event streams. One that waits for its answer is timed with the wait.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers: [registry],
  })
  server.addHook('onResponse', (request, reply, done) => {
    // Methods that no route takes are any word that a caller thinks of.
    const { url: route = 'none', method = 'none' } = request.is404 ? {} : request.routeOptions
    const labels = { method: [method].flat().join('|'), route, status: `${Math.floor(reply.statusCode / 100)}xx` }
    if (!isStream(reply)) time.observe(labels, reply.elapsedTime / 1_000)
    done()
  })
}
