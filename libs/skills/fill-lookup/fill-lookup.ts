import type { LookupCard } from '@plumbline/ports/lookup'
import type { Skill } from '../skill'

/** The values a question gives for a lookup's parameters; null where it does not ask for what the lookup tells, or gives too little. */
export type FillLookup = Skill<{ question: string; lookup: LookupCard }, Record<string, string> | null>
