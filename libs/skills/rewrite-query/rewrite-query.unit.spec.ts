import { describe, expect, it } from 'vitest'
import type { FailedPassage } from '../skill'
import { rewriteQueryContract } from './rewrite-query.contract'
import { offlineRewriteQuery } from './rewrite-query.offline'

rewriteQueryContract('offline', () => offlineRewriteQuery)

const call = { signal: new AbortController().signal, tier: 'small', temperature: 0 } as const
const question = 'What was the energy efficiency of Oslo harbour in 2019?'
const rewritten = (failedPassages: FailedPassage[], triedQueries = [question]) =>
  offlineRewriteQuery({ question, triedQueries, failedPassages, reason: 'too few relevant passages' }, call)

describe('offline rewriteQuery', () => {
  it('looks for the words that nothing found holds, as the asker wrote them', async () => {
    const found = await rewritten([{ title: 'Harbours', text: 'Oslo harbour was dredged in 2019.' }])
    expect(found).toMatchObject({ strategy: 'narrow-focus', query: 'energy efficiency' })
  })

  it.each<[string, FailedPassage[]]>([
    ['nothing was found', []],
    ['what was found has all its words', [{ title: 'Oslo harbour', text: 'Energy efficiency in 2019.' }]],
    ['what was found has none of them', [{ title: 'Soup', text: 'Lentils and onions.' }]],
  ])('has no other query where %s', async (_, failed) => expect(await rewritten(failed)).toBeNull())

  it('does not come back to what was tried, in whatever order', async () => {
    const failed = [{ title: 'Harbours', text: 'Oslo harbour was dredged in 2019.' }]
    expect(await rewritten(failed, [question, 'Efficiency of energy'])).toBeNull()
  })
})
