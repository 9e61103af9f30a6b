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
      },
    ])
    expect(result).toEqual({ outcome: 'planned', logic: 'One.', steps: [step] })
  })

  it('never brings more steps than the policy allows', async () => {
    const steps = Array.from({ length: 9 }, () => ({ question: 'Why?', waitsFor: null }))
    const many: Plan = () => Promise.resolve({ logic: 'Many.', steps })
    const work = workOn(after(asking({ entry: 'plan', maxSteps: 3 }), admitted), 'plan')
    expect(await plan({ skills: { plan: many }, catalog })(work)).toMatchObject({ steps: { length: 3 } })
  })
})
