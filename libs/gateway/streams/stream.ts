import type { OutgoingHttpHeaders } from 'node:http'
import { Inject, Injectable } from '@nestjs/common'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { StreamEvent } from '@plumbline/contracts'
import { limitOf } from '../http/tenant-limits'
import { Metrics } from '../ops/metrics.service'
import { PORTS, type GatewayPorts } from '../ports'
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

/** A stream ends with the key or token it was opened with. */
const endUnless = async (stillCounts: () => Promise<boolean>, gone: AbortController, reply: FastifyReply) => {
  if (await stillCounts()) return
  gone.abort()
  reply.raw.destroy()
}

/** What a stream sends, and the headers it begins with. */
type Opened = { send: (sending: Sending) => Promise<void>; headers?: Record<string, string> }
type Sending = { write: (text: string) => Promise<boolean>; signal: AbortSignal }
/** Event streams: of runs, of documents, and of what pages show. */
@Injectable()
export class Streams {
  private readonly takePlace = limitOf('event streams open', bounds.streams)

  constructor(
    private readonly metrics: Metrics,
    @Inject(PORTS) private readonly ports: GatewayPorts,
  ) {}

  /** Makes the answer a stream of events, and keeps it open until all is sent or the reader is gone. */
  open(tenant: string, request: FastifyRequest, reply: FastifyReply, send: Opened['send']): Promise<void> {
    return this.openAfter(tenant, request, reply, () => Promise.resolve({ send }))
  }

  /** The same for what has to be done first: the place is taken before, so that a full gateway refuses it undone. */
  async openAfter(
    tenant: string,
    request: FastifyRequest,
    reply: FastifyReply,
    first: () => Promise<Opened>,
  ): Promise<void> {
    const leave = this.takePlace(tenant)
    try {
      await this.stream(request, reply, await first())
    } finally {
      leave()
    }
  }

  private async stream(
    { raw: { socket }, stillCounts }: FastifyRequest,
    reply: FastifyReply,
    { send, headers }: Opened,
  ): Promise<void> {
    this.metrics.streams.inc()
    const gone = new AbortController()
    reply.raw.once('close', () => gone.abort())
    const looking = stillCounts && setInterval(() => void endUnless(stillCounts, gone, reply), bounds.keyLookMs)
    void reply.type('text/event-stream; charset=utf-8').hijack()
    socket.setNoDelay(true)
    reply.raw.writeHead(200, {
      ...(reply.getHeaders() as OutgoingHttpHeaders),
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      ...headers,
    })
    reply.raw.write('retry: 1000\n\n')
    try {
      await send({ write: writer(reply.raw, bounds.slowReaderMs), signal: gone.signal })
      reply.raw.end()
    } catch (error) {
      this.ports.log.warn({ err: error }, 'a stream broke')
      reply.raw.destroy()
    } finally {
      clearInterval(looking)
      this.metrics.streams.dec()
    }
  }
}
