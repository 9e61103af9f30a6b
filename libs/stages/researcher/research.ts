import type { Run, Step, TaskOf } from '@plumbline/flow'
import { headed } from '@plumbline/knowledge/chunking'
import { AppError } from '@plumbline/platform'
import type { Skills } from '@plumbline/skills'
import type { Scope } from '@plumbline/ports/passage-index'
import type { StageHandler, Work } from '@plumbline/worker'
import { callOf } from '../call'
import { carried, fillIn, unanswered } from './bridge'
import type { RetrievalPorts } from './retrieve'
import { retrieve } from './retrieve'

type Ports = RetrievalPorts & { skills: Pick<Skills, 'answer' | 'writeQueries' | 'rewriteQuery'> }
type Research = Work<'research'>
type Queries = { queries: string[]; strategy?: Awaited<ReturnType<Skills['rewriteQuery']>>['strategy']; reason?: string }

/** What a rewriter sees of what failed. */
const seenOfFailed = { passages: 3, characters: 200 }

const stepOf = (run: Run, number: number): Step => {
  const step = run.steps.find((each) => each.step === number)
  if (!step) throw new AppError('run.step-missing', 'never')
  return step
}

const scopeOf = (run: Run): Scope => ({
  tenant: run.tenant,
  collections: run.route?.collections.length ? run.route.collections : run.collections,
  ...(run.filters && { filters: run.filters }),
})

/** The answer of the step this one waits for, in a few words; without one, its question. */
const bridged = async (skills: Ports['skills'], work: Research, first: Step): Promise<string> => {
  const question = first.resolved ?? first.question
  const passageIds = first.evidence.map(({ id }) => id)
  const evidence = work.evidence.filter(({ id }) => passageIds.includes(id))
  if (evidence.length === 0) return unanswered(question)
  const { text } = await skills.answer(
    { question, steps: [{ question, passageIds }], evidence, maxSentences: 1 },
    callOf(work, 'answer'),
  )
  return carried(question, text, evidence.map((passage) => headed(passage))) ?? unanswered(question)
}

const resolve = async (skills: Ports['skills'], work: Research, step: Step): Promise<string | undefined> => {
  if (step.resolved !== undefined || step.waitsFor === null) return step.resolved
  const first = stepOf(work.run, step.waitsFor)
  return fillIn(step.question, first.step, await bridged(skills, work, first))
}

const rewritten = async (skills: Ports['skills'], work: Research, question: string, failed: NonNullable<TaskOf<'research'>['failed']>): Promise<Queries> => {
  const failedPassages = work.evidence
    .filter(({ id }) => failed.passageIds.includes(id))
    .slice(0, seenOfFailed.passages)
    .map(({ text }) => text.slice(0, seenOfFailed.characters))
  const { query, strategy, reason } = await skills.rewriteQuery(
    { question, triedQueries: failed.queries, failedPassages, reason: failed.reason },
    callOf(work, 'rewriteQuery'),
  )
  return { queries: [query], strategy, reason }
}

const written = async (skills: Ports['skills'], work: Research, question: string): Promise<Queries> => {
  const count = work.run.policy.queriesPerStep
  const more = count > 0 ? await skills.writeQueries({ question, count }, callOf(work, 'writeQueries')) : []
  return { queries: [...new Set([question, ...more.slice(0, count)])] }
}

const whyNothing = async ({ index }: Ports, scope: Scope, signal: AbortSignal): Promise<string> => {
  const where = `${scope.collections.length === 1 ? 'the collection' : 'the collections'} ${scope.collections.join(', ')}`
  if (scope.collections.length === 0) return 'there is no collection to search'
  const held = await index.count({ ...scope, filters: {} }, signal)
  if (held === 0) return `${where} hold${scope.collections.length === 1 ? 's' : ''} no passages yet`
  return scope.filters && (await index.count(scope, signal)) === 0 ? `no document in ${where} matches the filters` : `nothing in ${where} shares a word with the queries`
}

export const research =
  (ports: Ports): StageHandler<'research'> =>
  async (work) => {
    const { run, task, signal } = work
    if (task.source === 'web') return { outcome: 'nothing', source: 'web', queries: [], reason: 'web search is off' }
    const step = stepOf(run, task.step)
    const resolved = await resolve(ports.skills, work, step)
    const question = resolved ?? step.question
    const asked = task.failed ? await rewritten(ports.skills, work, question, task.failed) : await written(ports.skills, work, question)
    const scope = scopeOf(run)
    const without = run.policy.keepEvidence === 'unite' ? task.failed?.passageIds : []
    const { passages, degraded } = await retrieve(ports, { scope, queries: asked.queries, signal, ...(without && { without }) })
    const brought = { ...asked, source: 'index' as const, ...(resolved !== undefined && { resolved }), ...(degraded.length > 0 && { degraded }) }
    if (passages.length > 0) return { outcome: 'found', passages, ...brought }
    return { outcome: 'nothing', ...brought, reason: without?.length ? 'nothing but what had failed before' : await whyNothing(ports, scope, signal) }
  }
