import { afterAll, describe, expect, it } from 'vitest'
import { AppError } from '@plumbline/platform'
import type { Since, WebSearch } from './web-search'

const never = new AbortController().signal

export type ScriptedResponse =
  | { kind: 'pages'; pages: { title: string; url: string; content: string; published?: string | null }[] }
  | { kind: 'status'; status: number; retryAfter?: string }
  | { kind: 'body'; body: string }
  | { kind: 'silence' }
  | { kind: 'gone' }

type Opened = { search: WebSearch; play(next: ScriptedResponse): void; asked(): string[]; close(): Promise<void> }

const page = (
  n: number,
  more: Partial<{ title: string; url: string; content: string; published: string | null }> = {},
) => ({
  title: `Page ${n}`,
  url: `https://example.org/${n}`,
  content: `What page ${n} says.`,
  ...more,
})

export const webSearchContract = (name: string, open: () => Promise<Opened>): void => {
  describe(`web search: ${name}`, () => {
    const opened = open()
    afterAll(async () => (await opened).close())
    const search = async (
      played: ScriptedResponse,
      query = 'harbours of the north',
      k = 3,
      signal = never,
      since?: Since,
    ) => {
      const { search: web, play } = await opened
      play(played)
      return web.search(query, k, signal, since)
    }
    const fault = async (played: ScriptedResponse): Promise<AppError> => {
      const error = await search(played).then(
        () => null,
        (thrown: unknown) => thrown,
      )
      expect(error).toBeInstanceOf(AppError)
      return error as AppError
    }

    it('sends the query and returns the pages in order, with their dates', async () => {
      const query = 'crème brûlée & “custard” 50 %?'
      const before = Date.now()
      const found = await search({ kind: 'pages', pages: [page(1), page(2)] }, query)
      expect((await opened).asked().at(-1)).toBe(query)
      expect(found).toEqual(
        [1, 2].map((n) => ({
          title: `Page ${n}`,
          url: `https://example.org/${n}`,
          text: `What page ${n} says.`,
          fetchedAt: expect.any(Number) as number,
        })),
      )
      expect(found[0]!.fetchedAt).toBeGreaterThanOrEqual(before)
    })

    it('returns at most k, each address once', async () => {
      const pages = [page(1), page(1), page(2), page(3), page(4)]
      expect((await search({ kind: 'pages', pages }, 'q', 3)).map(({ title }) => title)).toEqual([
        'Page 1',
        'Page 2',
        'Page 3',
      ])
      expect(
        await search({ kind: 'pages', pages: Array.from({ length: 60 }, (_, n) => page(n)) }, 'q', 50),
      ).toHaveLength(20)
    })

    it('keeps the publication day if it can be read', async () => {
      const published = [
        '2026-10-05T23:30:00',
        '2026-10-05T23:30:00-05:00',
        '2026-10-05',
        'Mon, 05 Oct 2026 23:30:00 GMT',
        'yesterday',
        '',
        null,
      ]
      const pages = published.map((date, n) => page(n, { published: date }))
      const found = await search({ kind: 'pages', pages }, 'q', 9)
      expect(found.map(({ date }) => date)).toEqual([
        ...Array.from({ length: 4 }, () => '2026-10-05'),
        undefined,
        undefined,
        undefined,
      ])
    })

    it('finds recent pages on request', async () => {
      const pages = [page(1)]
      for (const since of ['day', 'week', 'month', 'year'] as const)
        expect(await search({ kind: 'pages', pages }, `since ${since}`, 3, never, since)).toHaveLength(1)
    })

    it('shortens long texts, and skips pages without text or web address', async () => {
      const pages = [
        page(1, { content: 'word '.repeat(5_000) }),
        page(2, { url: 'javascript:alert(1)' }),
        page(3, { url: 'file:///etc/passwd' }),
        page(4, { url: 'not an address' }),
        page(5, { content: '  ' }),
        page(6, { title: '' }),
      ]
      const found = await search({ kind: 'pages', pages }, 'q', 9)
      expect(found.map(({ url }) => url)).toEqual(['https://example.org/1', 'https://example.org/6'])
      expect(found[0]!.text.length).toBeLessThanOrEqual(4_000)
      expect(found[0]!.text).toMatch(/word$/)
      expect(found[1]!.title).toBe('https://example.org/6')
    })

    it('sends no request for an empty query', async () => {
      const asked = (await opened).asked().length
      expect(await search({ kind: 'gone' }, '  ')).toEqual([])
      expect(await search({ kind: 'gone' }, 'q', 0)).toEqual([])
      expect((await opened).asked()).toHaveLength(asked)
    })

    it('returns nothing if there are no results', async () =>
      expect(await search({ kind: 'pages', pages: [] })).toEqual([]))

    it.each<[string, ScriptedResponse, string, 'later' | 'never']>([
      ['a limit', { kind: 'status', status: 429 }, 'web-search.rate-limited', 'later'],
      ['a server that is down', { kind: 'status', status: 503 }, 'web-search.unavailable', 'later'],
      ['a broken connection', { kind: 'gone' }, 'web-search.unreachable', 'later'],
      ['a key that is not known', { kind: 'status', status: 401 }, 'web-search.not-allowed', 'never'],
      ['an answer that forbids the search', { kind: 'status', status: 403 }, 'web-search.not-allowed', 'never'],
      ['a request it does not take', { kind: 'status', status: 400 }, 'web-search.refused', 'never'],
      ['an answer that is no JSON', { kind: 'body', body: '<html>' }, 'web-search.malformed', 'never'],
      [
        'an answer of another shape',
        { kind: 'body', body: '{"results":[{"url":7}]}' },
        'web-search.malformed',
        'never',
      ],
      ['an answer without results', { kind: 'body', body: '{}' }, 'web-search.malformed', 'never'],
      [
        'an answer without end',
        { kind: 'body', body: `{"results":[${'"x",'.repeat(600_000)}` },
        'web-search.too-large',
        'never',
      ],
    ])('reports %s, and whether to retry', async (_, played, code, retry) =>
      expect(await fault(played)).toMatchObject({ code, retry }),
    )

    it('reads Retry-After in seconds and as a date', async () => {
      const before = Date.now()
      const { notBefore } = await fault({ kind: 'status', status: 429, retryAfter: '20' })
      expect(notBefore).toBeGreaterThanOrEqual(before + 20_000)
      expect(notBefore).toBeLessThanOrEqual(Date.now() + 20_000)
      expect(
        (await fault({ kind: 'status', status: 503, retryAfter: 'Wed, 21 Oct 2065 07:28:00 GMT' })).notBefore,
      ).toBe(Date.UTC(2065, 9, 21, 7, 28))
      expect((await fault({ kind: 'status', status: 429, retryAfter: 'soon' })).notBefore).toBeUndefined()
    })

    it('stops on its signal, before and while it waits', async () => {
      await expect(
        search({ kind: 'pages', pages: [page(1)] }, 'q', 3, AbortSignal.abort(new Error('stop'))),
      ).rejects.toThrow('stop')
      const stop = new AbortController()
      const waiting = search({ kind: 'silence' }, 'waits', 3, stop.signal)
      await expect.poll(async () => (await opened).asked().at(-1)).toBe('waits')
      stop.abort(new Error('stop now'))
      await expect(waiting).rejects.toThrow('stop now')
    })
  })
}
