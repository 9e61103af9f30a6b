import { admitted, after, asking, routed } from '@plumbline/flow/spec/run-fixtures.spec'
import { offlineSkills } from '@plumbline/skills/offline'
import type { Plan } from '@plumbline/skills/skill/skill'
import { describe, expect, it } from 'vitest'
import { catalog, workOn } from '../work.spec'
import { plan } from './plan'

const planned = (question: string, maxSteps = 12) =>
  plan({ skills: offlineSkills, catalog })(
    workOn(after(asking({ entry: 'plan', maxSteps }, { question }), admitted), 'plan'),
  )

describe('plan', () => {
  it('keeps a simple question unchanged', async () =>
    expect(await planned('How heavy is Mars?')).toMatchObject({
      outcome: 'planned',
      steps: [{ question: 'How heavy is Mars?', waitsFor: null }],
    }))

  it('brings parallel steps for whole questions', async () =>
    expect(await planned('How heavy is Mars and how many moons has Venus?')).toMatchObject({
      steps: [
        { question: 'How heavy is Mars', waitsFor: null },
        { question: 'how many moons has Venus?', waitsFor: null },
      ],
    }))

  it('shows the planner the standalone question, the collections the router chose, and how much is wanted', async () => {
    const seen: unknown[] = []
    const step = { question: 'How heavy is Mars?', waitsFor: null, queries: ['Mars kg'] }
    const hearing: Plan = (input) => {
      seen.push(input)
      return Promise.resolve({ logic: 'One.', steps: [step] })
    }
    const standalone = { question: 'How heavy is Mars?', collections: ['planets'] }
    const toResearch = routed({ outcome: 'research', logic: 'About planets.', ...standalone })
    const given = after(asking({ maxSteps: 5, queriesPerStep: 3 }, { question: 'And Mars?' }), admitted, toResearch)
    const result = await plan({ skills: { plan: hearing }, catalog })(workOn(given, 'plan'))
    expect(seen).toEqual([
      {
        question: 'How heavy is Mars?',
        collections: [expect.objectContaining({ name: 'planets', description: expect.stringContaining('solar') })],
        maxSteps: 5,
        queries: 3,
        lookups: [],
      },
    ])
    expect(result).toEqual({ outcome: 'planned', logic: 'One.', steps: [step] })
  })

  it('shows the planner the lookups that the router chose, or all of the run if there was no router', async () => {
    const lookup = (name: string, tenants = ['default']) => ({
      ...{ name, description: name, params: [], tenants, collections: ['planets'] },
    })
    const lookups = [lookup('moons'), lookup('orbits'), lookup('secrets', ['other'])]
    const shown = async (...given: Parameters<typeof after>[1][]): Promise<string[] | undefined> => {
      let names: string[] | undefined
      const hearing: Plan = (input) => {
        names = input.lookups?.map(({ name }) => name)
        return Promise.resolve({ logic: 'One.', steps: [{ question: 'Why?', waitsFor: null }] })
      }
      const entry = given.length > 1 ? 'route' : 'plan'
      const asked = asking({ entry, plan: 'always' }, { collections: ['planets'] })
      await plan({ skills: { plan: hearing }, catalog, lookups })(workOn(after(asked, ...given), 'plan'))
      return names
    }
    const routedTo = (chosen: string[]) =>
      routed({ outcome: 'research', logic: 'So.', collections: ['planets'], lookups: chosen })
    expect(await shown(admitted)).toEqual(['moons', 'orbits'])
    expect(await shown(admitted, routedTo(['moons', 'secrets']))).toEqual(['moons'])
    expect(await shown(admitted, routedTo([]))).toEqual([])
  })

  it('never brings more steps than the policy allows', async () => {
    const steps = Array.from({ length: 9 }, () => ({ question: 'Why?', waitsFor: null }))
    const many: Plan = () => Promise.resolve({ logic: 'Many.', steps })
    const work = workOn(after(asking({ entry: 'plan', maxSteps: 3 }), admitted), 'plan')
    expect(await plan({ skills: { plan: many }, catalog })(work)).toMatchObject({ steps: { length: 3 } })
  })
})
