import type { CitedPassage, Claim, Evidence, Working } from '@plumbline/contracts'
import type { Skill } from '../skill'

/** `refused`: why the model would not answer; then there is no text. */
type Drafted = { text: string; citations: CitedPassage[]; refused?: string }

/** Every sentence of the text ends with its citations, `[1]` or `[1][3]`, numbered as in `citations`. */
export type Answer = Skill<
  {
    question: string
    /** The steps' questions in order, each with the ids of its evidence; one step for a simple question. */
    steps: { question: string; passageIds: string[] }[]
    evidence: Evidence[]
    maxSentences: number
    keep?: string[]
    avoid?: Claim[]
    guidance?: string
    /** A draft from each passage by itself, the best of which are put together. */
    perPassage?: boolean
    /** Figures that were worked out for this question: to be used as they are. */
    workings?: Working[]
    onDelta?: (text: string) => void
  },
  Drafted
>
