import { lexicalEmbedder } from '@plumbline/adapters/offline'
import { admitted, after, asking, routed } from '@plumbline/flow/spec/given.spec'
import type { PassageIndex } from '@plumbline/ports/passage-index'
import { indexed } from '@plumbline/testing/indexed'
import { describe, expect, it } from 'vitest'
import { workOn } from '../work.spec'
import { filled, handler, idsOf, never, passageOf, researching } from './films.spec'

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
  const summary = async (title: string, question = `Summarise ${title}`) => {
    const toSumUp = routed({ outcome: 'summarise', logic: 'A summary.', collections: ['planets'], title })
    const given = after(asking({}, { question }), admitted, toSumUp)
    return (await handler({ index: await long() }))(workOn(given, 'research'))
  }

  it.each(['Handbook of moons', 'the moons handbook', 'the handbook'])(
    'brings passages from the whole of the document the router named: %s',
    async (title) => {
      const result = await summary(title)
      const ids = idsOf(result)
      expect(ids).toHaveLength(24)
      expect([ids[0], ids.at(-1)]).toEqual(['h0', 'h28'])
      expect(result.queries).toEqual([`Summarise ${title}`])
    },
  )

  it('searches as ever where no document has such a title', async () => {
    const result = await summary('the almanac', 'What is the mass of Mars?')
    expect(idsOf(result)[0]).toBe('mars')
    expect(result.queries).toEqual(['What is the mass of Mars?'])
  })

  it('searches as ever for a question that is to be researched', async () => {
    const given = researching({}, 'Summarise the handbook of moons')
    const result = await (await handler({ index: await long() }))(workOn(given, 'research'))
    expect(idsOf(result).length).toBeLessThan(24)
  })
})
