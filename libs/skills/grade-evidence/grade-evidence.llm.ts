import { Confidence, Level } from '@plumbline/contracts'
import { z } from 'zod'
import { askModel } from '../asking/ask-model'
import type { ModelOf } from '../asking/asking'
import type { GradeEvidence } from './grade-evidence'
import { gradeEvidencePrompt } from './grade-evidence.prompt'

const Graded = z.object({
  reason: z.string().min(1),
  relevant: z.boolean(),
  level: Level,
  confidence: Confidence,
  date: z.string().nullable(),
  outdated: z.boolean(),
  authority: Level,
  sensitive: z.boolean(),
})

/** Whatever is longer is no date, and a grade carries no other words of the passage on. */
const longestDate = 40

export const llmGradeEvidence =
  (chat: ModelOf): GradeEvidence =>
  async (given, call) => {
    const input = { ...given, today: new Date().toISOString().slice(0, 10) }
    const asked = await askModel({
      chat,
      skill: 'gradeEvidence',
      prompt: gradeEvidencePrompt,
      input,
      call,
      schema: Graded,
    })
    if (asked.kind === 'refused')
      return { relevant: false, level: 'low', confidence: 0, reason: `The model refused to grade it: ${asked.reason}` }
    const { date, level, ...grade } = asked.value
    const dated = date !== null && date.trim() !== '' && date.length <= longestDate
    return { ...grade, level: grade.relevant ? level : 'low', ...(dated && { date }) }
  }
