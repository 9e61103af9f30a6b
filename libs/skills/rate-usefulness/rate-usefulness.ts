import type { AnswerPart, Claim, Evidence } from '@plumbline/contracts'
import type { Skill } from '../skill'

export type RateUsefulness = Skill<
  { question: string; steps: string[]; text: string; claims: Claim[]; evidence: Evidence[] },
  { usefulness: number; confidence: number; parts: AnswerPart[]; tooBroad: boolean }
>
