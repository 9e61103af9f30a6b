import { Readable } from 'node:stream'
import { guardedFetch } from '@plumbline/adapters/fetching/guarded-fetch'
import type { Guard } from '@plumbline/adapters/fetching/target'

type Request = {
  protocol: string
  hostname: string
  port?: number
  path: string
  query?: Record<string, string | string[] | null>
  headers: Record<string, string>
}

/** Encodes a text as the S3 client does when it signs a request. Otherwise the signature would not match. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

const addressOf = ({ protocol, hostname, port, path, query }: Request): string => {
  const pairs = Object.entries(query ?? {}).flatMap(([name, value]) =>
    [value ?? ''].flat().map((one) => `${encoded(name)}=${encoded(one)}`),
  )
  return `${protocol}//${hostname}${port ? `:${port}` : ''}${path}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`
}

/** Never follows redirects, because the S3 client handles redirects itself. */
export const guardedHandler = (guard: Guard, maxBytes: number, timeoutMs: number) => ({
  metadata: { handlerProtocol: 'http/1.1' },
  handle: async (request: Request, { abortSignal }: { abortSignal?: AbortSignal } = {}) => {
    const response = await guardedFetch(addressOf(request), {
      headers: request.headers,
      signal: abortSignal ?? new AbortController().signal,
      guard,
      maxBytes,
      timeoutMs,
      redirects: 0,
    })
    const body = async function* () {
      try {
        yield* response.body
      } finally {
        await response.close()
      }
    }
    return {
      response: {
        statusCode: response.status,
        headers: Object.fromEntries(response.headers),
        body: Readable.from(body()),
      },
    }
  },
  updateHttpClientConfig: () => undefined,
  httpHandlerConfigs: () => ({}),
})
