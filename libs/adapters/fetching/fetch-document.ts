import { clean, cleanName } from '@plumbline/contracts'
import { AppError } from '@plumbline/platform'
import { Unfit } from '@plumbline/ports/document-parser'
import { retryAfter } from '../http/response'
import { guardedFetch, inUtf8, type GuardedResponse } from './guarded-fetch'
import type { Guard } from './target'

export type FetchedDocument = {
  name: string
  mediaType?: string
  url: string
  fetchedAt: number
  content: AsyncIterable<Uint8Array>
  /** Call `close` once the content has been read or is no longer needed. Otherwise the connection stays open. */
  close(): Promise<void>
}

type Options = { signal: AbortSignal; guard?: Guard; maxBytes?: number; timeoutMs?: number }

const accept = 'text/html,application/xhtml+xml,application/pdf,text/markdown,text/plain;q=0.9,*/*;q=0.8'

export const isPassing = (status: number): boolean =>
  status >= 500 || status === 408 || status === 425 || status === 429

const sayings: Record<number, string> = {
  401: 'requires a login, which this system does not have. Upload the document as a file',
  403: 'refuses access. Upload the document as a file',
  404: 'has nothing at this address. Check the address',
  410: 'no longer has anything at this address. Check the address',
}

const refuse = ({ status, url, headers }: GuardedResponse): AppError => {
  const { host } = new URL(url)
  if (!isPassing(status))
    return new Unfit(
      'unreachable',
      `${host} ${sayings[status] ?? `answers ${status} instead of a document. Check the address, or upload the document as a file`}.`,
    )
  const notBefore = retryAfter(headers, Date.now())
  return new AppError('fetch.unavailable', 'later', {
    cause: new Error(`${host} answered ${status}`),
    ...(notBefore !== undefined && { notBefore }),
  })
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const nameOf = ({ headers, url }: GuardedResponse): string => {
  const { pathname, hostname } = new URL(url)
  const disposition = inUtf8(headers.get('content-disposition') ?? '')
  const extended = /filename\*\s*=\s*utf-8''([^;]+)/i.exec(disposition)?.[1]
  const plain = /filename\s*=\s*(?:"([^"]*)"|([^;]+))/i.exec(disposition)
  const said = extended ? decoded(extended) : (plain?.[1] ?? plain?.[2] ?? decoded(pathname))
  const last = clean(said)
    .split(/[/\\]/)
    .filter((part) => part.trim() !== '' && !/^\.+$/.test(part))
    .at(-1)
  return cleanName(last ?? hostname).slice(-200)
}

export const fetchDocument = async (
  address: string,
  { signal, guard = {}, maxBytes = 100_000_000, timeoutMs = 60_000 }: Options,
): Promise<FetchedDocument> => {
  const response = await guardedFetch(address, {
    signal,
    guard,
    maxBytes,
    timeoutMs,
    redirects: 5,
    headers: { accept, 'user-agent': 'plumbline' },
  })
  const { status, headers, url, body: content, close } = response
  if (status !== 200) {
    await close()
    throw refuse(response)
  }
  const mediaType = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  return { name: nameOf(response), ...(mediaType && { mediaType }), url, fetchedAt: Date.now(), content, close }
}
