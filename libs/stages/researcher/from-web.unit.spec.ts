import {
  admitted,
  after,
  asking,
  bad,
  found,
  good,
  graded,
  planned,
  routed,
  toResearch,
} from '@plumbline/flow/spec/run-fixtures.spec'
import type { WebSearch } from '@plumbline/ports/web-search'
import { offlineSkills } from '@plumbline/skills/offline'
import type { RetryQuery } from '@plumbline/skills/skill/skill'
import { describe, expect, it } from 'vitest'
import { workOn } from '../work.spec'
import { handler, idsOf } from './research-fixtures.spec'

describe('research on the web', () => {
  const page = (n: number) => ({
    title: `Page ${n}`,
    url: `https://example.org/${n}`,
    text: `Mars in the news, ${n}.`,
    fetchedAt: Date.UTC(2026, 0, n),
  })
  const searching = (search: WebSearch['search']): WebSearch => ({ name: 'spec', search })
  const onWeb = async (
    search: WebSearch['search'],
    policy: Parameters<typeof asking>[0] = {},
    rewriteQuery: RetryQuery = offlineSkills.rewriteQuery,
  ) => {
    const given = after(
      asking({ webResults: 2, ...policy }),
      admitted,
      toResearch,
      planned('What is the mass of Mars?'),
      found('1.1', ['ocean']),
      graded('1.1', { ocean: bad }, 'incorrect'),
    )
    const work = workOn(given, 'research')
    const skills = { ...offlineSkills, rewriteQuery }
    return (await handler({ web: searching(search), skills }))({ ...work, task: { ...work.task, source: 'web' } })
  }

  it('asks for recent pages, and keeps their dates, where all that passed before is outdated', async () => {
    const asked: unknown[] = []
    const search: WebSearch['search'] = (_query, _k, _signal, since) => {
      asked.push(since)
      return Promise.resolve([{ ...page(1), date: '2025-12-24' }, page(2)])
    }
    const given = (grade: typeof good) =>
      after(
        asking({ webResults: 2, webQuery: 'question' }),
        admitted,
        toResearch,
        planned('What is the mass of Mars?'),
        found('1.1', ['ocean']),
        graded('1.1', { ocean: grade }),
      )
    const onWebAfter = async (grade: typeof good) => {
      const work = workOn(given(grade), 'research', [])
      return (await handler({ web: searching(search) }))({ ...work, task: { ...work.task, source: 'web' } })
    }
    const result = await onWebAfter({ ...good, outdated: true })
    await onWebAfter(bad)
    expect(asked).toEqual(['year', undefined])
    expect((result.outcome === 'found' ? result.passages : []).map(({ date }) => date)).toEqual([
      '2025-12-24',
      undefined,
    ])
  })

  it('makes a passage of each page, with its address and when it was read, as many as the policy wants', async () => {
    const asked: [string, number][] = []
    const result = await onWeb(
      (query, k) => {
        asked.push([query, k])
        return Promise.resolve([page(1), page(2)])
      },
      { webQuery: 'question' },
    )
    expect(asked).toEqual([['What is the mass of Mars?', 2]])
    expect(result).toMatchObject({ outcome: 'found', source: 'web', queries: ['What is the mass of Mars?'] })
    const passages = result.outcome === 'found' ? result.passages : []
    expect(passages.map(({ title, url, collection, fetchedAt }) => [title, url, collection, fetchedAt])).toEqual([
      ['Page 1', 'https://example.org/1', 'web', '2026-01-01T00:00:00.000Z'],
      ['Page 2', 'https://example.org/2', 'web', '2026-01-02T00:00:00.000Z'],
    ])
    expect(new Set(passages.map(({ id }) => id)).size).toBe(2)
    expect(new Set(passages.map(({ documentId }) => documentId)).size).toBe(2)
  })

  it.each([
    ['in other words where there are some', { query: 'Mars news', strategy: 'narrow-focus', reason: 'Shorter.' }],
    ['as it was asked where there are none', null],
  ] as const)('asks after a failure %s', async (_, rewritten) => {
    const asked: string[] = []
    const search: WebSearch['search'] = (query) => {
      asked.push(query)
      return Promise.resolve([page(1)])
    }
    const result = await onWeb(search, { webQuery: 'rewritten' }, () => Promise.resolve(rewritten))
    expect(asked).toEqual([rewritten?.query ?? 'What is the mass of Mars?'])
    expect(result.queries).toEqual(asked)
    expect(result.strategy).toBe(rewritten?.strategy)
  })

  it.each(['rewritten', 'question'] as const)(
    'asks at first what was written for it, unless the policy wants the question: %s',
    async (webQuery) => {
      const toWeb = routed({ outcome: 'web', logic: 'News.', queries: ['Mars probe landing'] })
      const given = after(asking({ webQuery }, { question: 'Did it land?', webOn: true }), admitted, toWeb)
      const web = searching((query) => Promise.resolve([{ ...page(1), title: query }]))
      const result = await (await handler({ web }))(workOn(given, 'research'))
      expect(result).toMatchObject({ queries: [webQuery === 'question' ? 'Did it land?' : 'Mars probe landing'] })
    },
  )

  it('gives the same passage the same id', async () => {
    const once = await onWeb(() => Promise.resolve([page(1)]))
    expect(idsOf(once)).toHaveLength(1)
    expect(idsOf(await onWeb(() => Promise.resolve([page(1)])))).toEqual(idsOf(once))
  })

  it.each([
    [
      'fails',
      () => Promise.reject(Object.assign(new Error('no'), { code: 'web-search.rate-limited' })),
      'web search failed: web-search.rate-limited',
    ],
    ['fails without a code', () => Promise.reject(new Error('no')), 'web search failed: it failed'],
  ])('returns nothing if the search %s', async (_, search, reason) =>
    expect(await onWeb(search)).toMatchObject({ outcome: 'nothing', source: 'web', degraded: ['web'], reason }),
  )

  it('says so where no page was found', async () =>
    expect(await onWeb(() => Promise.resolve([]))).toMatchObject({ outcome: 'nothing', reason: 'spec found no page' }))
})
