import { lexicalEmbedder, lexicalReranker } from '@plumbline/adapters/offline'
import type { Evidence } from '@plumbline/contracts'
import type { StartAsk } from '@plumbline/flow'
import { admitted, after, asking, bad, found, good, graded, nothing, planned, toResearch, type Given } from '@plumbline/flow/spec/given.spec'
import { memoryPassageIndex, type PassageIndex } from '@plumbline/ports/passage-index'
import { offlineSkills } from '@plumbline/skills/offline'
import { describe, expect, it } from 'vitest'
import { workOn } from '../work.spec'
import { research } from './research'

const never = new AbortController().signal
const texts: Record<string, string> = {
  ocean: 'Oceanic Films was founded by Greta Lindqvist in 1987.',
  greta: 'Greta Lindqvist was born in Tromsø and studied law.',
  other: 'Pacific Films was founded in Lima and made forty films.',
  mars: 'Mars has a mass of 0.642 × 10^24 kg and two moons.',
}
const passageOf = (id: string): Evidence => ({ id, documentId: id, collection: 'planets', title: id, text: texts[id] ?? '', headingPath: [], position: 0, scores: {} })

const filled = async (): Promise<PassageIndex> => {
  const index = memoryPassageIndex()
  for (const id of Object.keys(texts)) {
    const passage = passageOf(id)
    const [vector] = await lexicalEmbedder.embed([passage.text], never)
    await index.write('default', { id, collection: 'planets', metadata: { kind: id } }, [{ passage, vector: vector! }], never)
  }
  return index
}
const handler = async (ports: Partial<Parameters<typeof research>[0]> = {}) =>
  research({ skills: offlineSkills, index: await filled(), embedder: lexicalEmbedder, reranker: lexicalReranker, ...ports })
const idsOf = (result: Awaited<ReturnType<ReturnType<typeof research>>>): string[] => (result.outcome === 'found' ? result.passages.map(({ id }) => id) : [])
const researching = (ask: Partial<StartAsk> = {}, ...steps: Parameters<typeof planned>) =>
  after(asking({}, ask), admitted, toResearch, planned(...(steps.length > 0 ? steps : ['What is the mass of Mars?'])))

describe('research', () => {
  it('asks the question itself beside the written queries, as many as the policy says', async () => {
    const result = await (await handler())(workOn(researching(), 'research'))
    expect(result.outcome).toBe('found')
    expect(result.queries[0]).toBe('What is the mass of Mars?')
    expect(new Set(result.queries).size).toBe(3)
    expect(result.source).toBe('index')
    expect(idsOf(result)[0]).toBe('mars')
    expect(result).not.toHaveProperty('degraded')
  })

  it('reads the collections the router chose, and only documents the filters let through', async () => {
    const [chosen, filtered] = [researching(), researching({ filters: { kind: 'greta' } })]
    const index = await filled()
    await index.write('default', { id: 'elsewhere', collection: 'memory' }, [{ passage: { ...passageOf('mars'), id: 'elsewhere', collection: 'memory' }, vector: new Float32Array(512) }], never)
    const run = async (given: Given) => (await handler({ index }))(workOn(given, 'research'))
    expect(idsOf(await run(chosen))).toContain('mars')
    expect(idsOf(await run(chosen))).not.toContain('elsewhere')
    expect(idsOf(await run(filtered))).not.toContain('mars')
  })

  it('searches with a rewritten query, from what failed, and brings nothing that failed before', async () => {
    const given = after(researching(), found('1.1', ['ocean', 'other']), graded('1.1', { ocean: bad, other: bad }, 'incorrect'))
    const seen: string[][] = []
    const skills: typeof offlineSkills = {
      ...offlineSkills,
      rewriteQuery: (input, call) => {
        seen.push(input.triedQueries, input.failedPassages, [input.reason])
        return offlineSkills.rewriteQuery(input, call)
      },
    }
    const result = await (await handler({ skills }))(workOn(given, 'research', [passageOf('ocean'), passageOf('other')]))
    expect(seen).toEqual([['query 1.1'], [texts.ocean, texts.other], [expect.stringContaining('0 of 2')]])
    expect(result.queries).toHaveLength(1)
    expect(result.strategy).toBeDefined()
    expect(idsOf(result)).toContain('mars')
    expect(idsOf(result)).not.toContain('ocean')
  })

  it('says so when the reranker is down', async () => {
    const reranker = { name: 'down', rerank: () => Promise.reject(new Error('down')) }
    const result = await (await handler({ reranker }))(workOn(researching(), 'research'))
    expect(result.degraded).toEqual(['reranker'])
    expect(idsOf(result)[0]).toBe('mars')
  })

  it('finds nothing on the web, which it does not reach', async () => {
    const given = researching()
    const work = workOn(given, 'research')
    expect(await (await handler())({ ...work, task: { ...work.task, source: 'web' } })).toEqual({ outcome: 'nothing', source: 'web', queries: [], reason: 'web search is off' })
  })

  it.each<[string, Partial<StartAsk>, string]>([
    ['there is no collection', { collections: [] }, 'there is no collection to search'],
    ['the collection is empty', { tenant: 'nobody' }, 'the collection planets holds no passages yet'],
    ['no document passes the filters', { filters: { kind: 'comet' } }, 'no document in the collection planets matches the filters'],
  ])('says why it found nothing: %s', async (_, ask, reason) => {
    const given = researching(ask)
    const run = ask.collections ? { ...given.run, route: { ...given.run.route!, collections: [] } } : given.run
    expect(await (await handler())(workOn({ ...given, run }, 'research'))).toMatchObject({ outcome: 'nothing', reason })
  })
})

describe('research: a step that waits for another', () => {
  const bridge = (): Given => researching({}, 'Who founded Oceanic Films?', ['Where was #1 born?', 1])

  it('asks its question with the first answer in it', async () => {
    const given = after(bridge(), found('1.1', ['ocean']), graded('1.1', { ocean: good }))
    const result = await (await handler())(workOn(given, 'research', [passageOf('ocean')]))
    expect(result.resolved).toBe('Where was Greta Lindqvist born?')
    expect(result.queries[0]).toBe('Where was Greta Lindqvist born?')
    expect(idsOf(result)[0]).toBe('greta')
  })

  it('asks with the first question where that found no answer', async () => {
    const given = after(bridge(), nothing('1.1'), nothing('1.2'), nothing('1.3'), nothing('1.4'))
    const result = await (await handler())(workOn(given, 'research'))
    expect(result.resolved).toBe('Where was the answer to “Who founded Oceanic Films” born?')
  })

  it('keeps the filled-in question for its rewrites', async () => {
    const first = after(bridge(), found('1.1', ['ocean']), graded('1.1', { ocean: good }))
    const given = after(first, found('2.1', ['other'], { resolved: 'Where was Greta Lindqvist born?' }), graded('2.1', { other: bad }, 'incorrect'))
    const result = await (await handler())(workOn(given, 'research', [passageOf('other')]))
    expect(result.resolved).toBe('Where was Greta Lindqvist born?')
    expect(idsOf(result)[0]).toBe('greta')
  })
})
