import type { Strategy } from '@plumbline/contracts'
import type { Skill } from '../skill'

/** Never a near-copy of an earlier query. */
export type RewriteQuery = Skill<
  { question: string; triedQueries: string[]; failedPassages: string[]; reason: string },
  { query: string; strategy: Strategy; reason: string }
>
