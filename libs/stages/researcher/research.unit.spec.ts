import { lexicalEmbedder } from '@plumbline/adapters/offline/lexical-embedder'
import type { StartAsk } from '@plumbline/flow'
import type { RunState } from '@plumbline/flow/spec/run-fixtures.spec'
import {
  admitted,
  after,
  asking,
  bad,
  checking,
  found,
  good,
  graded,
  nothing,
  planned,
  routed,
  toResearch,
  ungrounded,
} from '@plumbline/flow/spec/run-fixtures.spec'
import { offlineSkills } from '@plumbline/skills/offline'
import { indexed } from '@plumbline/testing/indexed'
import { describe, expect, it } from 'vitest'
import { workOn } from '../work.spec'
import { filled, handler, idsOf, never, passageOf, researching, texts } from './research-fixtures.spec'

describe('research', () => {
  it('searches with the question and, on the first try, with the queries that were planned for it', async () => {
    const step = { question: 'What is the mass of Mars?', waitsFor: null, queries: ['Mars kg', 'weight of Mars'] }
    const plan = {
      taskId: 'plan' as const,
      kind: 'plan' as const,
      result: { outcome: 'planned' as const, logic: 'One.', steps: [step] },
    }
    const result = await (await handler())(workOn(after(asking(), admitted, toResearch, plan), 'research'))
    expect(result).toMatchObject({ outcome: 'found', source: 'index', queries: [step.question, ...step.queries] })
    expect(idsOf(result)[0]).toBe('mars')
    expect(result).not.toHaveProperty('degraded')
    expect((await (await handler())(workOn(researching(), 'research'))).queries).toEqual(['What is the mass of Mars?'])
  })

  it('searches with the queries the router wrote for a simple question', async () => {
    const simple = routed({
      outcome: 'research',
      logic: 'Simple.',
      collections: ['planets'],
      simple: true,
      queries: ['Mars kg'],
    })
    const given = after(asking({}, { question: 'How heavy is Mars?' }), admitted, simple)
    expect((await (await handler())(workOn(given, 'research'))).queries).toEqual(['How heavy is Mars?', 'Mars kg'])
  })

  it('reads the collections the router chose, and only documents the filters let through', async () => {
    const [chosen, filtered] = [researching(), researching({ filters: { kind: 'greta' } })]
    const index = await filled()
    await index.write(
      'default',
      indexed('elsewhere', 'memory', lexicalEmbedder),
      [{ passage: { ...passageOf('mars'), id: 'elsewhere', collection: 'memory' }, vector: new Float32Array(512) }],
      never,
    )
    const run = async (given: RunState) => (await handler({ index }))(workOn(given, 'research'))
    expect(idsOf(await run(chosen))).toEqual(['mars'])
    expect(idsOf(await run(filtered))).toEqual([])
    expect(idsOf(await run(researching({ filters: { kind: 'mars' } })))).toEqual(['mars'])
  })

  it('searches with a rewritten query, from what failed, and brings nothing that failed before', async () => {
    const given = after(
      researching(),
      found('1.1', ['ocean', 'other']),
      graded('1.1', { ocean: bad, other: bad }, 'incorrect'),
    )
    const seen: unknown[] = []
    const skills: typeof offlineSkills = {
      ...offlineSkills,
      rewriteQuery: (input) => {
        seen.push(input)
        return Promise.resolve({ query: 'mass of Mars', strategy: 'narrow-focus', reason: 'The words alone.' })
      },
    }
    const result = await (
      await handler({ skills })
    )(workOn(given, 'research', [passageOf('ocean'), passageOf('other')]))
    const { level, reason } = bad
    expect(seen).toEqual([
      {
        question: 'What is the mass of Mars?',
        triedQueries: ['query 1.1'],
        failedPassages: ['ocean', 'other'].map((id) => ({ text: texts[id], title: id, level, reason })),
        reason: expect.stringContaining('0 of 2'),
      },
    ])
    expect(result).toMatchObject({ queries: ['mass of Mars'], strategy: 'narrow-focus', reason: 'The words alone.' })
    expect(idsOf(result)).toContain('mars')
    expect(idsOf(result)).not.toContain('ocean')
  })

  it('searches for nothing where no other query can be written', async () => {
    const given = after(researching(), found('1.1', ['ocean']), graded('1.1', { ocean: bad }, 'incorrect'))
    const skills = { ...offlineSkills, rewriteQuery: () => Promise.resolve(null) }
    expect(await (await handler({ skills }))(workOn(given, 'research', [passageOf('ocean')]))).toEqual({
      outcome: 'nothing',
      source: 'index',
      queries: [],
      reason: 'no other query could be written',
    })
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
    expect(await (await handler())({ ...work, task: { ...work.task, source: 'web' } })).toEqual({
      outcome: 'nothing',
      source: 'web',
      queries: [],
      reason: 'web search is off',
    })
  })

  it.each<[string, Partial<StartAsk>, string, string]>([
    [
      'there is no collection',
      { collections: [] },
      'there is no collection to search',
      'There is no collection to search.',
    ],
    [
      'the collection is empty',
      { tenant: 'nobody' },
      'the collection planets contains no passages yet',
      'No document in the collection planets is readable: there are no documents yet, or the asker may read none of them.',
    ],
    [
      'no document passes the filters',
      { filters: { kind: 'comet' } },
      'no document in the collection planets matches the filters',
      'No document in the collection planets matches the filters.',
    ],
  ])('says why it found nothing: %s', async (_, ask, reason, note) => {
    const given = researching(ask)
    const run = ask.collections ? { ...given.run, route: { ...given.run.route!, collections: [] } } : given.run
    expect(await (await handler())(workOn({ ...given, run }, 'research'))).toMatchObject({
      outcome: 'nothing',
      reason,
      note,
    })
  })
})

