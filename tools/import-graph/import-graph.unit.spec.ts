import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { againstTheDirection, circle, importGraph } from './import-graph'

const graph = importGraph(join(import.meta.dirname, '..', '..'))

describe('the import graph', () => {
  it('is not empty', () => {
    const arrows = [...graph.values()].flat().length
    expect(graph.size).toBeGreaterThan(50)
    expect(arrows).toBeGreaterThan(graph.size)
  })
  it('has no circle', () => expect(circle(graph)).toBeUndefined())
  it('has no arrow against the direction', () => expect(againstTheDirection(graph)).toEqual([]))

  it('notices a circle and a wrong arrow', () => {
    const wrong = new Map([
      ['libs/flow/a.ts', ['libs/worker/b.ts']],
      ['libs/worker/b.ts', ['libs/flow/a.ts']],
    ])
    expect(circle(wrong)).toEqual(['libs/flow/a.ts', 'libs/worker/b.ts', 'libs/flow/a.ts'])
    expect(againstTheDirection(wrong)).toEqual(['libs/flow/a.ts → libs/worker/b.ts'])
  })
})
