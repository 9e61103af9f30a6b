import type { Grade, Passage } from '@plumbline/contracts'
import type { Skill } from '../skill'

/** Grades one passage; the stage runs it over all passages at once. */
export type GradeEvidence = Skill<
  { question: string; passage: Passage; strictness: 'lenient' | 'normal' | 'strict' },
  Grade
>
