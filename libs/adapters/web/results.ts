import { AppError } from '@plumbline/platform'
import type { z } from 'zod'
import { cleanName } from '@plumbline/contracts'
import type { WebPage } from '@plumbline/ports/web-search'
import { retryAfter, textOf } from '../http/response'

const maxBytes = 2_000_000

type Ask = { url: URL; init?: RequestInit; signal: AbortSignal; reads: z.ZodType }

const refused = (response: Response): AppError => {
  const cause = new Error(`${new URL(response.url).host} answered ${response.status}`)
  const wait = retryAfter(response.headers, Date.now())
  if (response.status === 429)
    return new AppError('web-search.rate-limited', 'later', { cause, ...(wait !== undefined && { notBefore: wait }) })
  if (response.status >= 500 || response.status === 408)
    return new AppError('web-search.unavailable', 'later', { cause, ...(wait !== undefined && { notBefore: wait }) })
  return new AppError(
    response.status === 401 || response.status === 403 ? 'web-search.not-allowed' : 'web-search.refused',
    'never',
    { cause },
  )
}

const read = <S extends z.ZodType>(text: string, reads: S): z.output<S> => {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw new AppError('web-search.malformed', 'never', { cause })
  }
  const parsed = reads.safeParse(json)
  if (!parsed.success) throw new AppError('web-search.malformed', 'never', { cause: parsed.error })
  return parsed.data
}

export const askJson = async <S extends z.ZodType>({
  url,
  init,
  signal,
  reads,
}: Ask & { reads: S }): Promise<z.output<S>> => {
  try {
    const response = await fetch(url, { ...init, signal, headers: { accept: 'application/json', ...init?.headers } })
    if (!response.ok) {
      await response.body?.cancel()
      throw refused(response)
    }
    const text = await textOf(response, maxBytes)
    if (text === null) throw new AppError('web-search.too-large', 'never')
    return read(text, reads)
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof AppError ? error : new AppError('web-search.unreachable', 'later', { cause: error })
  }
}

export const limits = { pages: 20, title: 300, text: 4_000 }

const isWeb = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)

const cut = (text: string, most: number): string => {
  const plain = cleanName(text)
  if (plain.length <= most) return plain
  const end = plain.lastIndexOf(' ', most)
  return plain.slice(0, end > most * 0.8 ? end : most)
}

/** Returns the day of a date: of an ISO date as it is written, and of any other date after its conversion to UTC. */
const dayOf = (published: string | null | undefined): string | undefined => {
  const time = Date.parse(published ?? '')
  if (Number.isNaN(time)) return undefined
  return /^\d{4}-\d\d-\d\d/.exec(published ?? '')?.[0] ?? new Date(time).toISOString().slice(0, 10)
}

type WebHit = { title: string; url: string; content: string; published?: string | null | undefined }

export const pagesOf = (found: WebHit[], k: number, fetchedAt: number): WebPage[] => {
  const seen = new Set<string>()
  return found
    .map(({ title, url, content, published }): WebPage => {
      const date = dayOf(published)
      return {
        title: cut(title, limits.title) || url,
        url,
        text: cut(content, limits.text),
        fetchedAt,
        ...(date !== undefined && { date }),
      }
    })
    .filter(({ url, text }) => {
      if (!isWeb(url) || text === '' || seen.has(url)) return false
      seen.add(url)
      return true
    })
    .slice(0, Math.min(k, limits.pages))
}
