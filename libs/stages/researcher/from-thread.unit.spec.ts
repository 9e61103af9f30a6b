import { lexicalEmbedder } from '@plumbline/adapters/offline'
import type { Evidence } from '@plumbline/contracts'
import { admitted, after, asking, openTask, passage, routed } from '@plumbline/flow/spec/given.spec'
import { memoryPassageIndex } from '@plumbline/ports/passage-index'
import { offlineSkills } from '@plumbline/skills/offline'
import { describe, expect, it } from 'vitest'
import { workOn } from '../work.spec'
import { research } from './research'

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

describe('research that goes on with its thread', () => {
  it('takes the passages of the thread’s last run as they are', async () => {
    const asked: unknown[] = []
    const evidence = (runId: string, ids: string[]): Promise<Evidence[]> => {
      asked.push([runId, ids])
      return Promise.resolve(ids.map(passage))
    }
    expect(openTask(goingOn, 'research')).toMatchObject({ passageIds: ['p1', 'p2'] })
    const result = await research({ ...ports, earlier: { evidence } })(workOn(goingOn, 'research'))
    expect(result).toEqual({ outcome: 'found', source: 'index', queries: [], passages: [passage('p1'), passage('p2')] })
    expect(asked).toEqual([['r0', ['p1', 'p2']]])
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
