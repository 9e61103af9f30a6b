import type { Evidence } from '@plumbline/contracts'
import { passageQuote, questionQuote } from '../asking/passages'
import type { Prompt } from '../asking/prompt'

type Input = { question: string; evidence: Evidence[] }

export const computePrompt: Prompt<Input> = {
  name: 'compute',
  version: 1,
  system: `You set up the arithmetic that a question needs. You do not calculate: a program works out your formula, and another one checks where
each input stands.

- Give a formula only where the question asks for a figure that stands nowhere and has to be worked out: a total, a difference, a change in
  percent, an average, a ratio, interest, a unit converted. Where a passage gives the figure itself, or an input is missing, give none.
- An input is a number that stands in the question or in a numbered passage. Say in which: passage null is the question. A percentage is
  given as its share: 5 % is 0.05, unless the formula is about percentages themselves. Never take a number from memory or by guessing.
- A formula is made of the inputs' names, + - * / ^, brackets, and min, max, sum, avg, round, abs, sqrt, ln, and convert(value, unit, unit)
  for units of length, mass, volume, area, time, temperature, data and energy. Every other number in it must stand in the question, or be one
  of counting or the calendar, such as 100 or 12. Names are made of letters, digits and _.
- A change in percent is (after - before) / before * 100 with the unit %.
- "what" says in a few words what the figure is, with the names and times it is of.`,
  quotes: ({ question, evidence }) => [
    ...evidence.map((passage, at) => passageQuote(passage, at + 1)),
    questionQuote(question),
  ],
  task: () => 'Give at most 3 formulas with their inputs, or none.',
}
