import { lexicalEmbedder } from '@plumbline/adapters/offline/lexical-embedder'
import type { Evidence } from '@plumbline/contracts'
import type { StartAsk } from '@plumbline/flow'
import { admitted, after, asking, planned, toResearch } from '@plumbline/flow/spec/run-fixtures.spec'
import { memoryPassageIndex } from '@plumbline/ports/passage-index/memory-passage-index'
import type { PassageIndex } from '@plumbline/ports/passage-index/passage-index'
import { offlineSkills } from '@plumbline/skills/offline'
import { indexed } from '@plumbline/testing/indexed'
import { research } from './research'

export const never = new AbortController().signal
export const texts: Record<string, string> = {
  ocean: 'Oceanic Films was founded by Greta Lindqvist in 1987.',
  greta: 'Greta Lindqvist was born in Tromsø and studied law.',
  other: 'Pacific Films was founded in Lima and made forty films.',
  mars: 'Mars has a mass of 0.642 × 10^24 kg and two moons.',
}
export const passageOf = (id: string): Evidence => ({
  id,
  documentId: id,
  collection: 'planets',
  title: id,
  text: texts[id] ?? '',
  headingPath: [],
  position: 0,
  scores: {},
})

export const filled = async (): Promise<PassageIndex> => {
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
export const handler = async (ports: Partial<Parameters<typeof research>[0]> = {}) =>
  research({
    skills: offlineSkills,
    index: await filled(),
    embedder: lexicalEmbedder,
    reranker: null,
    ...ports,
  })
export const idsOf = (result: Awaited<ReturnType<ReturnType<typeof research>>>): string[] =>
  result.outcome === 'found' ? result.passages.map(({ id }) => id) : []
export const researching = (ask: Partial<StartAsk> = {}, ...steps: Parameters<typeof planned>) =>
  after(asking({}, ask), admitted, toResearch, planned(...(steps.length > 0 ? steps : ['What is the mass of Mars?'])))
