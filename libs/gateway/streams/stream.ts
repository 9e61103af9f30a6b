import { Injectable } from '@nestjs/common'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { StreamEvent } from '@plumbline/contracts'
import type { Log } from '@plumbline/platform/log'
import { limitOf } from '../http/tenant-limits'
import { Metrics } from '../ops/metrics.service'
import { bounds } from '../settings'

export const frameOf = (name: string, data: object, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
export const frame = (event: StreamEvent, id?: string): string => frameOf(event.type, event, id)
export const beat = ': beat\n\n'

type Socket = {
  write(text: string): boolean
  once(event: 'drain' | 'close', listener: () => void): unknown
  off(event: 'drain' | 'close', listener: () => void): unknown
  destroyed: boolean
  destroy(): unknown
}

/** Writes one frame and waits until it is taken: nothing piles up here. A reader that takes too long is dropped. */
export const writer =
  (socket: Socket, slowMs: number) =>
  (text: string): Promise<boolean> => {
    if (socket.destroyed) return Promise.resolve(false)
    if (socket.write(text)) return Promise.resolve(true)
    return new Promise((resolve) => {
      const settle = (alive: boolean) => (): void => {
        clearTimeout(timer)
        socket.off('drain', drained)
        socket.off('close', closed)
        resolve(alive)
      }
      const drained = settle(true)
      const closed = settle(false)
      const timer = setTimeout(() => {
        socket.destroy()
        closed()
      }, slowMs)
      socket.once('drain', drained)
      socket.once('close', closed)
    })
  }

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

/** How many event streams are open: of runs, of documents, and of what pages show. */
@Injectable()
export class StreamLimit {
  private readonly takePlace = limitOf('event streams open', bounds.streams)

  constructor(private readonly metrics: Metrics) {}

  take(tenant: string): () => void {
    const leave = this.takePlace(tenant)
    this.metrics.streams.inc()
    return () => {
      leave()
      this.metrics.streams.dec()
    }
  }
}
