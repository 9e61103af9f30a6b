import type { FastifyReply } from 'fastify'

export const clientClosedSignal = (reply: FastifyReply): AbortSignal => {
  const clientClosed = new AbortController()
  reply.raw.once('close', () => clientClosed.abort())
  return clientClosed.signal
}
