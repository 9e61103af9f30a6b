import type { PlannedStep } from '@plumbline/contracts'
import { bridge } from './bridge'
import { clauses } from './clauses'
import { compared } from './compare'
import { coordinated } from './coordinate'
import type { Plan } from './plan'

const capped = (parts: string[], most: number): string[] =>
  parts.length <= most ? parts : [...parts.slice(0, most - 1), parts.slice(most - 1).join(' ')]

const logicOf = (steps: PlannedStep[]): string => {
  if (steps.length === 1) return 'One thing is asked, so one step finds it.'
  const waiting = steps.filter(({ waitsFor }) => waitsFor !== null).length
  if (waiting > 0)
    return `The question needs ${steps.length} steps; ${waiting === 1 ? 'one waits' : `${waiting} wait`} for the answer of another.`
  return `The question asks ${steps.length} things, each found by itself.`
}

/** Every thing a question asks by itself; where that makes too many, what is asked together stays together. */
const partsOf = (question: string, maxSteps: number): string[] => {
  const asked = clauses(question)
  const apart = asked.flatMap((clause) => (compared(clause) ?? [clause]).flatMap((part) => coordinated(part)))
  return capped(apart.length <= maxSteps ? [...new Set(apart)] : asked, maxSteps)
}

export const offlinePlan: Plan = ({ question, maxSteps }, { signal }) => {
  signal.throwIfAborted()
  const parts = partsOf(question, maxSteps)
  const steps: PlannedStep[] = []
  for (const [index, part] of parts.entries())
    steps.push(...bridge(part, steps.length + 1, maxSteps - steps.length - (parts.length - index - 1)))
  return Promise.resolve({ logic: logicOf(steps), steps })
}
