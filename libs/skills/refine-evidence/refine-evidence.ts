import type { Passage } from '@plumbline/contracts'
import type { Skill } from '../skill'

/** The strips of a passage that bear on the question, in their order, word for word. */
export type RefineEvidence = Skill<{ question: string; passage: Passage }, string[]>
