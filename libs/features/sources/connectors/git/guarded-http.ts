import { buffer } from 'node:stream/consumers'
import { SourceError } from '@plumbline/ports/document-source'
import type { GitHttpRequest, GitHttpResponse, HttpClient } from 'isomorphic-git'
import { isPassing } from '@plumbline/adapters/fetching/fetch-document'
import {
  guardedFetch,
  inUtf8,
  redirectStatuses,
  type GuardedResponse,
} from '@plumbline/adapters/fetching/guarded-fetch'
import type { Guard } from '@plumbline/adapters/fetching/target'
import { retryAfter } from '@plumbline/adapters/http/response'
import type { GitCredentials } from '../base/options'
import { unavailable } from '../base/source-errors'

const mostRedirects = 3

type Options = { guard: Guard; credentials?: GitCredentials; maxBytes: number; timeoutMs: number; signal: AbortSignal }

export const isFor = ({ url }: GitCredentials, address: string): boolean => {
  const [owned, asked] = [new URL(url), new URL(address)]
  const folder = owned.pathname.endsWith('/') ? owned.pathname : `${owned.pathname}/`
  return owned.origin === asked.origin && `${asked.pathname}/`.startsWith(folder)
}

const authorization = ({ username = 'git', token }: GitCredentials): string =>
  `Basic ${Buffer.from(`${username}:${token}`).toString('base64')}`

const ask = (
  url: string,
  { method, headers, body }: GitHttpRequest,
  sent: Uint8Array | undefined,
  options: Options,
) => {
  const { credentials, guard, maxBytes, timeoutMs, signal } = options
  const own = credentials && isFor(credentials, url) ? { authorization: authorization(credentials) } : undefined
  return guardedFetch(url, {
    method: method === 'POST' ? 'POST' : 'GET',
    headers: { ...headers, ...own, 'user-agent': 'git/plumbline' },
    ...(body && { body: sent }),
    signal,
    guard,
    maxBytes,
    timeoutMs,
    redirects: 0,
  })
}

async function* whole({ body, close }: GuardedResponse): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } finally {
    await close()
  }
}

/** Returns the target of a redirect. Throws if it is on another host, so that nothing is sent to that host. */
const movedTo = (location: string, from: string): string => {
  const to = inUtf8(location)
  if (!URL.canParse(to, from))
    throw new SourceError('not-found', 'never', 'The repository redirects to an invalid address.')
  const [next, now] = [new URL(to, from), new URL(from)]
  const upgraded = now.protocol === 'http:' && next.protocol === 'https:' && next.hostname === now.hostname
  if (next.origin === now.origin || upgraded) return next.href
  throw new SourceError('not-found', 'never', `The repository has moved to ${next.host}. Use its new address.`)
}

export const guardedHttp = (options: Options): HttpClient => {
  let moved: { from: string; to: string } | undefined
  const request = async (asked: GitHttpRequest): Promise<GitHttpResponse> => {
    const sent = asked.body && new Uint8Array(await buffer(asked.body))
    let url = moved && asked.url.startsWith(moved.from) ? moved.to + asked.url.slice(moved.from.length) : asked.url
    for (let left = mostRedirects; ; left--) {
      const response = await ask(url, asked, sent, options)
      const location = redirectStatuses.has(response.status) ? response.headers.get('location') : null
      if (location === null || asked.method === 'POST' || left === 0) return answer(url, response)
      await response.close()
      const next = movedTo(location, url)
      const end = '/info/refs'
      if (!asked.url.includes(end) || !next.includes(end)) return answer(next, response)
      moved = { from: asked.url.slice(0, asked.url.indexOf(end)), to: next.slice(0, next.indexOf(end)) }
      url = next
    }
  }
  return { request }
}

const answer = async (url: string, response: GuardedResponse): Promise<GitHttpResponse> => {
  const { status, headers } = response
  if (isPassing(status)) {
    await response.close()
    throw unavailable(new URL(url).host, new Error(`answered ${status}`), retryAfter(headers, Date.now()))
  }
  return {
    url,
    statusCode: status,
    statusMessage: '',
    headers: Object.fromEntries(headers),
    body: whole(response),
  }
}
