import type { Plan } from './plan'
import { clauses } from './clauses'

export const offlinePlan: Plan = ({ question, maxSteps }, { signal }) => {
  signal.throwIfAborted()
  const parts = clauses(question)
  const kept = parts.length <= maxSteps ? parts : [...parts.slice(0, maxSteps - 1), parts.slice(maxSteps - 1).join(' ')]
  const steps = kept.map((part) => ({ question: part, waitsFor: null }))
  const logic = steps.length === 1 ? 'One thing is asked, so one step finds it.' : `The question asks ${steps.length} things, each found by itself.`
  return Promise.resolve({ logic, steps })
}
