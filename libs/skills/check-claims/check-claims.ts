import type { CitedPassage, Claim, Evidence, Working } from '@plumbline/contracts'
import type { Skill } from '../skill'

/** Splits a draft into claims and judges each against the passages it cites. */
export type CheckClaims = Skill<
  { question: string; text: string; citations: CitedPassage[]; evidence: Evidence[]; workings?: Working[] },
  Claim[]
>
