import type { FastifyReply } from 'fastify'

/** Returns a signal that aborts when the client disconnects. */
export const clientClosedSignal = (reply: FastifyReply): AbortSignal => {
  const clientClosed = new AbortController()
  reply.raw.once('close', () => clientClosed.abort())
  return clientClosed.signal
}
