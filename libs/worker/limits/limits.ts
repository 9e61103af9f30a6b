import type { Stage } from '@plumbline/flow'

export type StageLimits = { concurrency: number; attempts: number; backoffMs: number; timeoutMs: number }

/** Every stage, every knob; nothing implied. Errors spend attempts, crashes spend starts, `later` spends neither. */
export const stageLimits: Record<Stage, StageLimits> = {
  router: { concurrency: 16, attempts: 3, backoffMs: 1_000, timeoutMs: 30_000 },
  planner: { concurrency: 16, attempts: 3, backoffMs: 1_000, timeoutMs: 30_000 },
  researcher: { concurrency: 16, attempts: 3, backoffMs: 1_000, timeoutMs: 30_000 },
  generator: { concurrency: 8, attempts: 3, backoffMs: 1_000, timeoutMs: 60_000 },
  grader: { concurrency: 16, attempts: 3, backoffMs: 1_000, timeoutMs: 30_000 },
}

/** A task that crashed its process this often is abandoned. */
export const maxStarts = 3
