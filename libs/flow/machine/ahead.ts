import type { Result } from '../schema/task-table'
import type { Run, Step } from '../schema/run'
import type { Task, TaskOf } from '../schema/task'
import { draftMoves, movesWithoutRetry, tryMoves } from '../policy/policy'
import { affords } from './budgets'
import { passedCount } from './evidence'
import { generate, openCheck, openDraft, storeDraft, write } from './generate'
import { change, close, type Move, type Moved, moved, moving, type Stale, stale, type Transition } from './move'
import { recordStep, research } from './research'
import { addRouted, narrowCollections, route, understood } from './route'
import { checksAll, keepsShown } from './show'
import { changeStep, hasTaskInProgress, isPlanned, openResearch } from './steps'
import { whenGraded } from './when-graded'

/** Before the route (how to answer) is known, a run may start two tasks: an early search and an early draft. */
const earlyMoves = 2

const isAhead = ({ ahead }: Run): boolean => ahead !== undefined
const isRouted = ({ open }: Run): boolean => open.every(({ kind }) => kind !== 'route')
const isWriting = ({ open }: Run): boolean => open.some(({ kind }) => kind === 'generate')

const mayStartAhead = (run: Run): boolean =>
  checksAll(run.policy) &&
  run.policy.plan !== 'always' &&
  whenGraded(run) !== 'first' &&
  run.class !== 'batch' &&
  run.inThread === undefined &&
  run.collections.length > 0 &&
  run.steps.length === 0 &&
  Object.keys(run.closed).every((id) => id === 'admit') &&
  affords(run, earlyMoves + movesWithoutRetry(run.policy))

const earlyStep = ({ question }: Run): Step => ({
  ...{ step: 1, question, waitsFor: null, status: 'waiting', source: 'index', queries: [], evidence: [] },
  // `openResearch` adds 1 to `try`, so the early search is try 0 and the regular search is try 1.
  try: -1,
})

/**
 * Starts an early search for the original question, while the route task still decides how to answer. Its passages are
 * used for an early draft.
 */
export const startAhead = (run: Run, { taskId, at }: { taskId: string; at: number }): Moved | Stale => {
  if (!run.open.some(({ id, kind }) => id === taskId && kind === 'route') || !mayStartAhead(run)) return stale
  const step = earlyStep(run)
  return moved(openResearch(change(moving(run, at, taskId), { ahead: 0, steps: [step] }), step, 'index'))
}

/**
 * Drops the early search and the early draft. Workers of the previous version delete the field `ahead`. Then any open
 * task other than `route` shows that there was an early search.
 */
export const dropAhead = (move: Move): Move => {
  const early = move.run.open.filter(({ kind }) => kind !== 'route')
  if (!isAhead(move.run) && early.length === 0) return move
  const closed = early.reduce((rest, { id }) => close(rest, id, 'dropped'), move)
  return change(closed, { ahead: undefined, steps: [], draft: undefined })
}

/**
 * Waits until the route is known and all searches and the early draft are complete. Then it starts the check of the
 * draft or, if there is no draft, a new draft.
 */
const join = (move: Move): Move => {
  if (!isRouted(move.run) || hasTaskInProgress(move.run) || isWriting(move.run)) return move
  const joined = change(move, { ahead: undefined })
  return joined.run.draft ? openCheck(joined, joined.run.draft.draft) : write(joined)
}

/**
 * Continues a run whose early draft failed. If the route is known by now, a new draft uses the passages of all
 * searches. Otherwise, the early search is dropped.
 */
const withoutEarlyDraft = (move: Move): Move => (isRouted(move.run) ? join(move) : dropAhead(move))

const isWithin = (collections: string[], { steps }: Run): boolean =>
  steps.every(({ evidence }) => evidence.every(({ collection }) => collection && collections.includes(collection)))

type Researched = Extract<Result<'route'>, { outcome: 'research' }>

/**
 * Returns whether the early draft can be kept. The route must lead to one search for the same question, in collections
 * that contain all passages found so far.
 */
const isFitting = (run: Run, result: Result<'route'>): result is Researched =>
  result.outcome === 'research' &&
  (result.question ?? run.question) === run.question &&
  result.lookup === undefined &&
  (result.lookups ?? []).length === 0 &&
  (run.draft !== undefined || isWriting(run)) &&
  !isPlanned({ ...run, simple: result.simple }) &&
  isWithin(narrowCollections(run, result.collections), run) &&
  affords(run, tryMoves(run.policy) + draftMoves(run.policy))

/**
 * Handles the route of a run with an early search and an early draft. If they fit the route, they are kept and the
 * regular search starts. Otherwise, both are dropped.
 */
export const routeAhead: Transition<'route'> = (move, task, result) => {
  const { run } = move
  const [step] = run.steps
  if (!isAhead(run) || !step || !isFitting(run, result)) return route(dropAhead(move), task, result)
  const { logic, simple, queries } = result
  const routed = addRouted(understood(move, result), 'research', logic, narrowCollections(run, result.collections))
  const known = change(routed, { ...(simple !== undefined && { simple }) })
  return openResearch(changeStep(known, 1, { ...(queries && { planned: queries }) }), step, 'index')
}

/** Returns whether the early search found the top passages of the regular search: as many as it had queries. */
const coversBest = ({ steps }: Run, result: Result<'research'>): boolean => {
  const known = new Set(steps.flatMap(({ evidence }) => evidence.map(({ id }) => id)))
  const best = result.outcome === 'found' ? result.passages.slice(0, result.queries.length) : []
  return best.every(({ id }) => known.has(id))
}

/** Drops the early draft and the passages of the early search. The next draft then uses only the regular search. */
const writeAgain = (move: Move, task: TaskOf<'research'>, result: Result<'research'>): Move | null => {
  const steps = move.run.steps.map((step) => ({ ...step, evidence: [], queries: [] }))
  return research(change(dropAhead(move), { steps }), task, result)
}

export const researchAhead: Transition<'research'> = (move, task, result) => {
  const { run } = move
  if (!isAhead(run)) return research(move, task, result)
  if (isRouted(run) && !coversBest(run, result)) return writeAgain(move, task, result)
  const recorded = recordStep(move, task, result)
  if (!recorded) return null
  const queries = [...new Set(recorded.step.queries)]
  const found = changeStep(recorded.found, task.step, { status: 'done', exhausted: false, queries })
  if (isRouted(run)) return join(found)
  return result.outcome === 'found' ? openDraft(change(found, { ahead: passedCount(found.run) })) : dropAhead(found)
}

export const generateAhead: Transition<'generate'> = (move, task, result) => {
  if (!isAhead(move.run)) return generate(move, task, result)
  return result.outcome === 'drafted' && keepsShown(move.run, result)
    ? join(storeDraft(move, task.draft, result, move.run.ahead))
    : withoutEarlyDraft(move)
}

/**
 * Continues a run with an early search after one of its searches or its early draft failed. Returns null for any other
 * run or task.
 */
export const giveUpAhead = (move: Move, task: Task): Move | null => {
  if (!isAhead(move.run)) return null
  if (task.kind === 'generate') return withoutEarlyDraft(move)
  if (task.kind !== 'research') return null
  return isRouted(move.run) ? join(changeStep(move, task.step, { status: 'done' })) : dropAhead(move)
}
