import type { PlannedStep } from '@plumbline/contracts'
import type { Skill } from '../skill'

/** One step, the question itself, means the question is simple. */
export type Plan = Skill<{ question: string; maxSteps: number }, { logic: string; steps: PlannedStep[] }>
