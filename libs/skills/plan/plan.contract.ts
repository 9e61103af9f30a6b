import { PlannedStep } from '@plumbline/contracts'
import { describe, expect, it } from 'vitest'
import type { Call, Plan } from '../skill/skill'

const call: Call = { signal: new AbortController().signal, tier: 'strong', temperature: 0 }
const collections = [{ name: 'cities', description: 'Cities of Norway: population, area and climate.' }]

export const planContract = (label: string, plan: () => Plan): void => {
  const planned = (question: string, maxSteps = 12, queries = 2) =>
    plan()({ question, collections, maxSteps, queries }, call)

  describe(`plan: ${label}`, () => {
    it('keeps a simple question as one step that waits for nothing', async () => {
      const { steps, logic } = await planned('What was the population of Oslo in 2020?')
      expect(steps).toMatchObject([{ question: 'What was the population of Oslo in 2020?', waitsFor: null }])
      expect(logic).not.toBe('')
    })

    it('gives each of two complete questions its own step', async () => {
      const { steps } = await planned('What was the population of Oslo in 2020 and what was the area of Bergen?')
      expect(steps.map(({ question }) => [/Oslo/.test(question), /Bergen/.test(question)])).toEqual([
        [true, false],
        [false, true],
      ])
    })

    it.each([1, 2, 3])('returns at most %i valid steps that wait only for earlier ones', async (maxSteps) => {
      const questions = [
        'What is Oslo? What is Bergen? What is Moss? Who founded Narvik? When was Hamar built?',
        'Who is the mother of the director of the film that was shot in Oslo?',
        'Compare the population of Oslo and Bergen.',
        'Who founded Narvik and when was Hamar built and where is Moss?',
      ]
      for (const question of questions) {
        const { steps } = await planned(question, maxSteps)
        expect(steps.length).toBeGreaterThan(0)
        expect(steps.length).toBeLessThanOrEqual(maxSteps)
        for (const [at, step] of steps.entries()) {
          PlannedStep.parse(step)
          expect(step.question.trim()).not.toBe('')
          expect((step.queries ?? []).length).toBeLessThanOrEqual(2)
          if (step.waitsFor !== null) expect(step.waitsFor).toBeLessThanOrEqual(at)
        }
      }
    })

    it('stops when its signal aborts', async () => {
      const aborted = { ...call, signal: AbortSignal.abort() }
      await expect(
        plan()({ question: 'What is Oslo?', collections, maxSteps: 3, queries: 2 }, aborted),
      ).rejects.toThrow()
    })
  })
}
