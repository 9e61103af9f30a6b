import type { ModelCall } from '@plumbline/contracts'

/** What every call of a skill carries: when to stop, how good a model it asks for, and where its calls are told. */
export type Call = {
  signal: AbortSignal
  tier: 'small' | 'strong'
  temperature: number
  /** What does the work when no provider can: the offline form of the skill (so without this), or nothing. */
  lastRung?: 'offline' | 'none'
  onCall?: (call: ModelCall) => void
}
/** A skill is one thing an agent does. */
export type Skill<In, Out> = (input: In, call: Call) => Promise<Out>
