import { noUsage } from '@plumbline/contracts'
import type { SkillName } from '@plumbline/flow'
import type { Skill } from './skill'

/** Checks `code` instead of the class, because the error may come from another copy of the module. */
const isProviderDown = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'provider.down'

export const useOffline =
  <In, Out>(skill: SkillName, offline: Skill<In, Out>): Skill<In, Out> =>
  (input, call) => {
    call.onCall?.({ skill, model: 'offline', usage: noUsage, insteadBy: 'offline' })
    return offline(input, call)
  }

/** Uses the skill without a model if no provider answers. With `lastRung: 'none'`, throws, so that the run waits. */
export const withOfflineFallback =
  <In, Out>(skill: SkillName, model: Skill<In, Out>, offline: Skill<In, Out>): Skill<In, Out> =>
  async (input, call) => {
    try {
      return await model(input, call)
    } catch (error) {
      if (call.lastRung === 'none' || !isProviderDown(error)) throw error
      return useOffline(skill, offline)(input, call)
    }
  }
