import { admitted, after, asking } from '@plumbline/flow/spec/run-fixtures.spec'
import { offlineSkills } from '@plumbline/skills/offline'
import type { Route } from '@plumbline/skills/skill/skill'
import { describe, expect, it } from 'vitest'
import { catalog, workOn } from '../work.spec'
import { route } from './route'

describe('route to lookups', () => {
  const lookup = (name: string, more: { tenants?: string[]; collections?: string[] } = {}) => ({
    ...{ name, description: `About ${name}.`, params: [], tenants: ['default'], collections: ['planets'], ...more },
  })
  const lookups = [
    lookup('moons'),
    lookup('orbits', { collections: ['memory', 'secrets'] }),
    lookup('theirs', { tenants: ['other'] }),
    lookup('hidden', { collections: ['secrets'] }),
  ]
  const routing = (filters?: Record<string, string>) =>
    workOn(after(asking({}, { collections: ['planets', 'memory'], ...(filters && { filters }) }), admitted), 'route')
  const routedBy = async (chosen: string[], work = routing()) => {
    let shown: string[] = []
    const choosing: Route = (input) => {
      shown = input.lookups?.map(({ name }) => name) ?? []
      return Promise.resolve({ to: 'research', logic: 'So.', collections: ['planets'], lookups: chosen })
    }
    const result = await route({ skills: { ...offlineSkills, route: choosing }, catalog, lookups })(work)
    return { shown, result }
  }

  it('shows the router only the lookups that the run may use, and none beside filters', async () => {
    expect((await routedBy([])).shown).toEqual(['moons', 'orbits'])
    expect((await routedBy([], routing({ kind: 'x' }))).shown).toEqual([])
  })

  it('hands on the chosen lookups, and searches their collections that the asker may read', async () => {
    expect((await routedBy([])).result).toMatchObject({ collections: ['planets'], lookups: [] })
    expect((await routedBy(['orbits'])).result).toMatchObject({
      outcome: 'research',
      collections: ['planets', 'memory'],
      lookups: ['orbits'],
    })
  })
})
