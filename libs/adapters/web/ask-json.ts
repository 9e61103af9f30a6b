import { AppError } from '@plumbline/platform'
import type { z } from 'zod'

/** More than any page of results is. */
const maxBytes = 2_000_000

type Ask = { url: URL; init?: RequestInit; signal: AbortSignal; reads: z.ZodType }

/** `Retry-After` in seconds or as a date, on this clock; nothing where it says nothing. */
const notBefore = (header: string | null): number | undefined => {
  if (header === null || header.trim() === '') return undefined
  const seconds = Number(header)
  const at = Number.isFinite(seconds) ? Date.now() + Math.max(0, seconds) * 1_000 : Date.parse(header)
  return Number.isFinite(at) ? at : undefined
}

const refused = (response: Response): AppError => {
  const cause = new Error(`${new URL(response.url).host} answered ${response.status}`)
  const wait = notBefore(response.headers.get('retry-after'))
  if (response.status === 429) return new AppError('web-search.rate-limited', 'later', { cause, ...(wait !== undefined && { notBefore: wait }) })
  if (response.status >= 500 || response.status === 408) return new AppError('web-search.unavailable', 'later', { cause, ...(wait !== undefined && { notBefore: wait }) })
  return new AppError(response.status === 401 || response.status === 403 ? 'web-search.not-allowed' : 'web-search.refused', 'never', { cause })
}

const textOf = async (response: Response): Promise<string> => {
  const decoder = new TextDecoder()
  let [text, bytes] = ['', 0]
  for await (const piece of response.body ?? []) {
    bytes += piece.byteLength
    if (bytes > maxBytes) throw new AppError('web-search.too-large', 'never')
    text += decoder.decode(piece, { stream: true })
  }
  return text + decoder.decode()
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

/** One request, one answer of the shape that was promised, or an error that says whether to come again. */
export const askJson = async <S extends z.ZodType>({ url, init, signal, reads }: Ask & { reads: S }): Promise<z.output<S>> => {
  try {
    const response = await fetch(url, { ...init, signal, headers: { accept: 'application/json', ...init?.headers } })
    if (!response.ok) {
      await response.body?.cancel()
      throw refused(response)
    }
    return read(await textOf(response), reads)
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof AppError ? error : new AppError('web-search.unreachable', 'later', { cause: error })
  }
}
