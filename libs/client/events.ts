import { createParser } from 'eventsource-parser'
import type { z } from 'zod'
import { type Connection, pathOf, ProblemError, send, Unreachable } from './request'

export type Message = { id: string | undefined; data: string }

export async function* messages(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Message> {
  const decoder = new TextDecoder()
  const read: Message[] = []
  const withoutData = (): void => void read.push({ id: undefined, data: '' })
  const parser = createParser({
    onEvent: ({ id, data }) => void read.push({ id, data }),
    onComment: withoutData,
    onRetry: withoutData,
  })
  for await (const chunk of chunks) {
    parser.feed(decoder.decode(chunk, { stream: true }))
    yield* read.splice(0)
  }
}

export type Watching = {
  audience?: 'asker' | 'desk'
  /** The stream resumes after the event with this id. `onPlace` has received such ids. */
  after?: string
  /** Receives the id of each event just before the event. Store the id only after the event has been handled. */
  onPlace?: (place: string) => void
  signal?: AbortSignal
  giveUpMs?: number
}
/** `onRun` receives the id of the run before the first event. */
export type WatchingAsk = Watching & { onRun?: (id: string) => void; idempotencyKey?: string }

// The gateway sends data at least every 15 s. If a connection brings no data for 40 s, it is treated as lost.
const silentMs = 40_000
const backOffMs = [200, 500, 1_000, 2_000, 4_000]

export const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const over = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', over)
      resolve()
    }
    const timer = setTimeout(over, ms)
    signal?.addEventListener('abort', over)
  })

async function* alive(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  try {
    for (;;) {
      let timer: ReturnType<typeof setTimeout> | undefined
      const silence = new Promise<{ done: true; value?: undefined }>((resolve) => {
        timer = setTimeout(() => resolve({ done: true }), silentMs)
      })
      const { done, value } = await Promise.race([reader.read(), silence]).finally(() => clearTimeout(timer))
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

type Streamed<Event> = {
  path: string[]
  query?: Record<string, string | undefined>
  schema: z.ZodType<Event>
  isLast: (event: Event) => boolean
}

const eventOf = <Event>(schema: z.ZodType<Event>, data: string): Event | undefined => {
  if (data === '') return undefined
  const read = schema.safeParse(JSON.parse(data))
  return read.success ? read.data : undefined
}

type StreamPosition = { after: string | undefined; failures: number; since: number }

async function* once<Event>(
  connection: Connection,
  { path, query, schema, isLast }: Streamed<Event>,
  { audience, signal, onPlace }: Watching,
  place: StreamPosition,
): AsyncGenerator<Event, boolean> {
  const response = await send(connection, path, {
    query: { ...query, audience },
    headers: { accept: 'text/event-stream', 'last-event-id': place.after },
    ...(signal && { signal }),
  })
  return yield* read(response, { schema, isLast, onPlace }, place)
}

async function* read<Event>(
  response: Response,
  { schema, isLast, onPlace }: Pick<Streamed<Event>, 'schema' | 'isLast'> & Pick<Watching, 'onPlace'>,
  place: StreamPosition,
): AsyncGenerator<Event, boolean> {
  if (response.status === 204 || !response.body) return true
  for await (const { id, data } of messages(alive(response.body))) {
    place.failures = 0
    place.after = id ?? place.after
    const event = eventOf(schema, data)
    if (event === undefined) continue
    if (id !== undefined) onPlace?.(id)
    yield event
    if (isLast(event)) return true
  }
  return false
}

type AskedStream<Event> = Omit<Streamed<Event>, 'query'> & { json: unknown }

export async function* askedEvents<Event>(
  connection: Connection,
  { path, json, schema, isLast }: AskedStream<Event>,
  { idempotencyKey, onRun, ...watching }: WatchingAsk,
): AsyncGenerator<Event> {
  const { signal, onPlace } = watching
  const response = await send(connection, path, {
    method: 'POST',
    json,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    headers: { accept: 'text/event-stream' },
    ...(signal && { signal }),
  })
  const place: StreamPosition = { after: undefined, failures: 0, since: 0 }
  const run = response.headers.get('location')?.split('/').at(-1) ?? ''
  if (run !== '') onRun?.(run)
  try {
    if (yield* read(response, { schema, isLast, onPlace }, place)) return
  } catch (cause) {
    if (signal?.aborted) return
    if (run === '') throw new Unreachable('the connection broke before the gateway sent the id of the run', { cause })
  }
  yield* events(connection, { path: [...path, run, 'events'], schema, isLast }, { ...watching, after: place.after })
}

/** Returns the pause before the next try in ms. Throws if no try can help, or if the time for retries is over. */
const waitFor = (error: unknown, place: StreamPosition, giveUpMs: number): number => {
  if (error instanceof ProblemError && error.problem.status < 500 && error.problem.status !== 429) throw error
  if (place.failures === 0) place.since = Date.now()
  if (error !== undefined && Date.now() - place.since > giveUpMs) throw error
  place.failures += 1
  const own = backOffMs[Math.min(place.failures, backOffMs.length) - 1] ?? 1_000
  return error instanceof ProblemError && error.retryAfter !== undefined ? Math.max(own, error.retryAfter * 1_000) : own
}

/** Yields the events of a stream. After a lost connection, it reconnects without repeating or losing an event. */
export async function* events<Event>(
  connection: Connection,
  streamed: Streamed<Event>,
  watching: Watching = {},
): AsyncGenerator<Event> {
  const { signal, giveUpMs = 120_000 } = watching
  const place: StreamPosition = { after: watching.after, failures: 0, since: 0 }
  while (!signal?.aborted) {
    let fault: unknown
    try {
      if (yield* once(connection, streamed, watching, place)) return
    } catch (error) {
      if (signal?.aborted) return
      fault =
        error instanceof ProblemError || error instanceof Unreachable
          ? error
          : new Unreachable(`the connection of the event stream ${pathOf(streamed.path)} broke`, { cause: error })
    }
    await pause(waitFor(fault, place, giveUpMs), signal)
  }
}
