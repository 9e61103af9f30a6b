import type { Evidence } from '@plumbline/contracts'
import type { Run, Step } from '@plumbline/flow'
import { headed } from '@plumbline/knowledge/chunking'
import { AppError } from '@plumbline/platform'
import type { Skills } from '@plumbline/skills'
import { unanswered } from '@plumbline/skills/reading/unanswered'
import type { RunStore } from '@plumbline/ports/run-store'
import type { WebSearch } from '@plumbline/ports/web-search'
import type { StageHandler, Work } from '@plumbline/worker'
import { callOf } from '../call'
import { carried, fillIn } from './bridge'
import type { IndexPorts } from './from-index'
import { fromIndex } from './from-index'
import { fromWeb } from './from-web'

type Ports = IndexPorts & {
  skills: Pick<Skills, 'answer'>
  /** Nothing where web search is off. */
  web?: WebSearch | undefined
  /** The passages that an earlier run of the thread rests on. */
  earlier?: Pick<RunStore, 'evidence'>
}
type Research = Work<'research'>

const stepOf = (run: Run, number: number): Step => {
  const step = run.steps.find((each) => each.step === number)
  if (!step) throw new AppError('run.step-missing', 'never')
  return step
}

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
  return (
    carried(
      question,
      text,
      evidence.map((passage) => headed(passage)),
    ) ?? unanswered(question)
  )
}

const resolve = async (skills: Ports['skills'], work: Research, step: Step): Promise<string | undefined> => {
  if (step.resolved !== undefined || step.waitsFor === null) return step.resolved
  const first = stepOf(work.run, step.waitsFor)
  return fillIn(step.question, first.step, await bridged(skills, work, first))
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
    if (task.source === 'web' && !web)
      return { outcome: 'nothing', source: 'web', queries: [], reason: 'web search is off' }
    const step = stepOf(run, task.step)
    const resolved = await resolve(ports.skills, work, step)
    const question = resolved ?? step.question
    const found = await (task.source === 'web' && web
      ? fromWeb({ web, skills: ports.skills }, work, question)
      : fromIndex(ports, work, question))
    return { ...found, ...(resolved !== undefined && { resolved }) }
  }
