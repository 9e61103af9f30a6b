import { noUsage } from '@plumbline/contracts'
import type { Run } from '../map/run'
import type { Policy } from '../policy/policy'
import type { Moved } from './move'
import { moved, moving, open, tell } from './move'

export type StartAsk = Pick<
  Run,
  | 'id'
  | 'tenant'
  | 'lane'
  | 'question'
  | 'collections'
  | 'webOn'
  | 'skills'
  | 'threadId'
  | 'inThread'
  | 'filters'
  | 'access'
  | 'metadata'
> & {
  at: number
  deadlineMs?: number
}

const noneSpent = { moves: 0, rewrites: 0, webSearches: 0, regenerations: 0, augments: 0 }

/** A run with its first task open: `admit`, which holds no job and which the door reports itself. */
export const start = ({ at, deadlineMs, ...ask }: StartAsk, named: Policy): Moved => {
  const policy = deadlineMs === undefined ? named : { ...named, deadlineMs }
  const run: Run = {
    ...ask,
    // A policy that may not search the web has no way there, whoever is asked for one.
    webOn: ask.webOn && policy.maxWebSearches > 0,
    policy,
    createdAt: at,
    deadlineAt: at + policy.deadlineMs,
    status: 'queued',
    open: [],
    closed: {},
    steps: [],
    spent: noneSpent,
    usage: noUsage,
  }
  const opened = open(moving(run, at, 'admit'), { id: 'admit', kind: 'admit', openedAt: at })
  return moved(tell(opened, { type: 'asked', audience: 'asker', question: run.question, policy: policy.name }))
}
