import { AppError } from '@plumbline/platform'
import type { z } from 'zod'
import { textOf } from '../http/text-of'
import { retryAfter } from '../providers/retry-after'

/** More than any page of results is. */
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

/** One request, one answer of the shape that was promised, or an error that says whether to come again. */
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
