import type { Evidence } from '@plumbline/contracts'
import { questionOf } from '@plumbline/flow'
import { isOutdated } from '@plumbline/knowledge/retrieval'
import type { Skills } from '@plumbline/skills'
import { summaryOf, titleFit } from '@plumbline/skills/summarise/asked'
import type { StageHandler, Work } from '@plumbline/worker'
import { callOf } from '../call'

type Ports = { skills: Pick<Skills, 'answer' | 'compute' | 'refineEvidence' | 'summarise'> }

/** Passages cut down to the strips that bear on the questions they were found for; one without such a strip stays whole. */
const refined = async (skills: Ports['skills'], work: Work<'generate'>): Promise<Evidence[]> =>
  Promise.all(
    work.evidence.map(async (passage) => {
      const steps = work.run.steps.filter((step) => step.evidence.some(({ id }) => id === passage.id))
      const question = steps.map((step) => step.resolved ?? step.question).join(' ') || questionOf(work.run)
      const strips = await skills.refineEvidence({ question, passage }, callOf(work, 'refineEvidence'))
      return strips.length > 0 ? { ...passage, text: strips.join('\n') } : passage
    }),
  )

/** The passages of the document that is to be summed up, in its order; a draft that has failed once is answered like any question. */
const toSumUp = ({ run, task, evidence }: Work<'generate'>): Evidence[] => {
  const asked = task.avoid ? null : summaryOf(questionOf(run))
  const whole = asked === null ? [] : evidence.filter(({ title }) => titleFit(asked, title) > 0)
  return whole.filter(({ documentId }) => documentId === whole[0]?.documentId).sort((a, b) => a.position - b.position)
}

const summed = (
  skills: Ports['skills'],
  work: Work<'generate'>,
  passages: Evidence[],
): ReturnType<Skills['summarise']> => {
  const { policy } = work.run
  const input = {
    question: questionOf(work.run),
    passages,
    maxSentences: policy.maxSentences,
    ...(policy.streamDrafts === 'on' && { onDelta: work.onDelta }),
  }
  return skills.summarise(input, callOf(work, 'summarise'))
}

/** Of a document that was replaced while the run read on, only the version speaks that was read last. */
const ofOneVersion = ({ run, evidence }: Work<'generate'>): Evidence[] => {
  const known = new Map(evidence.map((passage) => [passage.id, passage]))
  const inOrder = run.steps.flatMap((step) => step.evidence.flatMap(({ id }) => known.get(id) ?? []))
  const last = new Map(inOrder.map(({ documentId, version }) => [documentId, version]))
  return evidence.filter(({ documentId, version }) => !last.has(documentId) || last.get(documentId) === version)
}

/** What was amended is not answered from where the amendment stands beside it. */
const standing = (question: string, evidence: Evidence[]): Evidence[] =>
  evidence.filter(
    (passage) =>
      !isOutdated(question, passage, evidence) || !evidence.some(({ documentId }) => documentId === passage.amendedBy),
  )

export const generate =
  ({ skills }: Ports): StageHandler<'generate'> =>
  async (given) => {
    const work = { ...given, evidence: ofOneVersion(given) }
    const { run, task, onDelta } = work
    const whole = toSumUp(work)
    if (whole.length > 1) return { outcome: 'drafted', ...(await summed(skills, work, whole)) }
    const question = questionOf(run)
    const evidence = standing(
      question,
      run.policy.refineEvidence === 'on' ? await refined(skills, work) : work.evidence,
    )
    const shown = new Set(evidence.map(({ id }) => id))
    const steps = run.steps.map((step) => ({
      question: step.resolved ?? step.question,
      passageIds: step.evidence.map(({ id }) => id).filter((id) => shown.has(id)),
    }))
    const workings = await skills.compute({ question, evidence }, callOf(work, 'compute'))
    const { refused, ...drafted } = await skills.answer(
      {
        question,
        steps,
        evidence,
        ...(workings.length > 0 && { workings }),
        maxSentences: run.policy.maxSentences,
        ...(task.keep && { keep: task.keep }),
        ...(task.avoid && { avoid: task.avoid }),
        ...(task.guidance !== undefined && { guidance: task.guidance }),
        ...(run.policy.drafts === 'per-passage' && { perPassage: true }),
        ...(run.policy.streamDrafts === 'on' && { onDelta }),
      },
      callOf(work, 'answer'),
    )
    return refused === undefined
      ? { outcome: 'drafted', ...drafted, ...(workings.length > 0 && { workings }) }
      : { outcome: 'refused', reason: refused }
  }
