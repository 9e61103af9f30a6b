import type { SkillName, TaskKind } from '@plumbline/flow'
import type { Call } from '@plumbline/skills/skill/skill'
import type { Work } from '@plumbline/worker'

/** How a handler calls a skill: the tier and temperature its run's policy names, its signal, and where its cost is told. */
export const callOf = <K extends TaskKind>({ run, signal, onCall }: Work<K>, skill: SkillName): Call => ({
  ...run.policy.skills[skill],
  signal,
  lastRung: run.policy.lastRung,
  onCall,
})
