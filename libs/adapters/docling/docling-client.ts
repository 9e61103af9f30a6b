import { AppError } from '@plumbline/platform'
import { Unfit } from '@plumbline/ports/document-parser'
import type { z } from 'zod'
import { retryAfter, textOf } from '../http/response'

export type Server = { url: string; apiKey?: string }

/** More than the text and the layout of any document are. */
const maxBytes = 100_000_000

const later = (code: string, cause: unknown, notBefore?: number): AppError =>
  new AppError(code, 'later', { cause, ...(notBefore !== undefined && { notBefore }) })

const notDocling = (cause: unknown): Unfit =>
  new Unfit(
    'unreadable',
    'What the service that reads scans says of this document cannot be understood. Have the operator look whether DOCLING_URL is a docling-serve of version 1.',
    { cause },
  )

/** `sent`: the answer is to a document, not to a question after one. */
const refused = async (response: Response, sent: boolean): Promise<AppError> => {
  const said = ((await textOf(response, 10_000)) ?? '').slice(0, 300)
  const cause = new Error(`docling-serve answered ${response.status}: ${said}`)
  if (sent && [404, 405].includes(response.status)) return notDocling(cause)
  // A task that it does not know any more was lost with the server that had it.
  if (response.status >= 500 || [404, 408, 429].includes(response.status))
    return later('docling.unavailable', cause, retryAfter(response.headers, Date.now()))
  if (response.status === 401 || response.status === 403)
    return new Unfit(
      'unreadable',
      'This scan cannot be read: the service that reads scans does not let this system in. Have the operator look at DOCLING_API_KEY.',
      { cause },
    )
  if (response.status === 413)
    return new Unfit(
      'too-large',
      'This scan is larger than the service that reads scans takes. Split it into smaller documents and bring each of them.',
      { cause },
    )
  return new Unfit(
    'unreadable',
    `The service that reads scans refuses this document (${response.status}). Save it again as a PDF, or bring one that has text.`,
    { cause },
  )
}

const read = <S extends z.ZodType>(text: string | null, reads: S): z.output<S> => {
  try {
    if (text === null) throw new Error(`more than ${maxBytes} bytes`)
    return reads.parse(JSON.parse(text))
  } catch (cause) {
    throw notDocling(cause)
  }
}

/** One request to docling-serve and one answer of the shape that it promises. */
export const call = async <S extends z.ZodType>(
  { url, apiKey }: Server,
  path: string,
  reads: S,
  signal: AbortSignal,
  body?: FormData,
): Promise<z.output<S>> => {
  const headers = { accept: 'application/json', ...(apiKey !== undefined && { 'x-api-key': apiKey }) }
  try {
    const response = await fetch(`${url.replace(/\/+$/, '')}/v1/${path}`, {
      headers,
      signal,
      redirect: 'error',
      ...(body && { method: 'POST', body }),
    })
    if (!response.ok) throw await refused(response, body !== undefined)
    return read(await textOf(response, maxBytes), reads)
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof AppError ? error : later('docling.unreachable', error)
  }
}
