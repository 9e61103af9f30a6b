import type { PlannedStep } from '@plumbline/contracts'
import { z } from 'zod'
import { askModel, type ModelOf } from '../skill/ask-model'
import { newQueries } from '../skill/new-queries'
import { collectionQuotes, lookupQuotes, type Prompt, questionQuote } from '../skill/prompt'
import type { Plan } from '../skill/skill'

type Input = Parameters<Plan>[0]

export const planPrompt: Prompt<Input> = {
  name: 'plan',
  version: 5,
  maxTokens: 1_500,
  system: `You split a question into look-ups in a company's documents. You see only what the collections and lookups are about. Each step is one question that a reader who sees
nothing else can look up. It names its thing, measure and time in full and keeps the question's own measure and words.

A question that one look-up answers stays one step, in its own words. So does a comparison or a count inside one table. Most others need two to four steps; keep several
years or values of one thing together. A comparison of things in different places has one step a side. Never plan to compare, calculate or summarize.
If a step needs the result of an earlier one, write # and its number, and name that number as waitsFor:
  1. Who directed the film Jaws?   waitsFor: null
  2. Where was #1 born?            waitsFor: 1
A step waits for at most one other. All others have waitsFor null and run at once.

queries: searched beside the step's question, at most eight words each: the words of a heading or table, other terms, or words in which a document would give the
  answer. Keep names, years and codes, and guess none. If the descriptions are in another language, at least one query is in theirs, even if none is wanted. None for
  a step that waits.
logic: at most ten words on why these steps. Write the steps in the language of the question.`,
  fields: ({ lookups = [] }) =>
    lookups.length === 0
      ? []
      : [
          'lookups: the names of listed lookups that tell, by their descriptions, just what the step asks. Most steps need none.',
        ],
  stable: ({ collections, lookups }) => [...collectionQuotes(collections), ...lookupQuotes(lookups)],
  quotes: ({ question }) => [questionQuote(question)],
  task: ({ maxSteps, queries }) =>
    `Plan the question in at most ${maxSteps} steps, each that does not wait with ${queries} ${queries === 1 ? 'query' : 'queries'}.`,
}

const StepOfModel = z.object({ question: z.string(), waitsFor: z.int().nullable(), queries: z.array(z.string()) })
type Step = z.infer<typeof StepOfModel> & { lookups?: string[] }

/** The schema contains the data sources (lookups) only if there are any, because every output field costs time. */
const schemaFor = ({ lookups = [] }: Input): z.ZodType<{ logic: string; steps: Step[] }> =>
  z.object({
    logic: z.string().min(1),
    steps: z.array(lookups.length > 0 ? StepOfModel.extend({ lookups: z.array(z.string()) }) : StepOfModel),
  })

const places = (question: string): number[] => Array.from(question.matchAll(/#(\d+)/g), (match) => Number(match[1]))

const faultInStep = ({ question, waitsFor }: Step, at: number): string | null => {
  if (question.trim() === '') return `Step ${at + 1} is empty.`
  if (waitsFor === null)
    return places(question).length > 0 ? `Step ${at + 1} holds the place of another step, but waitsFor is null.` : null
  if (waitsFor < 1 || waitsFor > at) return `Step ${at + 1} waits for step ${waitsFor}, which does not come before it.`
  return places(question).every((place) => place === waitsFor) && places(question).length > 0
    ? null
    : `Step ${at + 1} waits for step ${waitsFor}, so it must hold #${waitsFor} and no other place.`
}

const faultIn = (steps: Step[], maxSteps: number): string | null => {
  if (steps.length === 0) return 'There is no step.'
  if (steps.length > maxSteps) return `${steps.length} steps are more than ${maxSteps}.`
  return steps.map(faultInStep).find((fault) => fault !== null) ?? null
}

/** A step that waits for another step has no queries, because its question is still incomplete. */
const plannedOf = (step: Step, { queries: most, lookups: cards = [] }: Input): PlannedStep => {
  const { question, waitsFor, queries, lookups = [] } = step
  const found = waitsFor === null ? newQueries(question, queries, Math.max(most, 1)) : []
  const names = cards.map(({ name }) => name).filter((name) => lookups.includes(name))
  return {
    question,
    waitsFor,
    ...(found.length > 0 && { queries: found }),
    ...(cards.length > 0 && { lookups: names }),
  }
}

/** If the plan stays invalid after one repair, the whole question becomes the only step. */
export const llmPlan =
  (chat: ModelOf): Plan =>
  async (input, call) => {
    const { question, maxSteps } = input
    call.signal.throwIfAborted()
    const whole = (logic: string, step?: PlannedStep) => ({ logic, steps: [{ ...step, question, waitsFor: null }] })
    if (maxSteps <= 1) return whole('The policy allows only one step, so the whole question is searched.')
    const result = await askModel({
      ...{ chat, skill: 'plan' as const, prompt: planPrompt, input, call, schema: schemaFor(input) },
      faultIn: ({ steps }) => faultIn(steps, maxSteps),
    })
    if (result.kind === 'refused') return whole(`The model refused to plan this question: ${result.reason}`)
    const { logic } = result.value
    const steps = result.value.steps.slice(0, maxSteps)
    const sound = result.fault === null || faultIn(steps, maxSteps) === null
    if (!sound) return whole('The plan of the model was not valid, so the whole question is searched.')
    const planned = steps.map((step) => plannedOf(step, input))
    return planned.length === 1 ? whole(logic, planned[0]) : { logic, steps: planned }
  }
