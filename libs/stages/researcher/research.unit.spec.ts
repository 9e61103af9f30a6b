import { lexicalEmbedder } from '@plumbline/adapters/offline'
import type { Evidence } from '@plumbline/contracts'
import type { StartAsk } from '@plumbline/flow'
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
  toResearch,
  ungrounded,
  type Given,
} from '@plumbline/flow/spec/given.spec'
import { memoryPassageIndex, type PassageIndex } from '@plumbline/ports/passage-index'
import { offlineSkills } from '@plumbline/skills/offline'
import { describe, expect, it } from 'vitest'
import type { Lookup } from '@plumbline/ports/lookup'
import type { WebSearch } from '@plumbline/ports/web-search'
import { indexed } from '@plumbline/testing/indexed'
import { workOn } from '../work.spec'
import { research } from './research'

const never = new AbortController().signal
const texts: Record<string, string> = {
  ocean: 'Oceanic Films was founded by Greta Lindqvist in 1987.',
  greta: 'Greta Lindqvist was born in Tromsø and studied law.',
  other: 'Pacific Films was founded in Lima and made forty films.',
  mars: 'Mars has a mass of 0.642 × 10^24 kg and two moons.',
}
const passageOf = (id: string): Evidence => ({
  id,
  documentId: id,
  collection: 'planets',
  title: id,
  text: texts[id] ?? '',
  headingPath: [],
  position: 0,
  scores: {},
})

const filled = async (): Promise<PassageIndex> => {
  const index = memoryPassageIndex()
  for (const id of Object.keys(texts)) {
    const passage = passageOf(id)
    const [vector] = await lexicalEmbedder.embed([passage.text], never)
    await index.write(
      'default',
      indexed(id, 'planets', lexicalEmbedder, { metadata: { kind: id } }),
      [{ passage, vector: vector! }],
      never,
    )
  }
  return index
}
const handler = async (ports: Partial<Parameters<typeof research>[0]> = {}) =>
  research({
    skills: offlineSkills,
    index: await filled(),
    embedder: lexicalEmbedder,
    reranker: null,
    ...ports,
  })
