import { AppError } from '@plumbline/platform'
import { Unfit } from '@plumbline/ports/document-parser'
import type { z } from 'zod'
import { retryAfter, textOf } from '../http/response'

export type Server = { url: string; apiKey?: string }

const maxBytes = 100_000_000

const later = (code: string, cause: unknown, notBefore?: number): AppError =>
  new AppError(code, 'later', { cause, ...(notBefore !== undefined && { notBefore }) })

const notDocling = (cause: unknown): Unfit =>
  new Unfit(
    'unreadable',
    'The OCR service sent a response that cannot be read. Ask the operator to check that DOCLING_URL points to docling-serve version 1.',
    { cause },
  )

/** `sent` is true if the request uploaded the document, and false if it asked for the status or the result. */
const refused = async (response: Response, sent: boolean): Promise<AppError> => {
  const said = ((await textOf(response, 10_000)) ?? '').slice(0, 300)
  const cause = new Error(`docling-serve answered ${response.status}: ${said}`)
  if (sent && [404, 405].includes(response.status)) return notDocling(cause)
  // Status 404 is retried too, because it means here that docling-serve has restarted and lost the task.
  if (response.status >= 500 || [404, 408, 429].includes(response.status))
    return later('docling.unavailable', cause, retryAfter(response.headers, Date.now()))
  if (response.status === 401 || response.status === 403)
    return new Unfit(
      'unreadable',
      'This scan cannot be read, because the OCR service refuses access. Ask the operator to check DOCLING_API_KEY.',
      { cause },
    )
  if (response.status === 413)
    return new Unfit(
      'too-large',
      'This scan is too large for the OCR service. Split it into smaller documents and upload each.',
      { cause },
    )
  return new Unfit(
    'unreadable',
    `The OCR service refuses this document (${response.status}). Save it again as a PDF, or upload a PDF that contains text.`,
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
