import multipart from '@fastify/multipart'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { ApiKeys } from './api-keys'
import { authenticate } from './authenticate'
import { bodyLimits, formLimits, readJsonBodies, refuseLarge, refuseOtherForms, sentWithin } from './body'
import { checkRole } from './caller'
import { Refusal } from './problem'
import { room } from './room'
import { refusalOf } from './translate'

const unreadable = JSON.stringify(new Refusal('malformed-body', 'This is not an HTTP request that can be read.').problem)

/** What is asked before a body is read: who may not come in, or comes too many, costs nothing. */
const door = (keys: ApiKeys | null, maxFileBytes: number): onRequestHookHandler => {
  const enter = room()
  const know = authenticate(keys)
  return (request, reply, done) => {
    try {
      know(request)
      checkRole(request)
      enter(request, reply)
      refuseOtherForms(request)
      refuseLarge(request, maxFileBytes)
      sentWithin(request)
      void reply.header('x-content-type-options', 'nosniff')
      done()
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)))
    }
  }
}

/** Fastify with the gateway's bounds: time to send a request, sizes, and what is asked before a body is read. */
export const openServer = async (keys: ApiKeys | null, maxFileBytes: number): Promise<FastifyAdapter> => {
  const adapter = new FastifyAdapter({
    bodyLimit: bodyLimits.small,
    // Of a whole upload; what else is sent has `sentWithin`.
    requestTimeout: 600_000,
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
      const head = ['HTTP/1.1 400 Bad Request', 'Content-Type: application/problem+json', 'Connection: close']
      socket.end([...head, `Content-Length: ${Buffer.byteLength(unreadable)}`, '', unreadable].join('\r\n'))
    },
  })
  const server = adapter.getInstance() as unknown as FastifyInstance
  readJsonBodies(server)
  server.decorateRequest('caller')
  server.addHook('onRoute', (route) => {
    if (route.url.startsWith('/v1/documents')) route.bodyLimit = bodyLimits.document
  })
  server.addHook('onRequest', door(keys, maxFileBytes))
  await server.register(multipart, { limits: { ...formLimits, fileSize: maxFileBytes + 1 } })
  return adapter
}
