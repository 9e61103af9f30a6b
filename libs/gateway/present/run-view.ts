import type { Evidence, PartialAnswer, RunSummary, RunView } from '@plumbline/contracts'
import { decisionsFor, keepsShown, reviewTask, type Run } from '@plumbline/flow'
import { traceIdOf } from '@plumbline/platform/trace-scope'
import { iso, releasedAnswer, type Audience } from './answer'
import { presentCitations, hydrate, nearestIn, passagesOf } from './answer'

export const shownPassages = (run: Run, audience: Audience): string[] => {
  const answer = audience === 'desk' ? run.answer : releasedAnswer(run)
  const shown = run.shown?.citations.map(({ passageId }) => passageId) ?? []
  return [...new Set([...(answer ? passagesOf(answer) : []), ...shown])]
}

export const partialState = (run: Run): PartialAnswer['state'] | undefined => {
  const { shown } = run
  if (!shown) return undefined
  const answer = releasedAnswer(run)
  if (answer) return keepsShown(run, answer) ? undefined : 'corrected'
  if (run.status === 'rejected') return 'withdrawn'
  if (shown.doubted) return 'doubted'
  return run.status === 'running' ? 'open' : 'incomplete'
}

const partialOf = (run: Run, evidence: Evidence[]): RunView['partial'] => {
  const { shown } = run
  const state = partialState(run)
  return shown && state && { text: shown.text, citations: presentCitations(shown.citations, evidence), state }
}

type ReviewPosition = NonNullable<RunView['review']>['place'] | null

/** A draft of quotes has no grounding score, because quotes repeat the documents. */
const isQuoted = ({ draft }: Run): boolean => draft?.quotes !== undefined

// The asker may see the claims of a draft only if the asker received the draft.
const draftReleased = (run: Run): boolean =>
  run.draft !== undefined &&
  releasedAnswer(run) !== undefined &&
  (run.status !== 'unanswered' || run.reason === 'unanswered.not-in-documents')

const isOfDraft = ({ draft, grading }: Run): boolean => grading?.draft === draft?.draft

const groundingOf = (run: Run, audience: Audience): RunView['grounding'] =>
  run.grading && !isQuoted(run) && (audience === 'desk' || (isOfDraft(run) && draftReleased(run)))
    ? { score: run.grading.score, claims: run.grading.claims }
    : undefined

export const scoreOf = (run: Run): number | undefined => groundingOf(run, 'asker')?.score

const documentsOf = (run: Run, answer: RunView['answer'], audience: Audience): RunView['documentsUsed'] => {
  const shown = [...(answer?.citations ?? []), ...(answer?.quotes ?? [])]
  const used = audience === 'desk' ? run.steps.flatMap((step) => step.evidence) : shown
  return [...new Map(used.map(({ documentId, title }) => [documentId, { id: documentId, title }])).values()]
}

const reviewOf = (run: Run, place: ReviewPosition): RunView['review'] => {
  const task = reviewTask(run)
  return (
    task && {
      taskId: task.id,
      decider: task.decider,
      parkedAt: iso(task.openedAt),
      dueAt: iso(task.dueAt),
      actions: decisionsFor(run),
      ...(place && { place }),
    }
  )
}

const degradedIn = ({ steps, draft }: Run): string[] | undefined => {
  const without = new Set(steps.flatMap(({ degraded = [] }) => degraded))
  if (draft?.degraded) without.add('model')
  return without.size > 0 ? [...without] : undefined
}

// Queries may contain words of a draft, so an asker gets no queries while a draft is withheld.
const queriesIn = (run: Run, audience: Audience): string[] | undefined => {
  const isTold = releasedAnswer(run) !== undefined && (run.draft === undefined || draftReleased(run))
  return audience === 'desk' || isTold ? [...new Set(run.steps.flatMap(({ queries }) => queries))] : undefined
}

const timingsOf = ({ createdAt, deadlineAt, endedAt }: Run): RunView['timings'] => ({
  createdAt: iso(createdAt),
  deadlineAt: iso(deadlineAt),
  ...(endedAt !== undefined && { endedAt: iso(endedAt), totalMs: endedAt - createdAt }),
})

/** Omits the field `resolved` of each step, because the field contains words of documents. */
export const runView = (run: Run, evidence: Evidence[], audience: Audience, place: ReviewPosition = null): RunView => {
  const kept = audience === 'desk' ? run.answer : releasedAnswer(run)
  const answer = kept && hydrate(kept, evidence)
  return {
    id: run.id,
    status: run.status,
    reason: run.reason,
    question: run.question,
    policy: run.policy.name,
    skills: run.skills,
    route: run.route,
    plan: {
      steps: run.steps.map(({ step, question, waitsFor, status, try: tries, source }) => ({
        step,
        question,
        waitsFor,
        status,
        tries,
        source,
      })),
    },
    queriesAttempted: run.steps.reduce((sum, step) => sum + step.queries.length, 0),
    rewrites: run.spent.rewrites,
    degraded: degradedIn(run),
    documentsUsed: documentsOf(run, answer, audience),
    answer,
    partial: partialOf(run, evidence),
    nearest: kept && nearestIn(kept, evidence),
    standalone: run.standalone,
    queries: queriesIn(run, audience),
    grounding: groundingOf(run, audience),
    review: reviewOf(run, place),
    traceId: traceIdOf(run.origin),
    threadId: run.threadId,
    replaces: run.replaces,
    metadata: run.metadata,
    usage: run.usage,
    timings: timingsOf(run),
  }
}

export const runSummary = (run: Run): RunSummary => ({
  id: run.id,
  status: run.status,
  reason: run.reason,
  question: run.question,
  policy: run.policy.name,
  threadId: run.threadId,
  collections: run.route?.collections ?? run.collections,
  score: scoreOf(run),
  cents: run.usage.cents,
  createdAt: iso(run.createdAt),
  endedAt: run.endedAt === undefined ? undefined : iso(run.endedAt),
})
