import type { PlannedStep, Source } from '@plumbline/contracts'
import { questionOf, type Run, type Step } from '../schema/run'
import type { Failed } from '../schema/task-fields'
import { draftMoves, tryMoves } from '../policy/policy'
import { affords, movesLeft } from './budgets'
import { outOfBudget } from './endings'
import { addEvent, change, type Move, open, type Transition } from './move'

export const changeStep = (move: Move, number: number, fields: Partial<Step>): Move =>
  change(move, { steps: move.run.steps.map((step) => (step.step === number ? { ...step, ...fields } : step)) })

export const hasTaskInProgress = ({ open: tasks }: Run): boolean =>
  tasks.some(({ kind }) => kind === 'research' || kind === 'grade-evidence')

const threadPassages = ({ route, inThread }: Run, step: Step): string[] | undefined =>
  route?.to === 'continue' && step.try === 0 ? inThread?.passageIds : undefined

export const openResearch = (move: Move, step: Step, source: Source, failed?: Failed): Move => {
  const passageIds = threadPassages(move.run, step)
  const task = {
    id: `research.${step.step}.${step.try + 1}`,
    kind: 'research',
    openedAt: move.at,
    step: step.step,
    try: step.try + 1,
    source,
    ...(failed && { failed }),
    ...(passageIds && { passageIds }),
  } as const
  const opened = open(
    changeStep(move, step.step, { status: 'open', try: task.try, source, ...(failed && { failed }) }),
    task,
  )
  const { id, try: attempt } = task
  return addEvent(opened, 'step-opened', { task: id, step: step.step, try: attempt, question: step.question, source })
}

export const openReadySteps = (move: Move): Move => {
  const done = new Set(move.run.steps.filter(({ status }) => status === 'done').map(({ step }) => step))
  const ready = move.run.steps.filter(
    ({ status, waitsFor }) => status === 'waiting' && (waitsFor === null || done.has(waitsFor)),
  )
  return ready.reduce((rest, step) => openResearch(rest, step, step.source), move)
}

const roomForSteps = (run: Run): number =>
  Math.min(run.policy.maxSteps, Math.floor((movesLeft(run) - draftMoves(run.policy)) / tryMoves(run.policy)))

/** Removes dependencies that are not on an earlier step, because a cycle would block the run. */
const withoutCycles = (steps: PlannedStep[]): PlannedStep[] =>
  steps.map((step, index) => ({
    ...step,
    waitsFor: step.waitsFor !== null && step.waitsFor <= index ? step.waitsFor : null,
  }))

/** Opens the steps without a budget check, because a reviewer may request research for an overspent run. */
const openSteps = (move: Move, planned: PlannedStep[], source: Source): Move => {
  const steps = planned.map(({ queries: written, ...step }, index): Step => ({
    ...step,
    ...(written && { planned: written }),
    step: index + 1,
    status: 'waiting',
    try: 0,
    source,
    queries: [],
    evidence: [],
  }))
  return openReadySteps(change(move, { steps }))
}

const takeSteps = (move: Move, planned: PlannedStep[], source: Source): Move =>
  affords(move.run, planned.length * tryMoves(move.run.policy) + draftMoves(move.run.policy))
    ? openSteps(move, planned, source)
    : outOfBudget(move)

const oneStep = (run: Run, queries?: string[]): PlannedStep[] => [
  { question: questionOf(run), waitsFor: null, ...(queries && { queries }) },
]

export const takeQuestion = (move: Move, source: Source = 'index', queries?: string[]): Move =>
  takeSteps(move, oneStep(move.run, queries), source)

export const lookUp = (move: Move, guidance: string): Move => openSteps(move, oneStep(move.run, [guidance]), 'index')

const openPlan = (move: Move): Move => {
  const { policy } = move.run
  const shortest = 1 + tryMoves(policy) + draftMoves(policy)
  return affords(move.run, shortest) ? open(move, { id: 'plan', kind: 'plan', openedAt: move.at }) : outOfBudget(move)
}

export const isPlanned = ({ policy: { entry, plan }, simple }: Run): boolean =>
  entry === 'route' ? plan === 'always' || (plan === 'when-complex' && !simple) : entry === 'plan'

export const toResearch = (move: Move, queries?: string[]): Move =>
  isPlanned(move.run) ? openPlan(move) : takeQuestion(move, 'index', queries)

export const plan: Transition<'plan'> = (move, _task, result) => {
  const steps = withoutCycles(result.steps.slice(0, roomForSteps(move.run)))
  const cut =
    steps.length < result.steps.length
      ? ` The plan was shortened from ${result.steps.length} steps to ${steps.length}.`
      : ''
  const planned = addEvent(move, 'planned', { logic: `${result.logic}${cut}`, steps })
  return takeSteps(planned, steps, 'index')
}
