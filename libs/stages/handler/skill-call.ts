import type { SkillName, TaskKind } from '@plumbline/flow'
import type { Call } from '@plumbline/skills/skill/skill'
import type { Work } from '@plumbline/worker'

export const callOf = <K extends TaskKind>({ run, signal, onCall }: Work<K>, skill: SkillName): Call => ({
  ...run.policy.skills[skill],
  signal,
  lastRung: run.policy.lastRung,
  onCall,
})
