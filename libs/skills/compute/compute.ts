import type { Evidence, Working } from '@plumbline/contracts'
import type { Skill } from '../skill'

/** Works out the figures a question asks for; none where it asks for no arithmetic or an input is missing. */
export type Compute = Skill<{ question: string; evidence: Evidence[] }, Working[]>
