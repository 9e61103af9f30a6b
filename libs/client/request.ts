import { Problem } from '@plumbline/contracts'
import type { z } from 'zod'
import { Unreadable, type Form } from './form'

/** The gateway said no. `problem.type` is stable; `retryAfter` counts seconds. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  constructor(
    readonly problem: Problem,
    readonly retryAfter: number | undefined,
  ) {
    super(problem.detail)
  }
}

/** No gateway answered, or what answered is not one: then `status` is what it said. */
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
export type Sending = {
  method?: string
  json?: unknown
  form?: Form
  query?: Query
  headers?: Record<string, string | undefined>
  signal?: AbortSignal
}

const given = (record: Record<string, string | number | undefined>): [string, string][] =>
  Object.entries(record).flatMap(([name, value]) => (value === undefined ? [] : [[name, `${value}`]]))

const addressOf = (url: string, path: string, query: Query): string => {
  const words = new URLSearchParams(given(query)).toString()
  return `${url.replace(/\/+$/, '')}${path}${words === '' ? '' : `?${words}`}`
}

const problemOf = async (response: Response, address: string): Promise<Error> => {
  const text = await response.text().catch(() => '')
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  try {
    return new ProblemError(Problem.parse(JSON.parse(text)), Number.isFinite(seconds) ? seconds : undefined)
  } catch (cause) {
    return new Unreachable(`${address} answered ${response.status}, but not as a gateway does`, {
      cause,
      status: response.status,
    })
  }
}

export const send = async (
  { url, key, fetch }: Connection,
  path: string,
  { method = 'GET', json, form, query = {}, headers = {}, signal }: Sending = {},
): Promise<Response> => {
  const address = addressOf(url, path, query)
  const sent = {
    ...headers,
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    ...(json !== undefined && { 'content-type': 'application/json' }),
    ...(form && 'type' in form && { 'content-type': form.type }),
  }
  const body = json === undefined ? form?.body : JSON.stringify(json)
  let response: Response
  try {
    response = await fetch(address, {
      method,
      headers: given(sent),
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

export const read = async <T>(schema: z.ZodType<T>, response: Promise<Response>): Promise<T> => {
  const answer = await response
  const read = schema.safeParse(await answer.json())
  if (!read.success)
    throw new Unreachable(`${answer.url} answered something this client does not know: is it of another version?`, {
      cause: read.error,
      status: answer.status,
    })
  return read.data
}
