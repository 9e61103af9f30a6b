import type { Evidence } from '@plumbline/contracts'
import type { Run, Step } from '@plumbline/flow'
import { AppError } from '@plumbline/platform'
import type { PassageIndex } from '@plumbline/ports/passage-index/passage-index'
import type { RunStore } from '@plumbline/ports/run-store/run-store'
import type { WebSearch } from '@plumbline/ports/web-search'
import type { Skills } from '@plumbline/skills/skill/skill'
import type { StageHandler, Work } from '@plumbline/worker'
import { callOf } from '../handler/skill-call'
import { fromIndex, type IndexPorts, scopeOf } from './from-index'
import { fromWeb, isWebPage } from './from-web'

type Ports = IndexPorts & {
  skills: Pick<Skills, 'shortAnswer'>
  web?: WebSearch | undefined
  earlier?: Pick<RunStore, 'evidence'>
}
type Research = Work<'research'>

const stepOf = (run: Run, number: number): Step => {
  const step = run.steps.find((each) => each.step === number)
  if (!step) throw new AppError('run.step-missing', 'never')
  return step
}

/**
 * Replaces a placeholder such as `#1` in a step's question by the answer to step 1, or by the question of step 1 if it
 * has no answer.
 */
const resolve = async (skills: Ports['skills'], work: Research, step: Step): Promise<string | undefined> => {
  if (step.resolved !== undefined || step.waitsFor === null) return step.resolved
  const first = stepOf(work.run, step.waitsFor)
  const question = first.resolved ?? first.question
  const ids = new Set(first.evidence.map(({ id }) => id))
  const evidence = work.evidence.filter(({ id }) => ids.has(id))
  const found = evidence.length > 0 ? await skills.shortAnswer({ question, evidence }, callOf(work, 'answer')) : null
  return step.question.replace(new RegExp(`#${first.step}(?!\\d)`, 'g'), () => found ?? `(${question})`)
}

/** A passage of an earlier run may be used only if its document is unchanged and this run may search the document. */
const isStillReadable = async (index: PassageIndex, { run, signal }: Research, passage: Evidence): Promise<boolean> => {
  if (isWebPage(passage)) return run.webOn
  const { id, documentId, position, version } = passage
  const here = await index.passages(scopeOf(run), documentId, { from: position, to: position }, signal)
  return here.some((now) => now.id === id && (version === undefined || now.version === version))
}

const fromThread = async ({ earlier, index }: Ports, work: Research): Promise<Evidence[]> => {
  const { run, task } = work
  if (!earlier || !task.passageIds || run.inThread?.runId === undefined) return []
  const known = await earlier.evidence(run.inThread.runId, task.passageIds)
  const readable = await Promise.all(known.map((passage) => isStillReadable(index, work, passage)))
  return known.filter((_, at) => readable[at])
}

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
      ? fromWeb({ web, skills: ports.skills }, work, question, step)
      : fromIndex(ports, work, question, step))
    return { ...found, ...(resolved !== undefined && { resolved }) }
  }
