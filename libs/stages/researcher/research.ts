import type { Evidence } from '@plumbline/contracts'
import type { Policy, Result, Run, Step } from '@plumbline/flow'
import { headed } from '@plumbline/knowledge/chunking'
import { AppError } from '@plumbline/platform'
import type { Skills } from '@plumbline/skills'
import type { Lookup } from '@plumbline/ports/lookup'
import type { Scope } from '@plumbline/ports/passage-index'
import type { RunStore } from '@plumbline/ports/run-store'
import type { WebSearch } from '@plumbline/ports/web-search'
import type { StageHandler, Work } from '@plumbline/worker'
import { callOf } from '../call'
import { carried, fillIn, unanswered } from './bridge'
import { fromDocument } from './from-document'
import { fromLookups } from './from-lookups'
import { fromWeb } from './from-web'
import { rewritten, written } from './queries'
import type { RetrievalDefaults } from './retrieval-defaults'
import { retrievalDefaults } from './retrieval-defaults'
import type { RetrievalPorts } from './retrieve'
import { retrieve } from './retrieve'

type Ports = RetrievalPorts & {
  skills: Pick<Skills, 'answer' | 'fillLookup' | 'writeQueries' | 'rewriteQuery'>
  /** Nothing where web search is off. */
  web?: WebSearch | undefined
  /** What an operator lets be looked up beside the documents. */
  lookups?: readonly Lookup[]
  /** The passages that an earlier run of the thread rests on. */
  earlier?: Pick<RunStore, 'evidence'>
}
type Research = Work<'research'>

const stepOf = (run: Run, number: number): Step => {
  const step = run.steps.find((each) => each.step === number)
  if (!step) throw new AppError('run.step-missing', 'never')
  return step
}

const scopeOf = (run: Run): Scope => ({
  tenant: run.tenant,
  collections: run.route?.collections.length ? run.route.collections : run.collections,
  filters: run.filters ?? {},
  access: run.access ?? [],
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

const whyNothing = async ({ index }: Ports, scope: Scope, signal: AbortSignal): Promise<string> => {
  const where = `${scope.collections.length === 1 ? 'the collection' : 'the collections'} ${scope.collections.join(', ')}`
  if (scope.collections.length === 0) return 'there is no collection to search'
  const held = await index.count({ ...scope, filters: {} }, signal)
  if (held === 0) return `${where} hold${scope.collections.length === 1 ? 's' : ''} no passages yet`
  return Object.keys(scope.filters).length > 0 && (await index.count(scope, signal)) === 0 ? `no document in ${where} matches the filters` : `nothing in ${where} shares a word with the queries`
}

/** How much of what is found a policy wants; one without a word on it takes the usual. */
const settingsOf = ({ perQuery, atLeast }: Policy): RetrievalDefaults => {
  const { evidence } = retrievalDefaults
  return { ...retrievalDefaults, evidence: { ...evidence, perQuery: perQuery ?? evidence.perQuery, atLeast: atLeast ?? evidence.atLeast } }
}

const fromIndex = async (ports: Ports, work: Research, question: string): Promise<Result<'research'>> => {
  const { run, task, signal } = work
  const whole = task.failed ? [] : await fromDocument(ports.index, question, scopeOf(run), signal)
  if (whole.length > 0) return { outcome: 'found', source: 'index', queries: [question], passages: whole, reason: 'a whole document is to be summed up' }
  const asked = task.failed ? await rewritten(ports.skills, work, question, task.failed) : await written(ports.skills, work, question)
  const scope = scopeOf(run)
  const without = run.policy.keepEvidence === 'unite' ? task.failed?.passageIds : []
  const [retrieved, looked] = await Promise.all([
    retrieve(ports, { scope, queries: asked.queries, signal, onCall: work.onCall, ...(without && { without }) }, settingsOf(run.policy)),
    fromLookups({ skills: ports.skills, lookups: ports.lookups ?? [] }, work, question, scope),
  ])
  const passages = [...looked.passages.filter(({ id }) => !without?.includes(id)), ...retrieved.passages]
  const degraded = [...retrieved.degraded, ...looked.degraded]
  const brought = { ...asked, source: 'index' as const, ...(degraded.length > 0 && { degraded }) }
  if (passages.length > 0) return { outcome: 'found', passages, ...brought }
  return { outcome: 'nothing', ...brought, reason: without?.length ? 'nothing but what had failed before' : await whyNothing(ports, scope, signal) }
}

/** What the thread has is taken as it is; the earlier run may be gone by now, and then the documents are searched. */
const fromThread = async ({ earlier }: Ports, { run, task }: Research): Promise<Evidence[]> =>
  task.passageIds && run.inThread ? ((await earlier?.evidence(run.inThread.runId, task.passageIds)) ?? []) : []

export const research =
  (ports: Ports): StageHandler<'research'> =>
  async (work) => {
    const { run, task } = work
    const { web } = ports
    const known = await fromThread(ports, work)
    if (known.length > 0) return { outcome: 'found', source: 'index', queries: [], passages: known }
    if (task.source === 'web' && !web) return { outcome: 'nothing', source: 'web', queries: [], reason: 'web search is off' }
    const step = stepOf(run, task.step)
    const resolved = await resolve(ports.skills, work, step)
    const question = resolved ?? step.question
    const found = await (task.source === 'web' && web ? fromWeb({ web, skills: ports.skills }, work, question) : fromIndex(ports, work, question))
    return { ...found, ...(resolved !== undefined && { resolved }) }
  }
