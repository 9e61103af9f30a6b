import type { SkillName, TaskKind } from '@plumbline/flow'
import type { Call } from '@plumbline/skills/skill/skill'
import type { Work } from '@plumbline/worker'

/** Returns the options of a skill call: the policy's tier and temperature, the signal, and the usage callback. */
export const callOf = <K extends TaskKind>({ run, signal, onCall }: Work<K>, skill: SkillName): Call => ({
  ...run.policy.skills[skill],
  signal,
  lastRung: run.policy.lastRung,
  onCall,
})
