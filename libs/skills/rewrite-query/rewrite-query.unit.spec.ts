import { describe, expect, it } from 'vitest'
import { nearCopy } from '../wording/near-copy'
import { offlineRewriteQuery } from './rewrite-query.offline'
import { rewriteQueryContract } from './rewrite-query.contract'

rewriteQueryContract('offline', () => offlineRewriteQuery)

const call = { signal: new AbortController().signal, tier: 'small', temperature: 0 } as const
const question = 'What was the energy efficiency of Oslo harbour in 2019?'
const rewritten = (failedPassages: string[], triedQueries: string[] = [question], asked = question) =>
  offlineRewriteQuery({ question: asked, triedQueries, failedPassages, reason: 'too few relevant passages' }, call)

describe('offline rewriteQuery', () => {
  it('widens where nothing was found', async () =>
    expect(await rewritten([])).toEqual({
      query: 'Oslo 2019 energy efficiency harbour power electricity effectiveness performance',
      strategy: 'expand-terms',
      reason: 'Nothing was found: other words for what is asked.',
    }))

  it('narrows where something else was found', async () => {
    const { query, strategy, reason } = await rewritten(['A soup of lentils and onions.'])
    expect([query, strategy]).toEqual(['Oslo 2019 harbour', 'narrow-focus'])
    expect(reason).toMatch(/about something else/)
  })

  it('borrows words of passages that came close', async () => {
    const { query, strategy } = await rewritten([
      'The energy efficiency of Oslo harbour: turbines, turbines, quays.',
      'Turbines and quays of Oslo harbour save energy.',
    ])
    expect(strategy).toBe('add-context')
    expect(query).toMatch(/turbines/i)
  })

  it('looks for what a reviewer says is missing', async () => {
    const { query, strategy, reason } = await offlineRewriteQuery(
      {
        question,
        triedQueries: [question],
        failedPassages: [],
        reason: 'Please look for the retrofit of the pumps in 2018.',
      },
      call,
    )
    expect([query, strategy]).toEqual(['retrofit pumps 2018 energy efficiency', 'add-context'])
    expect(reason).toMatch(/missing was named/)
  })

  it.each([
    'Nothing was found.',
    '1 of 4 passages passed, 2 needed.',
    '3 passages did not pass; taken together: ambiguous.',
    'Usefulness 1, 3 needed.',
    'Not supported: It was built by dwarfs.',
  ])('seeks none of the words of “%s”', async (reason) => {
    const { query } = await offlineRewriteQuery(
      { question, triedQueries: [question], failedPassages: [], reason },
      call,
    )
    expect(query).not.toMatch(/usefulness|passage|ambiguous|dwarfs|found/i)
  })

  it('keeps enough of the question to find something by', async () => {
    const asked = 'How many items can the cache hold?'
    const tried = [asked]
    for (let turn = 0; turn < 5; turn += 1) {
      const { query } = await rewritten([], tried, asked)
      expect(query).toMatch(/items?|cache|part|thing/)
      expect(query.split(' ').length).toBeGreaterThan(1)
      tried.push(query)
    }
  })

  it('takes one part of a compound question alone', async () => {
    const asked = 'Who built the quay of Oslo? When was the crane of Bergen moved?'
    const { query, strategy } = await rewritten(
      ['The quay of Oslo and the crane of Bergen were built and moved by people.'],
      [asked],
      asked,
    )
    expect([query, strategy]).toEqual(['built quay Oslo', 'decompose'])
  })

  it('finds fifty more queries that differ, then repeats itself word for word when asked the same', async () => {
    const tried = [question]
    const strategies = new Set<string>()
    for (let turn = 0; turn < 50; turn += 1) {
      const { query, strategy } = await rewritten([], tried)
      expect(tried.some((earlier) => nearCopy(query, earlier))).toBe(false)
      tried.push(query)
      strategies.add(strategy)
    }
    expect(strategies.size).toBeGreaterThanOrEqual(3)
    expect(await rewritten([], tried)).toEqual(await rewritten([], tried))
  })
})
