import { questionQuote } from '../asking/passages'
import type { Prompt } from '../asking/prompt'
import type { Plan } from './plan'

export const planPrompt: Prompt<Parameters<Plan>[0]> = {
  name: 'plan',
  version: 1,
  system: `You cut a question into the look-ups that answer it. Each step is one question that somebody who sees nothing else can look up:
it names its thing, its value and its time in full, with no "it" or "the same".

A question that one look-up answers stays one step, in its own words. Most others need two to four steps; take more only where more
things are asked, and keep several years or values of one thing together.
A comparison has one step for each side. Do not plan steps that compare, calculate or sum up: that is done afterwards.
Where a step needs what an earlier one finds, write # and that step's number in its place, and name that number as waitsFor:
  1. Who directed the film Jaws?   waitsFor: null
  2. Where was #1 born?            waitsFor: 1
A step waits for at most one other. All others have waitsFor null, so that they run at once.

Give as logic, in one sentence, why these steps.`,
  quotes: ({ question }) => [questionQuote(question)],
  task: ({ maxSteps }) => `Plan the question in at most ${maxSteps} steps.`,
}