const idsOf = (result: Awaited<ReturnType<ReturnType<typeof research>>>): string[] =>
  result.outcome === 'found' ? result.passages.map(({ id }) => id) : []
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
    await index.write(
      'default',
      indexed('elsewhere', 'memory', lexicalEmbedder),
      [{ passage: { ...passageOf('mars'), id: 'elsewhere', collection: 'memory' }, vector: new Float32Array(512) }],
      never,
    )
    const run = async (given: Given) => (await handler({ index }))(workOn(given, 'research'))
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
    const seen: string[][] = []
    const skills: typeof offlineSkills = {
      ...offlineSkills,
      rewriteQuery: (input, call) => {
        seen.push(input.triedQueries, input.failedPassages, [input.reason])
        return offlineSkills.rewriteQuery(input, call)
      },
    }
    const result = await (
      await handler({ skills })
    )(workOn(given, 'research', [passageOf('ocean'), passageOf('other')]))
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
      'the collection planets holds no passages yet',
      'Nothing in the collection planets can be read: no document is there yet, or none that is open to whoever asks.',
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
    const given = after(
      first,
      found('2.1', ['other'], { resolved: 'Where was Greta Lindqvist born?' }),
      graded('2.1', { other: bad }, 'incorrect'),
    )
    const result = await (await handler())(workOn(given, 'research', [passageOf('other')]))
    expect(result.resolved).toBe('Where was Greta Lindqvist born?')
    expect(idsOf(result)[0]).toBe('greta')
  })
})

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
    passages: Evidence[] = [],
  ) => {
    const given = after(
      asking({ webResults: 2, ...policy }),
      admitted,
      toResearch,
      planned('What is the mass of Mars?'),
      found('1.1', ['ocean']),
      graded('1.1', { ocean: bad }, 'incorrect'),
    )
    const work = workOn(given, 'research', passages)
    return (await handler({ web: searching(search) }))({ ...work, task: { ...work.task, source: 'web' } })
  }

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

  it('asks with a rewritten query where the policy says so', async () => {
    const asked: string[] = []
    const result = await onWeb(
      (query) => {
        asked.push(query)
        return Promise.resolve([page(1)])
      },
      { webQuery: 'rewritten' },
      [passageOf('ocean')],
    )
    expect(asked).toEqual(result.queries)
    expect(asked).toHaveLength(1)
    expect(asked[0]).not.toBe('What is the mass of Mars?')
    expect(result.strategy).toEqual(expect.any(String))
  })

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
  ])('goes on with nothing where the search %s', async (_, search, reason) =>
    expect(await onWeb(search)).toMatchObject({ outcome: 'nothing', source: 'web', degraded: ['web'], reason }),
  )

  it('says so where no page was found', async () =>
    expect(await onWeb(() => Promise.resolve([]))).toMatchObject({ outcome: 'nothing', reason: 'spec found no page' }))
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

  it('never searches with a near-copy of an earlier query', async () => {
    const given = after(researching(), found('1.1', ['ocean']), graded('1.1', { ocean: bad }, 'incorrect'))
    const skills: typeof offlineSkills = {
      ...offlineSkills,
      rewriteQuery: () =>
        Promise.resolve({ query: 'what is the mass of mars', strategy: 'narrow-focus', reason: 'I say so.' }),
    }
    const result = await (await handler({ skills }))(workOn(given, 'research', [passageOf('ocean')]))
    expect(result.queries).toHaveLength(1)
    expect(result.queries[0]).not.toMatch(/what is the mass of mars/i)
    expect(result.reason).not.toBe('I say so.')
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

describe('research: lookups beside the documents', () => {
  const moons = (more: Partial<Lookup> = {}): Lookup => ({
    name: 'moons-of-planets',
    description: 'The moons of a planet.',
    tenants: ['default'],
    collections: ['planets'],
    params: [{ name: 'planet', description: 'The planet.', values: ['Mars', 'Venus'] }],
    look: ({ planet = '' }) =>
      Promise.resolve({ kind: 'rows', columns: ['moon', 'of'], rows: [['Phobos | one', planet]], cut: false }),
    ...more,
  })
  const asked = 'Which moons does Mars have?'
  const look = async (lookups: Lookup[], ask: Partial<StartAsk> = {}) =>
    (await handler({ lookups }))(workOn(researching(ask, asked), 'research'))
  const told = (result: Awaited<ReturnType<typeof look>>): string[] =>
    (result.outcome === 'found' ? result.passages : [])
      .filter(({ documentId }) => documentId === 'lookup:moons-of-planets')
      .map(({ text }) => text)

  it('brings what a lookup says as a table under its caption, beside what was retrieved', async () => {
    const result = await look([moons()])
    expect(told(result)).toEqual([
      'Table: The moons of a planet (planet Mars)\n\n| moon | of |\n| --- | --- |\n| Phobos \\| one | Mars |',
    ])
    expect(idsOf(result)).toContain('mars')
    expect(idsOf(await look([moons()]))).toEqual(idsOf(result))
  })

  it.each<[string, Lookup, Partial<StartAsk>]>([
    ['another tenant has it', moons({ tenants: ['other'] }), {}],
    ['it belongs to another collection', moons({ collections: ['memory'] }), {}],
    ['the question does not fill it', moons({ params: [{ name: 'planet', description: 'x', values: ['Venus'] }] }), {}],
    [
      'it finds nothing',
      moons({ look: () => Promise.resolve({ kind: 'rows', columns: ['moon'], rows: [], cut: false }) }),
      {},
    ],
    ['the run is held to some documents', moons(), { filters: { kind: 'mars' } }],
  ])('brings nothing where %s', async (_, lookup, ask) => {
    const result = await look([lookup], ask)
    expect(told(result)).toEqual([])
    expect(result).not.toHaveProperty('degraded')
  })

  it('goes on without a lookup that fails, and names it', async () => {
    const result = await look([moons({ look: () => Promise.reject(new Error('down')) })])
    expect(result.degraded).toEqual(['lookup:moons-of-planets'])
    expect(idsOf(result)).toContain('mars')
  })
})

describe('research by a lookup that a rule of the operator names', () => {
  const lookup = (name: string, rows: string[][]): Lookup => ({
    name,
    description: 'The moons of a planet.',
    tenants: ['default'],
    collections: ['planets'],
    params: [{ name: 'planet', description: 'The planet.', values: ['Mars'] }],
    look: () => Promise.resolve({ kind: 'rows', columns: ['moon'], rows, cut: false }),
  })
  const lookups = [lookup('moons', [['Phobos']]), lookup('none', []), lookup('others', [['Io']])]
  const look = async (name: string) => {
    const { run, ...rest } = researching({}, 'Which moons does Mars have?')
    const result = await (await handler({ lookups }))(workOn({ ...rest, run: { ...run, lookup: name } }, 'research'))
    return { result, from: (result.outcome === 'found' ? result.passages : []).map(({ documentId }) => documentId) }
  }

  it('asks it alone where it answers', async () => expect((await look('moons')).from).toEqual(['lookup:moons']))

  it('searches the documents, and asks no other lookup, where it says nothing', async () => {
    const { from } = await look('none')
    expect(from).toContain('mars')
    expect(from.filter((id) => id.startsWith('lookup:'))).toEqual([])
  })

  it('names one that is not there, and searches the documents', async () => {
    const { result, from } = await look('no-such')
    expect(result.degraded).toEqual(['lookup:no-such'])
    expect(from).toContain('mars')
  })
})

describe('research for a summary', () => {
  const long = async (): Promise<PassageIndex> => {
    const index = await filled()
    const passages = Array.from({ length: 30 }, (_, position) => ({
      passage: {
        ...passageOf('mars'),
        id: `h${position}`,
        documentId: 'handbook',
        title: 'Handbook of moons',
        text: `Part ${position} of the handbook.`,
        position,
      },
      vector: new Float32Array(512),
    }))
    await index.write('default', indexed('handbook', 'planets', lexicalEmbedder), passages, never)
    return index
  }
  const summary = async (question: string) =>
    (await handler({ index: await long() }))(workOn(researching({}, question), 'research'))

  it('brings passages from the whole of the document that is named', async () => {
    const result = await summary('Summarise the handbook of moons')
    const ids = idsOf(result)
    expect(ids).toHaveLength(24)
    expect([ids[0], ids.at(-1)]).toEqual(['h0', 'h28'])
    expect(result.queries).toEqual(['Summarise the handbook of moons'])
  })

  it.each([
    ['Summarise the handbook of comets', ['h0', 'h1', 'h2', 'h3']],
    ['What is the mass of Mars?', ['mars']],
  ])('searches as ever for “%s”', async (question, ids) => expect(idsOf(await summary(question))).toEqual(ids))
})
