import type { Skill } from '../skill'

/** Up to `count` written queries beside the question itself; they differ from it and from each other. */
export type WriteQueries = Skill<{ question: string; count: number }, string[]>
