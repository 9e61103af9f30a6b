import { describe, expect, it } from 'vitest'
import { PlannedStep } from '@plumbline/contracts'
import type { Call } from '../skill'
import type { Plan } from './plan'

const call: Call = { signal: new AbortController().signal, tier: 'strong', temperature: 0 }

/** What every implementation of `plan` keeps to. */
export const planContract = (label: string, plan: () => Plan): void => {
  const planned = (question: string, maxSteps = 12) => plan()({ question, maxSteps }, call)

  describe(`plan: ${label}`, () => {
    it('leaves a simple question as one step that waits for nothing', async () => {
      const { steps, logic } = await planned('What was the population of Oslo in 2020?')
      expect(steps).toHaveLength(1)
      expect(steps[0]?.waitsFor).toBeNull()
      expect(steps[0]?.question).toMatch(/population.*Oslo.*2020/)
      expect(logic).not.toBe('')
    })

    it('cuts a compound question into steps that stand alone', async () => {
      const { steps } = await planned(
        'Retrieve the population of Oslo in 2019 and 2020. Also retrieve the mean temperature of Bergen in 2021.',
      )
      expect(steps).toHaveLength(2)
      expect(steps[0]?.question).toMatch(/population.*Oslo/)
      expect(steps[0]?.question).toMatch(/2019.*2020/)
      expect(steps[1]?.question).toMatch(/temperature.*Bergen.*2021/)
      expect(steps.every(({ waitsFor }) => waitsFor === null)).toBe(true)
    })

    it('asks about each side of a comparison', async () => {
      const { steps } = await planned('Compare the population of Oslo and Bergen in 2020.')
      expect(steps.length).toBeGreaterThanOrEqual(2)
      expect(steps.length).toBeLessThanOrEqual(4)
      expect(steps.some(({ question }) => /Oslo/.test(question) && !/Bergen/.test(question))).toBe(true)
      expect(steps.some(({ question }) => /Bergen/.test(question) && !/Oslo/.test(question))).toBe(true)
    })

    it('lets the second step of a bridge wait for the first and hold its place', async () => {
      const { steps } = await planned('What is the population of the city where Henrik Ibsen was born?')
      expect(steps.length).toBeGreaterThanOrEqual(2)
      expect(steps[0]).toMatchObject({ waitsFor: null, question: expect.stringContaining('Henrik Ibsen') })
      expect(steps[1]?.waitsFor).toBe(1)
      expect(steps[1]?.question).toMatch(/#1(?!\d)/)
      expect(steps[1]?.question).not.toContain('Henrik Ibsen')
    })

    it.each([1, 2, 3])(
      'keeps to at most %i steps, and a step waits only for an earlier one, whose place it holds',
      async (maxSteps) => {
        const questions = [
          'What is Oslo? What is Bergen? What is Moss? Who founded Narvik? When was Hamar built?',
          'Who is the mother of the director of the film that was shot in Oslo?',
          'Compare the population and the area of Oslo, Bergen, Moss and Hamar in 2020.',
        ]
        for (const question of questions) {
          const { steps } = await planned(question, maxSteps)
          expect(steps.length).toBeLessThanOrEqual(maxSteps)
          for (const [index, step] of steps.entries()) {
            PlannedStep.parse(step)
            expect(step.question.trim()).not.toBe('')
            if (step.waitsFor === null) continue
            expect(step.waitsFor).toBeLessThanOrEqual(index)
            expect(step.question).toContain(`#${step.waitsFor}`)
          }
        }
      },
    )

    it('stops when it is told to', async () => {
      await expect(
        (async () => plan()({ question: 'What is Oslo?', maxSteps: 3 }, { ...call, signal: AbortSignal.abort() }))(),
      ).rejects.toThrow()
    })
  })
}
