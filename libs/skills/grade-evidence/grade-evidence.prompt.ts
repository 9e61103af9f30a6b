import type { Numbered } from '../asking/passages'
import { numbers, passageQuote, questionQuote } from '../asking/passages'
import type { Prompt } from '../asking/prompt'
import type { Quote } from '../asking/quoting'
import type { GradeEvidence, Strictness } from '../skill'

type Input = Omit<Parameters<GradeEvidence>[0], 'passages'> & { passages: Numbered[] }

const bars: Record<Strictness, string> = {
  lenient: 'Be lenient: a passage is relevant when it may help to answer any part of the question.',
  normal: 'A passage is relevant when it answers a part of the question or shows that the documents do not answer it.',
  strict:
    'Be strict: a passage is relevant only when it states what a part of the question asks for, about exactly that thing and that time.',
}

const shown = ({ passage, n }: Numbered, against: Input['against']): Quote[] => [
  passageQuote(passage, n),
  ...(against === 'query' && passage.query !== undefined ? [{ name: `query of ${n}`, text: passage.query }] : []),
]

export const gradeEvidencePrompt: Prompt<Input> = {
  name: 'grade-evidence',
  version: 2,
  maxTokens: 4_000,
  system: `You judge whether passages are evidence for a question, each by itself: what one holds makes no other more or less relevant; but a date or a
replacement that another passage tells of it counts. Sharing words or a
subject is not enough: the right measure of another thing, another place or another year is not relevant. A table is relevant when it holds the
row and column that are asked for, also where that cell is empty or says that nothing is reported. A passage in another language counts as one
in the question's. A title may not name its product or place: the section and the collection may.

reason: what the passage has or lacks: one sentence, a few words where it is plainly irrelevant.
relevant: as said in the task.
level: of a relevant passage: high, it states what is asked; medium, it states a part, or what the answer follows from. Null where it is not relevant.
confidence: from 0 to 1, how sure you are of relevant and level.
All that follows is null where the passage is not relevant:
date: the date or year the passage speaks for, as it writes it; null where it has none.
outdated: whether it says itself, or another passage says, that something else holds now. An old date alone, a contract that has ended or a list without a
  successor does not make it so where nothing newer is known.
authority: how far its source can be trusted on this: high for the one who measured, decided or ordered it, low for hearsay and opinion.
sensitive: whether it advises somebody on their health, rights or savings where no single source should decide: medicine, law, finance. What an
  organisation says of itself and of its own things is not sensitive: its rules, prices, instructions, warnings and figures.
Grade each passage exactly once, by its number.`,
  quotes: ({ question, passages, against }) => [
    questionQuote(question),
    ...passages.flatMap((passage) => shown(passage, against)),
  ],
  task: ({ strictness, passages, against }) =>
    `${bars[strictness]}${against === 'query' ? ' Each passage that has a query is judged by that query, in place of the question.' : ''} Grade the passages ${numbers(passages)}.`,
}
