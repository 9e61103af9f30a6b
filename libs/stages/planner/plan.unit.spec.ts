import { describe, expect, it } from 'vitest'
import { admitted, after, asking } from '@plumbline/flow/spec/given.spec'
import { offlineSkills } from '@plumbline/skills/offline'
import { workOn } from '../work.spec'
import { plan } from './plan'

const planned = (question: string, maxSteps = 12) =>
  plan({ skills: offlineSkills })(workOn(after(asking({ entry: 'plan', maxSteps }, { question }), admitted), 'plan'))

describe('plan', () => {
  it('keeps a simple question as it is', async () =>
    expect(await planned('How heavy is Mars?')).toMatchObject({
      outcome: 'planned',
      steps: [{ question: 'How heavy is Mars?', waitsFor: null }],
    }))

  it('brings parallel steps and steps that wait', async () => {
    expect(await planned('Compare the mass of Mars and Venus.')).toMatchObject({
      steps: [{ waitsFor: null }, { waitsFor: null }],
    })
    expect(await planned('What is the mass of the planet with the most moons?')).toMatchObject({
      steps: [
        { question: 'Which planet has the most moons?', waitsFor: null },
        { question: 'What is the mass of #1?', waitsFor: 1 },
      ],
    })
  })

  it('never brings more steps than the policy allows', async () => {
    expect(await planned('What is Mars? What is Venus? What is Earth?', 2)).toMatchObject({
      steps: [{ waitsFor: null }, { waitsFor: null }],
    })
    const many = {
      plan: () =>
        Promise.resolve({
          logic: 'Many.',
          steps: Array.from({ length: 9 }, () => ({ question: 'Why?', waitsFor: null })),
        }),
    }
    const work = workOn(after(asking({ entry: 'plan', maxSteps: 3 }), admitted), 'plan')
    expect(await plan({ skills: many })(work)).toMatchObject({ steps: { length: 3 } })
  })
})
