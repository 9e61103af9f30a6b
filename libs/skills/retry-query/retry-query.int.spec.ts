import { answer } from '@plumbline/testing/model-server/answer'
import { describe, expect, it } from 'vitest'
import { callWith, useModel } from '../skill/fixtures.spec'
import type { FailedPassage } from '../skill/skill'
import { retryQueryContract } from './retry-query.contract'
import { llmRetryQuery } from './retry-query.llm'
import { offlineRetryQuery } from './retry-query.offline'

retryQueryContract('offline', () => offlineRetryQuery)

const call = { signal: new AbortController().signal, tier: 'small', temperature: 0 } as const
const question = 'What was the energy efficiency of Oslo harbour in 2019?'
const rewrittenOffline = (failedPassages: FailedPassage[], triedQueries = [question]) =>
  offlineRetryQuery({ question, triedQueries, failedPassages, reason: 'too few relevant passages' }, call)

describe('offline rewriteQuery', () => {
  it('searches for the words that no passage contains, as the asker wrote them', async () => {
    const found = await rewrittenOffline([{ title: 'Harbours', text: 'Oslo harbour was dredged in 2019.' }])
    expect(found).toMatchObject({ strategy: 'narrow-focus', query: 'energy efficiency' })
  })

  it.each<[string, FailedPassage[]]>([
    ['nothing was found', []],
    ['the passages contain all its words', [{ title: 'Oslo harbour', text: 'Energy efficiency in 2019.' }]],
    ['the passages contain none of its words', [{ title: 'Soup', text: 'Lentils and onions.' }]],
  ])('returns null if %s', async (_, failed) => expect(await rewrittenOffline(failed)).toBeNull())

  it('repeats no tried query, in any word order', async () => {
    const failed = [{ title: 'Harbours', text: 'Oslo harbour was dredged in 2019.' }]
    expect(await rewrittenOffline(failed, [question, 'Efficiency of energy'])).toBeNull()
  })
})

const model = useModel()
const input = {
  question: 'What is the mass of Mars?',
  triedQueries: ['Mars mass', 'weight of the red planet'],
  failedPassages: [
    { text: 'Mars is red.', title: 'Colours', level: 'low', reason: 'It gives no mass.' },
    { text: 'Olympus Mons is high.', title: 'Mountains' },
  ],
  reason: '1 of 4 passages passed; the policy requires 2.',
}
const rewritten = () => llmRetryQuery(model.chat)(input, callWith())
const said = (query: string | null) => answer.json({ reason: 'The words were wrong.', strategy: 'expand-terms', query })

describe('a query rewritten by a model', () => {
  it('sees the tried queries, why they failed, and their passages with document, grade and reason', async () => {
    model.server().script('rewrite-query', said('planetary data sheet kilograms'))
    expect(await rewritten()).toEqual({
      reason: 'The words were wrong.',
      strategy: 'expand-terms',
      query: 'planetary data sheet kilograms',
    })
    const [shown] = model.shown()
    expect(shown?.one('tried queries')).toBe('1. Mars mass\n2. weight of the red planet')
    expect(shown?.one('why they fell short')).toBe(input.reason)
    expect(shown?.one('passage 1 that fell short')).toBe(
      'Document: Colours\nGraded: low\nWhy: It gives no mass.\n\nMars is red.',
    )
    expect(shown?.one('passage 2 that fell short')).toBe('Document: Mountains\n\nOlympus Mons is high.')
  })

  it('is null at once if the model expects nothing of other words', async () => {
    model.server().script('rewrite-query', said(null))
    expect(await rewritten()).toBeNull()
    expect(model.sent()).toHaveLength(1)
  })

  it('is repaired once if it copies a tried query in any order and form, and is then null', async () => {
    model.server().script('rewrite-query', said('the mass of Mars'), said('gravity table of planets'))
    expect((await rewritten())?.query).toBe('gravity table of planets')
    model.server().script('rewrite-query', said('red planets weight'))
    expect(await rewritten()).toBeNull()
    expect(model.sent().map((messages) => messages.length)).toEqual([2, 4, 2, 4])
    expect(model.sent()[3]?.at(-1)?.content).toContain('tried query 2')
  })

  it('is null if the model refuses', async () => {
    model.server().script('rewrite-query', answer.refused('No.'))
    expect(await rewritten()).toBeNull()
  })
})
