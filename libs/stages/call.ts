import type { SkillName, TaskKind } from '@plumbline/flow'
import type { Call } from '@plumbline/skills'
import type { Work } from '@plumbline/worker'

/** Runs stored before a skill came have no setting for it, or one under the name it had then. */
const unset = { tier: 'small', temperature: 0 } as const

/** How a handler calls a skill: the tier and temperature its run's policy names, its signal, and where its cost is told. */
export const callOf = <K extends TaskKind>({ run, signal, onCall }: Work<K>, skill: SkillName): Call => ({
  ...(run.policy.skills[skill] ?? (skill === 'check' ? run.policy.skills.checkClaims : undefined) ?? unset),
  signal,
  ...(run.policy.lastRung && { lastRung: run.policy.lastRung }),
  onCall,
})
