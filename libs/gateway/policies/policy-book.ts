import { policies as presets, type Policy } from '@plumbline/flow'
import { wrongField } from '../door/problem'

/** The policies that may be chosen here: the presets, and those the operator added. */
export type PolicyBook = { all: Policy[]; named(name: string): Policy }

export const policyBook = (added: Record<string, Policy>): PolicyBook => {
  const all = new Map([...Object.entries(presets), ...Object.entries(added)])
  return {
    all: [...all.values()],
    named: (name) => {
      const policy = all.get(name)
      if (policy) return policy
      throw wrongField(
        'policy',
        `there is no policy ${name}; use one of ${[...all.keys()].join(', ')}, or leave it out`,
        'unknown-policy',
      )
    },
  }
}
