import type { Usage } from '@plumbline/contracts'

/** What every call of a skill carries: when to stop, how good a model it asks for, and where its cost is told. */
export type Call = {
  signal: AbortSignal
  tier: 'small' | 'strong'
  temperature: number
  onUsage?: (usage: Usage) => void
}
/** A skill is one thing an agent does. */
export type Skill<In, Out> = (input: In, call: Call) => Promise<Out>
