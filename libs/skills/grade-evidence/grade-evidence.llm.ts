import { Confidence, type Grade, Level } from '@plumbline/contracts'
import { z } from 'zod'
import { askModel, type ModelOf } from '../skill/ask-model'
import type { Numbered, Prompt, Quote } from '../skill/prompt'
import { numbered, numbers, passageQuote, questionQuote, withinBudget } from '../skill/prompt'
import type { GradeEvidence, Strictness } from '../skill/skill'

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

const Graded = z.object({
  passage: z.int(),
  reason: z.string().min(1),
  relevant: z.boolean(),
  /** A relevant passage of low worth would be a contradiction, so there is no such level. */
  level: z.enum(['high', 'medium']).nullable(),
  confidence: Confidence,
  date: z.string().nullable(),
  outdated: z.boolean().nullable(),
  authority: Level.nullable(),
  sensitive: z.boolean().nullable(),
})
const Grades = z.object({ grades: z.array(Graded) })
type Grades = z.infer<typeof Grades>

/** Whatever is longer, or has no digit, is no date, and a grade carries no other words of the passage on. */
const longestDate = 40
const isDate = (written: string): boolean => written.length <= longestDate && /\p{Nd}/u.test(written)

const ungraded = (reason: string): Grade => ({ relevant: false, level: 'low', confidence: 0, reason })

const gradeOf = ({ relevant, level, confidence, reason, ...rest }: Grades['grades'][number]): Grade => {
  if (!relevant) return { relevant, level: 'low', confidence, reason }
  const { date, outdated, authority, sensitive } = rest
  return {
    ...{ relevant, level: level ?? 'medium', confidence, reason },
    ...(date !== null && isDate(date) && { date }),
    ...(outdated !== null && { outdated }),
    ...(authority !== null && { authority }),
    ...(sensitive !== null && { sensitive }),
  }
}

export const llmGradeEvidence =
  (chat: ModelOf, evidenceTokens: number): GradeEvidence =>
  async ({ passages: evidence, ...given }, call) => {
    call.signal.throwIfAborted()
    if (evidence.length === 0) return []
    const passages = numbered(withinBudget(evidenceTokens, given.question, evidence))
    const own = ({ grades }: Grades, n: number) => grades.filter(({ passage }) => passage === n)
    const faultIn = (value: Grades): string | null => {
      const left = passages.filter(({ n }) => own(value, n).length !== 1).map(({ n }) => n)
      return left.length === 0 ? null : `There must be exactly one grade for each passage; look at ${left.join(', ')}.`
    }
    const asking = { chat, skill: 'gradeEvidence' as const, prompt: gradeEvidencePrompt, call, schema: Grades, faultIn }
    const asked = await askModel({ ...asking, input: { ...given, passages } })
    if (asked.kind === 'refused') return evidence.map(() => ungraded(`The model refused to grade it: ${asked.reason}`))
    return passages.map(({ n }) => {
      const [first, ...more] = own(asked.value, n)
      return first && more.length === 0 ? gradeOf(first) : ungraded('The model gave no single grade of it.')
    })
  }
