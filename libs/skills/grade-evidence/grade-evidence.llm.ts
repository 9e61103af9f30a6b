import type { Grade } from '@plumbline/contracts'
import { Confidence, Level } from '@plumbline/contracts'
import { z } from 'zod'
import { askModel } from '../asking/ask-model'
import type { ModelOf } from '../asking/asking'
import { numbered, within } from '../asking/passages'
import type { GradeEvidence } from '../skill'
import { gradeEvidencePrompt } from './grade-evidence.prompt'

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
    const passages = numbered(within(evidenceTokens, given.question, evidence))
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
