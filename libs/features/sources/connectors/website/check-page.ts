import { createHash } from 'node:crypto'
import { Unfit } from '@plumbline/ports/document-parser'
import type { SourceItem } from '@plumbline/ports/document-source'
import type { GuardedResponse } from '@plumbline/adapters/fetching/guarded-fetch'
import { pageLinks } from './page-links'
import type { Site } from './site'

/** The links of a page that is larger than this are ignored. The page itself is imported. */
const mostLinkBytes = 5_000_000

export type PageCheck =
  | { kind: 'page'; url: URL; version: string; size?: number; links: URL[] }
  | { kind: 'skipped'; why: string }
  | { kind: 'gone' }

export const pagePath = (url: URL, start: URL): string => {
  const folder = start.pathname.lastIndexOf('/') + 1
  const written = url.pathname.slice(folder) + url.search
  const named = url.pathname.endsWith('/') ? `${url.pathname.slice(folder)}index.html${url.search}` : written
  try {
    return decodeURI(named)
  } catch {
    return named
  }
}

export const pageItem = (url: URL, start: URL, version: string, size?: number): SourceItem => ({
  path: pagePath(url, start),
  version,
  url: url.href,
  ...(size !== undefined && { size }),
})

const statedVersion = (headers: Headers): string | undefined => {
  const [etag, modified] = [headers.get('etag'), headers.get('last-modified')]
  if (etag) return `etag:${etag}`
  return modified ? `modified:${modified}` : undefined
}

type Read = { digest: string; bytes: number; text: string | null }

const readBody = async ({ body }: GuardedResponse, withText: boolean): Promise<Read> => {
  const [hash, pieces]: [ReturnType<typeof createHash>, Uint8Array[]] = [createHash('sha256'), []]
  let bytes = 0
  for await (const piece of body) {
    hash.update(piece)
    if ((bytes += piece.byteLength) <= mostLinkBytes && withText) pieces.push(piece)
  }
  const text = withText && bytes <= mostLinkBytes ? new TextDecoder().decode(Buffer.concat(pieces)) : null
  return { digest: hash.digest('hex'), bytes, text }
}

const checkResponse = async (response: GuardedResponse, withLinks: boolean): Promise<PageCheck> => {
  const { status, headers, url } = response
  if (status === 404 || status === 410) return { kind: 'gone' }
  if (status !== 200) return { kind: 'skipped', why: `The site returned ${status} for this page.` }
  const isPage = /html/i.test(headers.get('content-type') ?? '')
  const stated = statedVersion(headers)
  const address = new URL(url)
  // If the headers state the version of the page, the body is needed only to find links.
  if (stated !== undefined && !(withLinks && isPage)) return { kind: 'page', url: address, version: stated, links: [] }
  const { digest, bytes, text } = await readBody(response, withLinks && isPage)
  const links = text === null ? [] : pageLinks(text, address)
  return { kind: 'page', url: address, version: stated ?? `sha256:${digest}`, size: bytes, links }
}

export const checkPage = async (
  site: Site,
  url: URL,
  withLinks: boolean,
  maxBytes: number,
  signal: AbortSignal,
): Promise<PageCheck> => {
  try {
    const answer = await site.ask(url, signal, maxBytes)
    if (answer.kind === 'elsewhere')
      return { kind: 'skipped', why: `The page redirects to another site: ${answer.host}.` }
    try {
      return await checkResponse(answer, withLinks)
    } finally {
      await answer.close()
    }
  } catch (error) {
    if (error instanceof Unfit && (error.reason === 'too-large' || error.reason === 'unreadable'))
      return { kind: 'skipped', why: error.words }
    throw error
  }
}
