import { noUsage } from '@plumbline/contracts'
import type { SkillName } from '@plumbline/flow'
import type { Skill } from './skill'

/** By shape, as every error: it may come from another copy of a module. */
const isProviderDown = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'provider.down'

/** The offline form does a model's work, and says so. */
export const offlineInstead =
  <In, Out>(skill: SkillName, offline: Skill<In, Out>): Skill<In, Out> =>
  (input, call) => {
    call.onCall?.({ skill, model: 'offline', usage: noUsage, insteadBy: 'offline' })
    return offline(input, call)
  }

/** Where no provider answers, the offline form does; unless the policy would rather wait for a provider. */
export const withLastRung =
  <In, Out>(skill: SkillName, model: Skill<In, Out>, offline: Skill<In, Out>): Skill<In, Out> =>
  async (input, call) => {
    try {
      return await model(input, call)
    } catch (error) {
      if (call.lastRung === 'none' || !isProviderDown(error)) throw error
      return offlineInstead(skill, offline)(input, call)
    }
  }
