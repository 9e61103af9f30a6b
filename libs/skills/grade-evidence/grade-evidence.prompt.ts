import { passageQuote, questionQuote } from '../asking/passages'
import type { Prompt } from '../asking/prompt'
import type { GradeEvidence } from './grade-evidence'

type Input = Parameters<GradeEvidence>[0] & { today: string }

const bars: Record<Input['strictness'], string> = {
  lenient: 'Be lenient: a passage is relevant when it may help to answer any part of the question.',
  normal: 'A passage is relevant when it answers a part of the question or shows that the documents do not answer it.',
  strict:
    'Be strict: a passage is relevant only when it states what a part of the question asks for, about exactly that thing and that time.',
}

export const gradeEvidencePrompt: Prompt<Input> = {
  name: 'grade-evidence',
  version: 1,
  system: `You judge whether one passage is evidence for a question. Sharing words or a subject is not enough: the right measure of another
thing, another place or another year is not relevant. A table is relevant when it holds the row and column that are asked for, also where
that cell is empty or says that nothing is reported.

level: high, it states what is asked; medium, it states a part or what the answer follows from; low, it only bears on it. Not relevant is low.
confidence: from 0 to 1, how sure you are of relevant and level.
reason: one sentence that names what the passage has or lacks.
date: the date or year the passage speaks for, as it writes it; null where it has none.
outdated: whether it says so itself, or its date makes it too old for this question.
authority: how far its source can be trusted on this: high for the one who measured, decided or ordered it, low for hearsay and opinion.
sensitive: whether somebody will act on the answer in a matter of their health, safety, rights or savings, which no single source should
  decide. What an organisation reports of itself, its figures included, is not sensitive.`,
  quotes: ({ question, passage }) => [passageQuote(passage, 1), questionQuote(question)],
  task: ({ strictness, today }) => `Today is ${today}. ${bars[strictness]} Grade passage 1.`,
}
