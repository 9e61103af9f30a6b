import type { Evidence } from '@plumbline/contracts'
import { passageQuote, questionQuote } from '../asking/passages'
import type { Prompt } from '../asking/prompt'

export type Point = { text: string; passages: number[] }

type Part = { question: string; passages: Evidence[]; first: number; most: number }

const rules = `Keep names, figures and units exactly; calculate nothing. Leave out what is only an example or an aside. Add nothing of your own, no
link and no address. Write in the language of the question.`

export const partPrompt: Prompt<Part> = {
  name: 'summarise-part',
  version: 2,
  maxTokens: 1_500,
  system: `You sum up a document, or a part of one, given in numbered passages. Say what it says, in order, one plain sentence per point, and for each
point the numbers of the passages that carry it. ${rules}`,
  quotes: ({ question, passages, first }) => [
    ...passages.map((passage, at) => passageQuote(passage, first + at)),
    questionQuote(question),
  ],
  task: ({ most }) => `Give at most ${most} ${most === 1 ? 'point' : 'points'}.`,
}

type Whole = { question: string; points: Point[]; most: number }

export const wholePrompt: Prompt<Whole> = {
  name: 'summarise-whole',
  version: 2,
  maxTokens: 2_000,
  system: `You put the points of a document's parts together into a summary of the whole. Each point stands with the numbers of its passages. Choose and
join what matters most for the document as a whole, in its order, one plain sentence per point, and give for each sentence the numbers of
all passages whose points it uses. ${rules}`,
  quotes: ({ question, points }) => [
    ...points.map(({ text, passages }, at) => ({ name: `point ${at + 1}, passages ${passages.join(' ')}`, text })),
    questionQuote(question),
  ],
  task: ({ most }) => `Give at most ${most} ${most === 1 ? 'sentence' : 'sentences'}.`,
}
