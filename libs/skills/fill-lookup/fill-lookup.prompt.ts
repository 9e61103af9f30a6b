import type { LookupCard } from '@plumbline/ports/lookup'
import { questionQuote } from '../asking/passages'
import type { Prompt } from '../asking/prompt'

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
