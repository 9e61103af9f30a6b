import type { z } from 'zod'
import { Problem } from '@plumbline/contracts'
import { randomId } from './random-id'

export type Signalled = { signal?: AbortSignal }
export type Page = { cursor?: string; limit?: number } & Signalled
export type Keyed = { idempotencyKey?: string } & Signalled
/** `reviewer` is the name of the person at the desk. It is needed if several people share a key. */
export type AtDesk = { reviewer?: string } & Signalled

/** The content of an uploaded file. An AsyncIterable works only if `fetch` can send streams, as in Node. */
export type Content = Blob | Uint8Array<ArrayBuffer> | AsyncIterable<Uint8Array<ArrayBuffer>>
type Field = readonly [name: string, value: string]
type File = { content: Content; filename: string }
export type Form =
  { body: FormData } | { body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>; type: string }

class Unreadable extends Error {}

const disposition = (name: string): string => `content-disposition: form-data; name="${name}"`
/** Escapes the quotation marks and line breaks of a file name in the same way as browsers. */
const quotable = (filename: string): string => filename.replace(/["\r\n]/g, encodeURIComponent)

type Frame = { head: Uint8Array<ArrayBuffer>; tail: Uint8Array<ArrayBuffer> }

const frameOf = (fields: readonly Field[], filename: string, boundary: string): Frame => {
  const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)
  const parts = fields.map(([name, value]) => `--${boundary}\r\n${disposition(name)}\r\n\r\n${value}\r\n`)
  const file = `--${boundary}\r\n${disposition('file')}; filename="${quotable(filename)}"\r\ncontent-type: application/octet-stream\r\n\r\n`
  return { head: bytes([...parts, file].join('')), tail: bytes(`\r\n--${boundary}--\r\n`) }
}

const framed = ({ head, tail }: Frame, content: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> => {
  const whole = new Uint8Array(head.length + content.length + tail.length)
  whole.set(head)
  whole.set(content, head.length)
  whole.set(tail, head.length + content.length)
  return whole
}

async function* framedPieces({ head, tail }: Frame, pieces: AsyncIterable<Uint8Array<ArrayBuffer>>) {
  yield head
  try {
    yield* pieces
  } catch (cause) {
    throw new Unreadable('the content to send cannot be read', { cause })
  }
  yield tail
}

// This stream reads the content itself. If `fetch` read an iterator, an error in it would end the process.
const streamOf = (pieces: AsyncGenerator<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> =>
  new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: async () => void (await pieces.return(undefined)),
  })

/** Builds the body of an upload. The fields come first, because the gateway needs them before it reads the file. */
export const formOf = (fields: readonly Field[], { content, filename }: File): Form => {
  if (content instanceof Blob) {
    const form = new FormData()
    for (const [name, value] of fields) form.set(name, value)
    form.set('file', content, filename)
    return { body: form }
  }
  const boundary = `plumbline-${randomId()}`
  const frame = frameOf(fields, filename, boundary)
  return {
    body: content instanceof Uint8Array ? framed(frame, content) : streamOf(framedPieces(frame, content)),
    type: `multipart/form-data; boundary=${boundary}`,
  }
}

/** Thrown if the gateway returns an error. The same kind of error always has the same `problem.type`. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  constructor(
    readonly problem: Problem,
    readonly retryAfter: number | undefined,
  ) {
    super(problem.detail)
  }
}

/** Thrown if no gateway answers the request. If another server answers, `status` is the status of its response. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
  readonly status: number | undefined
  constructor(message: string, { status, cause }: { status?: number; cause: unknown }) {
    super(message, { cause })
    this.status = status
  }
}

export type Connection = { url: string; key?: string; fetch: typeof globalThis.fetch }
type Query = Record<string, string | number | undefined>
type Sending = {
  method?: string
  json?: unknown
  lines?: string
  form?: Form
  query?: Query
  headers?: Record<string, string | undefined>
  keepalive?: boolean
} & Keyed &
  AtDesk

const definedEntries = (record: Record<string, string | number | undefined>): [string, string][] =>
  Object.entries(record).flatMap(([name, value]) => (value === undefined ? [] : [[name, `${value}`]]))

export const pathOf = (parts: string[]): string => `/v1/${parts.map(encodeURIComponent).join('/')}`
const addressOf = (url: string, parts: string[], query: Query): string => {
  const words = new URLSearchParams(definedEntries(query)).toString()
  return `${url.replace(/\/+$/, '')}${pathOf(parts)}${words === '' ? '' : `?${words}`}`
}

const problemOf = async (response: Response, address: string): Promise<Error> => {
  const text = await response.text().catch(() => '')
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  try {
    return new ProblemError(Problem.parse(JSON.parse(text)), Number.isFinite(seconds) ? seconds : undefined)
  } catch (cause) {
    return new Unreachable(
      `${address} answered ${response.status}, but the response is not from a Plumbline gateway. Check the address`,
      {
        cause,
        status: response.status,
      },
    )
  }
}

export const send = async (
  { url, key, fetch }: Connection,
  parts: string[],
  { method = 'GET', json, lines, form, query = {}, headers, keepalive = false, signal, ...by }: Sending = {},
): Promise<Response> => {
  const address = addressOf(url, parts, query)
  const sent = {
    ...headers,
    'idempotency-key': by.idempotencyKey,
    'x-reviewer': by.reviewer,
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    ...(json !== undefined && { 'content-type': 'application/json' }),
    ...(lines !== undefined && { 'content-type': 'application/jsonl' }),
    ...(form && 'type' in form && { 'content-type': form.type }),
  }
  const body = json === undefined ? (lines ?? form?.body) : JSON.stringify(json)
  let response: Response
  try {
    response = await fetch(address, {
      method,
      headers: definedEntries(sent),
      ...(keepalive && { keepalive }),
      ...(body !== undefined && { body }),
      ...(body instanceof ReadableStream && { duplex: 'half' }),
      ...(signal && { signal }),
    })
  } catch (cause) {
    if (signal?.aborted) throw cause
    if (cause instanceof Error && cause.cause instanceof Unreadable) throw cause.cause.cause
    throw new Unreachable(`no gateway answers at ${url}`, { cause })
  }
  if (!response.ok) throw await problemOf(response, address)
  return response
}

export const callsOf = (connection: Connection) => ({
  done: async (parts: string[], sending: Sending): Promise<void> => void (await send(connection, parts, sending)),
  // Without this explicit return type, the type declarations of this package would repeat every schema in full.
  read: async <Schema extends z.ZodType>(
    schema: Schema,
    parts: string[],
    sending?: Sending,
  ): Promise<z.infer<Schema>> => {
    const answer = await send(connection, parts, sending)
    const read = schema.safeParse(await answer.json())
    if (!read.success)
      throw new Unreachable(
        `${answer.url} returned an unknown response. Check that client and gateway have the same version`,
        {
          cause: read.error,
          status: answer.status,
        },
      )
    return read.data
  },
})
export type Calls = ReturnType<typeof callsOf>
