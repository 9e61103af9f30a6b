import type { Evidence, LedgerEvent } from '@plumbline/contracts'
import { noUsage } from '@plumbline/contracts'
import type { Run, Task } from '@plumbline/flow'

/** Returns a run for specs. Its policy is empty, because a store never reads the policy. */
export const sampleRun = (over: Partial<Run> & { id: string }): Run => {
  const createdAt = over.createdAt ?? Date.now()
  return {
    tenant: 'default',
    lane: 'main',
    question: 'How far is the Moon?',
    policy: {} as Run['policy'],
    collections: ['planets'],
    webOn: false,
    createdAt,
    deadlineAt: createdAt + 600_000,
    status: 'running',
    open: [routeTask()],
    closed: {},
    steps: [],
    spent: { moves: 0, rewrites: 0, webSearches: 0, regenerations: 0, augments: 0 },
    usage: noUsage,
    ...over,
  }
}
export const routeTask = (): Task => ({ kind: 'route', id: 'route', openedAt: 1 })
export const researchTask = (step: number): Task => ({
  kind: 'research',
  id: `research.${step}.1`,
  openedAt: 1,
  step,
  try: 1,
  source: 'index',
})
export const reviewTask = (draft: number, dueAt: number): Task => ({
  kind: 'review',
  id: `review.${draft}`,
  openedAt: 1,
  draft,
  dueAt,
  decider: 'reviewer',
})

export const asked = (question = 'How far is the Moon?'): LedgerEvent => ({
  type: 'asked',
  audience: 'asker',
  at: 1,
  question,
  policy: 'standard',
})
export const abandoned = (reason: string): LedgerEvent => ({ type: 'abandoned', audience: 'desk', at: 1, reason })
export const samplePassage = (id: string, text = 'The Moon is 384,400 km away.'): Evidence => ({
  id,
  documentId: 'd1',
  collection: 'planets',
  title: 'The Moon',
  text,
  headingPath: ['Distance'],
  position: 0,
  scores: { fused: 0.5 },
})
