import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { LookupFunction } from 'node:net'
import { Unfit } from '@plumbline/ports/document-parser'
import { AppError, rejectOnAbort } from '@plumbline/platform'
import { Agent, errors, request } from 'undici'
import { refusedAddress, targetOf, type Address, type Guard, type Target } from './target'

const unpacking = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate, br: createBrotliDecompress }
const isKnown = (coding: string): coding is keyof typeof unpacking => Object.hasOwn(unpacking, coding)

const codingsOf = (header: string): string[] =>
  header
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')

const tooLarge = (maxBytes: number): Unfit =>
  new Unfit(
    'too-large',
    `The content at this address is larger than the limit of ${Math.round(maxBytes / 1e6)} MB. Upload a smaller document, or a part of it.`,
  )

/** `maxBytes` limits the size after decompression, because a small compressed body can grow to a very large size. */
async function* boundedBody(body: Readable, contentEncoding: string, maxBytes: number): AsyncGenerator<Uint8Array> {
  const codings = codingsOf(contentEncoding)
  if (codings.length > 1 || !codings.every(isKnown))
    throw new Unfit(
      'unreadable',
      `The address uses an unknown content encoding: ${contentEncoding.slice(0, 100)}. Upload the document as a file.`,
    )
  const [coding] = codings.filter(isKnown)
  const plain = coding === undefined ? body : pipeline(body, unpacking[coding](), () => undefined)
  let bytes = 0
  for await (const piece of plain as AsyncIterable<Uint8Array>) {
    bytes += piece.byteLength
    if (bytes > maxBytes) throw tooLarge(maxBytes)
    yield piece
  }
}

export type GuardedRequest = {
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string | Uint8Array
  signal: AbortSignal
  /** The time limit for the whole request, including the DNS lookup, redirects and the response body. */
  timeoutMs: number
  maxBytes: number
  /** The maximum number of redirects to follow. If it is 0, the caller receives the redirect response itself. */
  redirects: number
  guard?: Guard
}

export type GuardedResponse = {
  status: number
  headers: Headers
  url: string
  body: AsyncIterable<Uint8Array>
  /** Call `close` once the body has been read or is no longer needed. Otherwise the connection stays open. */
  close(): Promise<void>
}

/** Makes the request connect to the addresses that were checked. A second DNS lookup could return other addresses. */
const pinned =
  (addresses: Address[]): LookupFunction =>
  (_host, options, done) => {
    const [first] = addresses
    if (options.all) done(null, addresses)
    else if (first) done(null, first.address, first.family)
  }

const headersOf = (raw: Record<string, string | string[] | undefined>): Headers =>
  new Headers(
    Object.entries(raw).flatMap(([name, value]) => [value ?? []].flat().map((one): [string, string] => [name, one])),
  )

/** Decodes a header value as UTF-8 if possible. Node has decoded the value as Latin-1, but most servers send UTF-8. */
export const inUtf8 = (value: string): string => {
  const text = Buffer.from(value, 'latin1').toString('utf8')
  return text.includes('\uFFFD') ? value : text
}

export const redirectStatuses = new Set([301, 302, 303, 307, 308])
const certificate = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/

const asError = (error: unknown, host: string, late: boolean): unknown => {
  if (error instanceof AppError) return error
  const code = String((error as NodeJS.ErrnoException).code)
  if (/^(?:Z_|ERR_(?:ZLIB|BROTLI|_ERROR))/.test(code))
    return new Unfit(
      'unreadable',
      'The content at this address is compressed and cannot be decompressed. Upload the document as a file.',
      {
        cause: error,
      },
    )
  if (certificate.test(code))
    return new Unfit(
      'unreachable',
      `The certificate of ${host} is not trusted (${code}). Upload the document as a file.`,
      { cause: error },
    )
  if (error instanceof errors.HTTPParserError || code === 'UND_ERR_HEADERS_OVERFLOW')
    return new Unfit(
      'unreachable',
      `${host} does not answer like a web server. Check the address, or upload the document as a file.`,
      { cause: error },
    )
  return new AppError(late ? 'fetch.too-slow' : 'fetch.unreachable', 'later', { cause: error })
}

type Hop = GuardedResponse & { location: string | null }

const ask = async (
  { url, addresses }: Target,
  { method = 'GET', headers, body, maxBytes }: GuardedRequest,
  signal: AbortSignal,
): Promise<Hop> => {
  const agent = new Agent({
    connect: { lookup: pinned(addresses), timeout: 10_000 },
    connections: 1,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: 1,
  })
  const close = (): Promise<void> => agent.destroy()
  try {
    const response = await request(url, {
      dispatcher: agent,
      method,
      signal,
      headers: { 'accept-encoding': 'gzip', ...headers },
      ...(body !== undefined && { body }),
    })
    // Without this listener, an error of a body that nobody reads would end the process.
    response.body.on('error', () => undefined)
    const got = headersOf(response.headers)
    const location = redirectStatuses.has(response.statusCode) ? got.get('location') : null
    if (location === null && Number(got.get('content-length')) > maxBytes) throw tooLarge(maxBytes)
    return {
      status: response.statusCode,
      headers: got,
      url: url.href,
      body: boundedBody(response.body, got.get('content-encoding') ?? '', maxBytes),
      location,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function* guarded(
  body: AsyncIterable<Uint8Array>,
  fault: (error: unknown) => unknown,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (error) {
    throw fault(error)
  }
}

/** Fetches a URL. Never contacts a private address that the operator does not allow, not even after a redirect. */
export const guardedFetch = async (address: string | URL, asked: GuardedRequest): Promise<GuardedResponse> => {
  const late = AbortSignal.timeout(asked.timeoutMs)
  const signal = AbortSignal.any([asked.signal, late])
  let host = String(address)
  const fault = (error: unknown): unknown =>
    asked.signal.aborted ? asked.signal.reason : asError(error, host, late.aborted)
  try {
    for (let [next, left]: [string | URL, number] = [address, asked.redirects]; ; left--) {
      const target = await rejectOnAbort(targetOf(next, asked.guard ?? {}), signal)
      host = target.url.hostname
      const { location, ...response } = await ask(target, asked, signal)
      if (location === null || asked.redirects === 0) return { ...response, body: guarded(response.body, fault) }
      await response.close()
      if (left === 0)
        throw new Unfit(
          'unreachable',
          `The address redirects more than ${asked.redirects} times. Use the final address of the document.`,
        )
      const to = inUtf8(location)
      if (!URL.canParse(to, target.url)) throw refusedAddress(host, 'it redirects to an invalid address')
      next = new URL(to, target.url)
    }
  } catch (error) {
    throw fault(error)
  }
}
