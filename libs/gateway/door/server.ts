import multipart from '@fastify/multipart'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ApiKeys } from './api-keys'
import { authenticate } from './authenticate'
import { bodyLimits, readJsonBodies, refuseOtherForms } from './body'
import { Refusal } from './problem'
import { room } from './room'
import { refusalOf } from './translate'

const unreadable = JSON.stringify(new Refusal('malformed-body', 'This is not an HTTP request that can be read.').problem)

/** Fastify with the gateway's bounds: time to send a request, sizes, and what is asked before a body is read. */
export const openServer = async (keys: ApiKeys | null): Promise<FastifyAdapter> => {
  const adapter = new FastifyAdapter({
    bodyLimit: bodyLimits.small,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    multipart: false,
    skipMiddie: true,
    forceCloseConnections: true,
    frameworkErrors: (error: Error, _request: FastifyRequest, reply: FastifyReply) => {
      const { problem } = refusalOf(error)
      void reply.raw.writeHead(problem.status, { 'content-type': 'application/problem+json' }).end(JSON.stringify(problem))
    },
    clientErrorHandler: (error, socket) => {
      if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
      socket.end(`HTTP/1.1 400 Bad Request\r\nContent-Type: application/problem+json\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(unreadable)}\r\n\r\n${unreadable}`)
    },
  })
  const server = adapter.getInstance() as unknown as FastifyInstance
  readJsonBodies(server)
  server.addHook('onRoute', (route) => {
    if (route.url.startsWith('/v1/documents')) route.bodyLimit = bodyLimits.document
  })
  server.addHook('onRequest', room())
  server.addHook('onRequest', authenticate(keys))
  server.addHook('onRequest', refuseOtherForms)
  server.addHook('onSend', async (_request, reply) => void reply.header('x-content-type-options', 'nosniff'))
  await server.register(multipart, { limits: { files: 1, fileSize: 10_000_000, fields: 8, fieldSize: 65_536, parts: 9 } })
  return adapter
}
