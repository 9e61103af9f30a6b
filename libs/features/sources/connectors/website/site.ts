import { setTimeout as wait } from 'node:timers/promises'
import type { WebsiteSettings } from '@plumbline/contracts'
import { SourceError } from '@plumbline/ports/document-source'
import robotsParser from 'robots-parser'
import { isPassing } from '@plumbline/adapters/fetching/fetch-document'
import {
  guardedFetch,
  inUtf8,
  redirectStatuses,
  type GuardedResponse,
} from '@plumbline/adapters/fetching/guarded-fetch'
import type { Guard } from '@plumbline/adapters/fetching/target'
import { retryAfter } from '@plumbline/adapters/http/response'
import { unavailable } from '../base/source-errors'

const agent = 'plumbline'
const accept = 'text/html,application/xhtml+xml,application/pdf,text/markdown,text/plain;q=0.9,*/*;q=0.8'
const mostRedirects = 5
const mostStartBytes = 10_000_000
const mostRulesBytes = 512_000
const mostDelayMs = 10_000

/** `elsewhere` means that the page redirects to another site. `host` is the host of that site. */
type Answer = ({ kind: 'answer' } & GuardedResponse) | { kind: 'elsewhere'; host: string }

export type Site = {
  start: URL
  sitemaps: URL[]
  /**
   * `outside` means that the page is not part of the site. `excluded` means that the settings exclude the page.
   * `robots` means that robots.txt forbids the page.
   */
  judge(url: URL): 'fit' | 'outside' | 'excluded' | 'robots'
  ask(url: URL, signal: AbortSignal, maxBytes: number): Promise<Answer>
}

type Ask = (url: URL | string, signal: AbortSignal, maxBytes: number, redirects: number) => Promise<GuardedResponse>

const inTurn = () => {
  let last: Promise<unknown> = Promise.resolve()
  let [free, delayMs] = [0, 0]
  return {
    apart: (seconds: number | undefined): void => {
      delayMs = Number.isFinite(seconds) ? Math.min(mostDelayMs, Math.max(0, Number(seconds) * 1_000)) : 0
      free = Date.now() + delayMs
    },
    take: <Result>(call: () => Promise<Result>, signal: AbortSignal): Promise<Result> => {
      const turn = last.then(async () => {
        signal.throwIfAborted()
        const left = free - Date.now()
        if (left > 0) await wait(left, undefined, { signal })
        free = Date.now() + delayMs
        return call()
      })
      last = turn.catch(() => undefined)
      return turn
    },
  }
}

/** Throws if the site fails temporarily, which ends the listing. Otherwise the pages of the site would look removed. */
const asker =
  (guard: Guard, timeoutMs: number, turns: ReturnType<typeof inTurn>): Ask =>
  async (url, signal, maxBytes, redirects) => {
    const headers = { accept, 'user-agent': agent }
    const response = await turns.take(
      () => guardedFetch(url, { signal, guard, maxBytes, timeoutMs, redirects, headers }),
      signal,
    )
    if (!isPassing(response.status)) return response
    await response.close()
    const { host } = new URL(response.url)
    throw unavailable(host, new Error(`answered ${response.status}`), retryAfter(response.headers, Date.now()))
  }

const startOf = async (ask: Ask, url: string, signal: AbortSignal): Promise<URL> => {
  const { status, url: found, close } = await ask(url, signal, mostStartBytes, mostRedirects)
  await close()
  if (status === 200) return new URL(found)
  const { host } = new URL(found)
  if (status === 401 || status === 403)
    throw new SourceError('no-access', 'never', `${host} refuses access. Ask the owner of the site to allow it.`)
  throw new SourceError('not-found', 'never', `${host} returned ${status} instead of a page. Check the address.`)
}

const beginningOf = async ({ body }: GuardedResponse, maxBytes: number): Promise<string> => {
  const decoder = new TextDecoder()
  let [text, bytes] = ['', 0]
  for await (const piece of body) {
    text += decoder.decode(piece, { stream: true })
    if ((bytes += piece.byteLength) >= maxBytes) break
  }
  return text
}

const rulesOf = async (ask: Ask, { origin }: URL, signal: AbortSignal) => {
  const address = `${origin}/robots.txt`
  const response = await ask(address, signal, mostStartBytes, mostRedirects)
  try {
    return robotsParser(address, response.status === 200 ? await beginningOf(response, mostRulesBytes) : '')
  } finally {
    await response.close()
  }
}

const askWithin =
  (ask: Ask, { origin }: URL): Site['ask'] =>
  async (url, signal, maxBytes) => {
    for (let [next, left] = [url, mostRedirects]; ; left--) {
      const response = await ask(next, signal, maxBytes, 0)
      const location = redirectStatuses.has(response.status) ? response.headers.get('location') : null
      if (location === null) return { kind: 'answer', ...response }
      await response.close()
      const to = inUtf8(location)
      if (left === 0 || !URL.canParse(to, next)) return { kind: 'elsewhere', host: next.host }
      next = new URL(to, next)
      if (next.origin !== origin) return { kind: 'elsewhere', host: next.host }
    }
  }

export const openSite = async (
  { url, exclude }: WebsiteSettings,
  guard: Guard,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Site> => {
  const turns = inTurn()
  const ask = asker(guard, timeoutMs, turns)
  const start = await startOf(ask, url, signal)
  const rules = await rulesOf(ask, start, signal)
  turns.apart(rules.getCrawlDelay(agent))
  const folder = start.pathname.slice(0, start.pathname.lastIndexOf('/') + 1)
  const excluding = ['User-agent: *', ...exclude.map((path) => `Disallow: ${path}`)].join('\n')
  const excluded = robotsParser(`${start.origin}/robots.txt`, excluding)
  const judge: Site['judge'] = (page) => {
    if (page.origin !== start.origin || !page.pathname.startsWith(folder)) return 'outside'
    if (excluded.isDisallowed(page.href, agent)) return 'excluded'
    return rules.isDisallowed(page.href, agent) ? 'robots' : 'fit'
  }
  const sitemaps = rules
    .getSitemaps()
    .filter((address) => URL.canParse(address, start))
    .map((address) => new URL(address, start))
    .filter(({ origin }) => origin === start.origin)
  return { start, sitemaps, judge, ask: askWithin(ask, start) }
}
