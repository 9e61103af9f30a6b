import { fold } from '@plumbline/knowledge/text'
import { faultIn, type LookupCard } from '@plumbline/ports/lookup'
import { z } from 'zod'
import { askModel, type ModelOf } from '../skill/ask-model'
import { type Prompt, questionQuote } from '../skill/prompt'
import type { FilledLookup, FillLookup } from '../skill/skill'

type Input = Parameters<FillLookup>[0]
type Param = LookupCard['params'][number]

const typeLines = { integer: 'A whole number.', number: 'A number.', date: 'A date, written as YYYY-MM-DD.' }

const paramLine = ({ name, description, type, pattern, values }: Param): string =>
  [
    `- ${name}: ${description}`,
    type && typeLines[type],
    values && `One of: ${values.join(', ')}.`,
    pattern !== undefined && `Must fit the pattern ${pattern}.`,
  ]
    .filter(Boolean)
    .join(' ')

export const fillLookupPrompt: Prompt<Input> = {
  name: 'fill-lookup',
  version: 3,
  maxTokens: 600,
  system: `You decide which lookups in data sources would help to answer a question, and with which values. A lookup tells only what its description
says. It fits where the question asks for just that, and gives a value for every parameter: in its own words, as one of the allowed values, or
as the number or date that its words mean. Never guess a value. Name a lookup once for each set of values that the question asks for. Leave out
every lookup that does not fit; often none does.`,
  quotes: ({ question, lookups }) => [
    ...lookups.map(({ name, description, params }) => ({
      name: 'lookup',
      text: [name, description, ...params.map(paramLine)].join('\n'),
    })),
    questionQuote(question),
  ],
  task: ({ isChosen = false }) =>
    isChosen
      ? 'These lookups fit the question. With which values?'
      : 'Which lookups fit the question, and with which values?',
}

const Filled = z.object({
  lookups: z.array(z.object({ name: z.string(), values: z.array(z.object({ name: z.string(), value: z.string() })) })),
})

/** The maximum number of queries to data sources for one question. */
const mostFilled = 5

/** A value must occur in the question if its parameter has no list of values and no type. A model may invent values. */
const isGiven = (question: string, { name, type, values }: Param, filled: Record<string, string>): boolean =>
  values !== undefined || type !== undefined || fold(question).includes(fold(filled[name] ?? ''))

const isSound = ({ question, lookups }: Input, { name, values }: FilledLookup): boolean => {
  const lookup = lookups.find((each) => each.name === name)
  return (
    lookup !== undefined &&
    faultIn(lookup, values) === null &&
    lookup.params.every((param) => isGiven(question, param, values))
  )
}

export const llmFillLookup =
  (chat: ModelOf): FillLookup =>
  async (input, call) => {
    call.signal.throwIfAborted()
    const result = await askModel({ chat, skill: 'fillLookup', prompt: fillLookupPrompt, input, call, schema: Filled })
    if (result.kind === 'refused') return []
    return result.value.lookups
      .map(({ name, values }) => ({
        name,
        values: Object.fromEntries(values.map(({ name: param, value }) => [param, value])),
      }))
      .filter((filled) => isSound(input, filled))
      .slice(0, mostFilled)
  }
