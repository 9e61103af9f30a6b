import type { OutgoingHttpHeaders } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { StreamEvent } from '@plumbline/contracts'
import { Refusal } from '../http/problem'
import { limitOf } from '../http/concurrency-limits'
import { Metrics } from '../ops/metrics.service'
import { Common, RunPorts, ReviewPorts, DocumentPorts } from '../ports'
import { bounds, mostStreams } from '../settings'
import { type Connection, connectionOf } from './connection'

export const frameOf = (name: string, data: object, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
const frames = new WeakMap<StreamEvent, Buffer>()
/** Returns the same bytes for the same event, so that many slow readers of one event keep it in memory only once. */
export const frame = (event: StreamEvent, id?: string): Buffer => {
  const bytes = frames.get(event) ?? Buffer.from(frameOf(event.type, event, id))
  frames.set(event, bytes)
  return bytes
}
export const beat = ': beat\n\n'

type Written = Pick<Connection, 'once' | 'off' | 'destroy'>

const taken = (connection: Written, by: 'drain' | 'close', slowMs: number): Promise<boolean> =>
  new Promise((resolve) => {
    const settle = (alive: boolean) => (): void => {
      clearTimeout(timer)
      connection.off(by, done)
      connection.off('close', closed)
      resolve(alive)
    }
    const done = settle(true)
    const closed = settle(false)
    const timer = setTimeout(() => {
      connection.destroy()
      closed()
    }, slowMs)
    connection.once(by, done)
    connection.once('close', closed)
  })

/** Waits until each frame is sent, so that frames do not accumulate in memory. Disconnects a slow reader. */
export const writer =
  (connection: Written & Pick<Connection, 'write' | 'destroyed'>, slowMs: number) =>
  (text: string | Buffer): Promise<boolean> => {
    if (connection.destroyed) return Promise.resolve(false)
    return connection.write(text) ? Promise.resolve(true) : taken(connection, 'drain', slowMs)
  }

type Opened = {
  send: (sending: Sending) => Promise<void>
  headers?: OutgoingHttpHeaders
  /** False for clients that would read the retry frame as data. */
  tellsRetry?: boolean
}
export type Sending = { write: (text: string | Buffer) => Promise<boolean>; signal: AbortSignal }

const endUnless = async (stillCounts: () => Promise<boolean>, connection: Connection): Promise<void> => {
  if (!(await stillCounts())) connection.destroy()
}

const begin = (reply: FastifyReply, { headers = {}, tellsRetry = true }: Opened): Connection => {
  const { raw } = reply.type('text/event-stream; charset=utf-8').hijack()
  raw.socket?.setNoDelay(true)
  raw.writeHead(200, {
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    'cache-control': 'no-cache, no-transform',
    connection: 'close',
    'x-accel-buffering': 'no',
    ...headers,
  })
  if (tellsRetry) raw.write('retry: 1000\n\n')
  else raw.flushHeaders()
  return connectionOf(raw)
}

/** Returns a random delay in ms, so that the clients of a stopping gateway do not all reconnect at once. */
const comeBackMs = (): number => 500 + Math.floor(Math.random() * 4_500)
const farewell = (): string =>
  `retry: ${comeBackMs()}\n: this gateway is stopping; connect again with Last-Event-ID\n\n`

@Injectable()
export class Streams implements BeforeApplicationShutdown {
  private readonly takeSlot = limitOf('open event streams', mostStreams())
  private readonly open = new Map<Connection, Promise<void>>()
  private isStopping = false

  constructor(
    private readonly metrics: Metrics,
    private readonly common: Common,
    private readonly runPorts: RunPorts,
    private readonly reviewPorts: ReviewPorts,
    private readonly documentPorts: DocumentPorts,
  ) {}

  /** Resolves when the stream has started. The stream stays open until all events are sent. */
  answer(tenant: string, request: FastifyRequest, reply: FastifyReply, send: Opened['send']): Promise<void> {
    return this.answerAfter(tenant, request, reply, () => Promise.resolve({ send }))
  }

  /** Takes a slot before `first` runs, so that a gateway without free slots refuses the request early. */
  async answerAfter(
    tenant: string,
    { stillCounts }: FastifyRequest,
    reply: FastifyReply,
    first: () => Promise<Opened>,
  ): Promise<void> {
    if (this.isStopping)
      throw new Refusal('unavailable', 'The gateway is stopping. Send the request again.', { retryAfter: 1 })
    const leave = this.takeSlot(tenant)
    try {
      const opened = await first()
      // The stream is not awaited, because an await would keep the request in memory while the stream is open.
      const connection = begin(reply, opened)
      const streaming = this.stream(connection, opened, stillCounts).finally(() => {
        this.open.delete(connection)
        leave()
      })
      this.open.set(connection, streaming)
    } catch (error) {
      leave()
      throw error
    }
  }

  private async stream(
    connection: Connection,
    { send, tellsRetry = true }: Opened,
    stillCounts: (() => Promise<boolean>) | undefined,
  ): Promise<void> {
    this.metrics.streams.inc()
    const clientClosed = new AbortController()
    connection.once('close', () => clientClosed.abort())
    if (connection.destroyed) clientClosed.abort()
    const looking = stillCounts && setInterval(() => void endUnless(stillCounts, connection), bounds.keyLookMs)
    try {
      await send({ write: writer(connection, bounds.slowReaderMs), signal: clientClosed.signal })
      await this.end(connection, tellsRetry)
    } catch (error) {
      this.common.log.warn({ err: error }, 'event stream broke off')
      connection.destroy()
    } finally {
      clearInterval(looking)
      this.metrics.streams.dec()
    }
  }

  private async end(connection: Connection, tellsRetry: boolean): Promise<void> {
    if (connection.destroyed) return
    const ended = taken(connection, 'close', bounds.slowReaderMs)
    connection.end(this.isStopping && tellsRetry ? farewell() : undefined)
    await ended
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true
    const { runHub } = this.runPorts
    const { documentHub } = this.documentPorts
    const { deskHub } = this.reviewPorts
    for (const hub of [runHub, documentHub, deskHub]) hub.stop()
    await Promise.race([Promise.all(this.open.values()), wait(bounds.farewellMs, undefined, { ref: false })])
    // Fastify does not know these connections, so its shutdown would wait for readers that do not respond.
    for (const connection of this.open.keys()) connection.destroy()
  }
}
