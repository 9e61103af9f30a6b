import { lexicalEmbedder } from '@plumbline/adapters/offline/lexical-embedder'
import type { Evidence } from '@plumbline/contracts'
import { admitted, after, asking, openTask, passage, routed } from '@plumbline/flow/spec/run-fixtures.spec'
import { memoryPassageIndex } from '@plumbline/ports/passage-index/memory-passage-index'
import type { IndexedDocument, PassageIndex } from '@plumbline/ports/passage-index/passage-index'
import { offlineSkills } from '@plumbline/skills/offline'
import { indexed } from '@plumbline/testing/indexed'
import { describe, expect, it } from 'vitest'
import { workOn } from '../work.spec'
import { research } from './research'
import { never } from './research-fixtures.spec'

const inThread = {
  runId: 'r0',
  status: 'answered' as const,
  question: 'How heavy is Mars?',
  text: '0.642 × 10^24 kg.',
  passageIds: ['p1', 'p2'],
}
const goingOn = after(
  asking({ routing: 'retrieve-or-not', plan: 'never' }, { question: 'And in Earths?', inThread }),
  admitted,
  routed({ outcome: 'continue', logic: 'The last answer’s passages hold it.' }),
)
const ports = {
  skills: offlineSkills,
  index: memoryPassageIndex(),
  embedder: lexicalEmbedder,
  reranker: null,
}

const inCollection = 'planets'
const indexHolding = async (...documents: Partial<IndexedDocument>[]): Promise<PassageIndex> => {
  const index = memoryPassageIndex()
  const [vector] = await lexicalEmbedder.embed(['text'], never)
  for (const [at, more] of documents.entries()) {
    const own = passage(`p${at + 1}`)
    const document = indexed(own.documentId, more.collection ?? inCollection, lexicalEmbedder, more)
    await index.write('default', document, [{ passage: own, vector: vector! }], never)
  }
  return index
}
const earlier = { evidence: (_runId: string, ids: string[]) => Promise.resolve(ids.map(passage)) }

describe('research that continues its thread', () => {
  it('reuses the passages of the thread’s last run that this asker would still find', async () => {
    const asked: unknown[] = []
    const evidence = (runId: string, ids: string[]): Promise<Evidence[]> => {
      asked.push([runId, ids])
      return Promise.resolve(ids.map(passage))
    }
    expect(openTask(goingOn, 'research')).toMatchObject({ passageIds: ['p1', 'p2'] })
    const index = await indexHolding({}, {})
    const result = await research({ ...ports, index, earlier: { evidence } })(workOn(goingOn, 'research'))
    expect(result).toEqual({ outcome: 'found', source: 'index', queries: [], passages: [passage('p1'), passage('p2')] })
    expect(asked).toEqual([['r0', ['p1', 'p2']]])
  })

  it.each<[string, Partial<IndexedDocument>[]]>([
    ['was removed', [{}]],
    ['is now for others', [{}, { access: ['board'] }]],
    ['moved to a collection that the run may not read', [{}, { collection: 'salaries' }]],
  ])('leaves out a passage whose document %s', async (_, documents) => {
    const index = await indexHolding(...documents)
    const result = await research({ ...ports, index, earlier })(workOn(goingOn, 'research'))
    expect(result).toMatchObject({ outcome: 'found', queries: [], passages: [{ id: 'p1' }] })
  })

  it('leaves out a passage whose document changed, and that of another tenant', async () => {
    const index = await indexHolding({ version: '2' })
    const changed = { evidence: () => Promise.resolve([{ ...passage('p1'), version: '1' }]) }
    const result = await research({ ...ports, index, earlier: changed })(workOn(goingOn, 'research'))
    expect(result.queries).not.toEqual([])
    const elsewhere = { ...goingOn, run: { ...goingOn.run, tenant: 'other' } }
    const theirs = await research({ ...ports, index: await indexHolding({}, {}), earlier })(
      workOn(elsewhere, 'research'),
    )
    expect(theirs).toMatchObject({ outcome: 'nothing', queries: ['And in Earths?'] })
  })

  it('searches the documents if none of the passages may be reused', async () => {
    const result = await research({ ...ports, earlier })(workOn(goingOn, 'research'))
    expect(result).toMatchObject({ outcome: 'nothing', queries: ['And in Earths?'] })
  })

  it('reuses pages of the web while the run may search the web', async () => {
    const page = { ...passage('w1'), documentId: 'web-1', collection: 'web', fetchedAt: '2026-01-01T00:00:00.000Z' }
    const web = { evidence: () => Promise.resolve([page]) }
    const on = { ...goingOn, run: { ...goingOn.run, webOn: true } }
    expect(await research({ ...ports, earlier: web })(workOn(on, 'research'))).toMatchObject({ passages: [page] })
    expect(await research({ ...ports, earlier: web })(workOn(goingOn, 'research'))).toMatchObject({
      outcome: 'nothing',
    })
  })

  it('searches the documents where that run is gone', async () => {
    const result = await research({ ...ports, earlier: { evidence: () => Promise.resolve([]) } })(
      workOn(goingOn, 'research'),
    )
    expect(result).toMatchObject({ outcome: 'nothing' })
    expect(result.queries[0]).toBe('And in Earths?')
    expect(await research(ports)(workOn(goingOn, 'research'))).toMatchObject({ outcome: 'nothing' })
  })
})
