import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { policies, policyByName, readPolicy, taskMap } from '@plumbline/flow'
import { parse } from 'yaml'
import { explore } from './reachable-states'
import { pages } from './pages'
import { descriptions } from './descriptions'

const docs = join(import.meta.dirname, '..', '..', 'docs')
const arrowsOf = (name: string) => explore(policyByName(name)!)

let written: Record<string, string>
const read = (name: string): string => readFileSync(join(docs, name), 'utf8')
beforeAll(async () => void (written = await pages(read)))

describe('the generated pages', () => {
  it('match the current core and table of commands; update them with `node tools/draw-flow/main.mjs`', () => {
    for (const [name, text] of Object.entries(written)) expect(read(name), name).toBe(text)
  })

  it('explore every task of the map under the standard policy', () => {
    const arrows = arrowsOf('standard')
    expect(new Set(arrows.map(({ from }) => from))).toEqual(new Set(Object.keys(taskMap)))
    expect(arrows).toContainEqual({ from: 'grade-evidence', says: 'all relevant', to: 'generate' })
    expect(arrows).toContainEqual({ from: 'grade-answer', says: 'unsupported', to: 'review' })
  })

  it('tell of every preset, and of no other', () => expect(Object.keys(descriptions)).toEqual(Object.keys(policies)))

  it('show an own policy that can be read as it stands', () => {
    const [, example = ''] = /```yaml\n([\s\S]*?)```/.exec(written['understand/policies.md'] ?? '') ?? []
    expect(readPolicy(parse(example), policies)).toMatchObject({ name: 'careful', minRelevant: 2, sensitiveSources: 3 })
  })
})
