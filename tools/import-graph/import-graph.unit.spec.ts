import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { circle, folderCircle, importGraph, importsAgainstLayers } from './import-graph'

const graph = importGraph(join(import.meta.dirname, '..', '..'))

describe('the import graph', () => {
  it('is not empty', () => {
    const arrows = [...graph.values()].flat().length
    expect(graph.size).toBeGreaterThan(50)
    expect(arrows).toBeGreaterThan(graph.size)
  })
  it('has no circle', () => expect(circle(graph)).toBeUndefined())
  it('has no arrow against the direction', () => expect(importsAgainstLayers(graph)).toEqual([]))

  it.each([
    'client',
    'contracts',
    'features',
    'flow',
    'ingestor',
    'knowledge',
    'platform',
    'ports',
    'skills',
    'stages',
  ])('has no circle of folders in libs/%s', (library) => expect(folderCircle(graph, `libs/${library}`)).toBeUndefined())

  it('finds a cycle of folders even if the files have no cycle', () => {
    const wrong = new Map([
      ['libs/flow/a/one.ts', ['libs/flow/b/two.ts']],
      ['libs/flow/b/two.ts', ['libs/flow/a/three.ts']],
      ['libs/flow/a/three.ts', []],
    ])
    expect(circle(wrong)).toBeUndefined()
    expect(folderCircle(wrong, 'libs/flow')).toEqual(['libs/flow/a', 'libs/flow/b', 'libs/flow/a'])
  })

  it('notices a circle and a wrong arrow', () => {
    const wrong = new Map([
      ['libs/flow/a.ts', ['libs/worker/b.ts']],
      ['libs/worker/b.ts', ['libs/flow/a.ts']],
    ])
    expect(circle(wrong)).toEqual(['libs/flow/a.ts', 'libs/worker/b.ts', 'libs/flow/a.ts'])
    expect(importsAgainstLayers(wrong)).toEqual(['libs/flow/a.ts → libs/worker/b.ts'])
  })
})
