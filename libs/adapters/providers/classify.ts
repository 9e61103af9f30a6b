import { ProviderError } from './provider'
import { retryAfter } from './retry-after'

/** Which settings to look at when a provider will not take a call. */
export type Settings = { key: string; url: string; model: string }
type Answer = { status: number; headers: Headers; body: string }

const quotaRetryMs = 60_000
const longestPauseMs = 86_400_000
const longest = 300

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

/** What the provider says in its body, in any of the shapes that servers use. */
const saidIn = (body: string): { message: string; code: string } => {
  try {
    const outer = objectOf(JSON.parse(body))
    const inner: Record<string, unknown> =
      typeof outer['error'] === 'string' ? { message: outer['error'] } : { ...outer, ...objectOf(outer['error']) }
    const text = (value: unknown): string => (typeof value === 'string' ? value : '')
    return {
      message: text(inner['message']) || text(inner['detail']),
      code: `${text(inner['code'])} ${text(inner['type'])}`,
    }
  } catch {
    return { message: body.startsWith('<') ? '' : body, code: '' }
  }
}

const adviceOf = (status: number, { key, url, model }: Settings): string => {
  if (status === 401 || status === 403) return `Look at ${key}.`
  if (status === 404) return `Look at ${model} and ${url}.`
  return ''
}

/** A time that is past is none, and one beyond a day is a mistake. */
const ahead = (time: number | undefined, now: number): number | undefined =>
  time === undefined || time <= now ? undefined : Math.min(time, now + longestPauseMs)

/** What an answer that is no success means for the next call. */
export const faultOf = (
  { status, headers, body }: Answer,
  host: string,
  settings: Settings,
  now: number,
): ProviderError => {
  const { message, code } = saidIn(body)
  const said = [
    `${host} answered ${status}.`,
    message.replace(/\s+/g, ' ').slice(0, longest),
    adviceOf(status, settings),
  ]
    .filter(Boolean)
    .join(' ')
  const notBefore = ahead(retryAfter(headers, now), now)
  if (/insufficient_quota/.test(code))
    return new ProviderError('limited', said, { notBefore: Math.max(notBefore ?? 0, now + quotaRetryMs) })
  if (status === 429 || status === 529) return new ProviderError('limited', said, { notBefore })
  if (status >= 500 && notBefore !== undefined) return new ProviderError('limited', said, { notBefore })
  if (status >= 500 || status === 408 || status === 409 || status === 425) return new ProviderError('unavailable', said)
  if (status >= 400) return new ProviderError('rejected', said, { reason: code.trim() })
  return new ProviderError('malformed', said)
}
