import type { Log } from '@plumbline/platform/log'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { bounds } from '../settings'
import { writer } from './stream'

type Sending = { write: (text: string) => Promise<boolean>; signal: AbortSignal }
type Opening = {
  request: FastifyRequest
  reply: FastifyReply
  leave: () => void
  log: Log
  send: (sending: Sending) => Promise<void>
}

/** Makes the answer a stream of events, and keeps it open until all is sent or the reader is gone. */
export const openStream = async ({ request, reply, leave, log, send }: Opening): Promise<void> => {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  reply.hijack()
  request.raw.socket.setNoDelay(true)
  reply.raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  })
  reply.raw.write('retry: 1000\n\n')
  try {
    await send({ write: writer(reply.raw, bounds.slowReaderMs), signal: gone.signal })
    reply.raw.end()
  } catch (error) {
    log.warn({ err: error }, 'a stream broke')
    reply.raw.destroy()
  } finally {
    leave()
  }
}