describe('research: what the policy says of it', () => {
  it('keeps the best of each query, as many as the policy says', async () => {
    const few = after(
      asking({ queriesPerStep: 0, perQuery: 1, atLeast: 0 }),
      admitted,
      toResearch,
      planned('Which films were founded?'),
    )
    const more = after(
      asking({ queriesPerStep: 0, perQuery: 2, atLeast: 0 }),
      admitted,
      toResearch,
      planned('Which films were founded?'),
    )
    expect(idsOf(await (await handler())(workOn(few, 'research')))).toHaveLength(1)
    expect(idsOf(await (await handler())(workOn(more, 'research')))).toHaveLength(2)
  })

  it('joins the neighbours of a found passage where the policy says so', async () => {
    const index = await filled()
    const [first, next] = ['mars', 'greta'].map((id, position) => ({ ...passageOf(id), documentId: 'both', position }))
    const written = [first!, next!].map((passage) => ({ passage, vector: new Float32Array(1).fill(1) }))
    await index.write('default', indexed('both', 'planets', lexicalEmbedder, {}), written, never)
    const found = async (neighbours: number) => {
      const run = after(
        asking({ queriesPerStep: 0, perQuery: 1, atLeast: 0, neighbours }),
        admitted,
        toResearch,
        planned('What is the mass of Mars?'),
      )
      const result = await (await handler({ index }))(workOn(run, 'research'))
      return result.outcome === 'found' && result.passages.some(({ text }) => text.includes(texts['greta']!))
    }
    expect([await found(0), await found(1)]).toEqual([false, true])
  })

  it('rewrites for what a claim lacks', async () => {
    const reasons: string[] = []
    const skills: typeof offlineSkills = {
      ...offlineSkills,
      rewriteQuery: (input, call) => {
        reasons.push(input.reason)
        return offlineSkills.rewriteQuery(input, call)
      },
    }
    const given = after(checking({ whenUngrounded: 'augment', maxAugments: 1 }), ungrounded(1))
    await (
      await handler({ skills })
    )(workOn(given, 'research'))
    expect(reasons).toEqual([expect.stringContaining('Not supported: ')])
  })
})

describe('research: a step that waits for another', () => {
  const bridge = (): RunState => researching({}, 'Who founded Oceanic Films?', ['Where was #1 born?', 1])

  const answering = (found: string | null, seen: unknown[] = []): typeof offlineSkills => ({
    ...offlineSkills,
    shortAnswer: ({ question, evidence }) => {
      seen.push([question, evidence.map(({ id }) => id)])
      return Promise.resolve(found)
    },
  })
  const first = after(bridge(), found('1.1', ['ocean']), graded('1.1', { ocean: good }))

  it('asks its question with what the first step found in it', async () => {
    const seen: unknown[] = []
    const result = await (
      await handler({ skills: answering('Greta Lindqvist', seen) })
    )(workOn(first, 'research', [passageOf('ocean')]))
    expect(seen).toEqual([['Who founded Oceanic Films?', ['ocean']]])
    expect(result.resolved).toBe('Where was Greta Lindqvist born?')
    expect(result.queries[0]).toBe('Where was Greta Lindqvist born?')
    expect(idsOf(result)[0]).toBe('greta')
  })

  it('asks with the first question where nothing short tells it, or nothing was found', async () => {
    const filledIn = 'Where was (Who founded Oceanic Films?) born?'
    const unsure = await (await handler({ skills: answering(null) }))(workOn(first, 'research', [passageOf('ocean')]))
    expect(unsure.resolved).toBe(filledIn)
    const seen: unknown[] = []
    const missed = after(bridge(), nothing('1.1'), nothing('1.2'), nothing('1.3'), nothing('1.4'))
    const result = await (await handler({ skills: answering('Ann', seen) }))(workOn(missed, 'research'))
    expect(result.resolved).toBe(filledIn)
    expect(seen).toEqual([])
  })

  it('keeps the filled-in question for its rewrites', async () => {
    const resolved = 'Where was Greta Lindqvist born?'
    const given = after(first, found('2.1', ['other'], { resolved }), graded('2.1', { other: bad }, 'incorrect'))
    const asked: string[] = []
    const skills: typeof offlineSkills = {
      ...answering('Somebody else'),
      rewriteQuery: ({ question }) => {
        asked.push(question)
        return Promise.resolve({ query: 'Greta Lindqvist', strategy: 'narrow-focus', reason: 'Her name alone.' })
      },
    }
    const result = await (await handler({ skills }))(workOn(given, 'research', [passageOf('other')]))
    expect([result.resolved, asked]).toEqual([resolved, [resolved]])
    expect(idsOf(result)[0]).toBe('greta')
  })
})
