import { fold } from '@plumbline/knowledge/text'
import { faultIn, type LookupCard } from '@plumbline/ports/lookup'
import { z } from 'zod'
import { askModel, type ModelOf } from '../skill/ask-model'
import { type Prompt, questionQuote } from '../skill/prompt'
import type { FillLookup } from '../skill/skill'

type Input = { question: string; lookup: LookupCard }

const paramLine = ({ name, description, pattern, values }: LookupCard['params'][number]): string =>
  `- ${name}: ${description}${values ? ` One of: ${values.join(', ')}.` : ''}${pattern === undefined ? '' : ` Must fit the pattern ${pattern}.`}`

export const fillLookupPrompt: Prompt<Input> = {
  name: 'fill-lookup',
  version: 2,
  maxTokens: 300,
  system: `You decide whether a lookup in a data source would help to answer a question, and with which values. A lookup tells only what its
description says. It fits where the question asks for just that, and gives a value for every parameter, in its own words or as one of the
allowed values. Never guess a value. Where it does not fit, say so and give no values.`,
  quotes: ({ question, lookup: { name, description, params } }) => [
    { name: 'lookup', text: [name, description, ...params.map(paramLine)].join('\n') },
    questionQuote(question),
  ],
  task: () => 'Does the lookup fit the question, and with which values?',
}

const Filled = z.object({ fits: z.boolean(), values: z.array(z.object({ name: z.string(), value: z.string() })) })

/** Accepts a value only if the lookup declares it or the question contains it. */
export const llmFillLookup =
  (chat: ModelOf): FillLookup =>
  async (input, call) => {
    call.signal.throwIfAborted()
    const { question, lookup, isChosen = false } = input
    const result = await askModel({ chat, skill: 'fillLookup', prompt: fillLookupPrompt, input, call, schema: Filled })
    if (result.kind === 'refused' || !(result.value.fits || isChosen)) return null
    const values = Object.fromEntries(result.value.values.map(({ name, value }) => [name, value]))
    if (faultIn(lookup, values) !== null) return null
    const stands = lookup.params.every(
      ({ name, values: allowed }) => allowed !== undefined || fold(question).includes(fold(values[name] ?? '')),
    )
    return stands ? values : null
  }
