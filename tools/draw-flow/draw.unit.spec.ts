import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { policies, taskMap } from '@plumbline/flow'
import { drawing } from './draw'
import { explore } from './explore'

describe('docs/flow.md', () => {
  it('is what the core does today; `node tools/draw-flow/main.mjs` draws it anew', () => {
    expect(readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'flow.md'), 'utf8')).toBe(drawing())
  })

  it('explores every task of the map under the standard policy', () => {
    const arrows = explore(policies['standard']!)
    expect(new Set(arrows.map(({ from }) => from))).toEqual(new Set(Object.keys(taskMap)))
    expect(arrows).toContainEqual({ from: 'grade-evidence', says: 'graded: good', to: 'generate' })
    expect(arrows).toContainEqual({ from: 'grade-answer', says: 'graded: unsupported', to: 'review' })
  })
})
