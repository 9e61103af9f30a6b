import type { Evidence } from '@plumbline/contracts'
import { passing, questionOf, type Shown } from '@plumbline/flow'
import { tablesWithin } from '@plumbline/knowledge/chunking/tables'
import { continueShown } from '@plumbline/knowledge/claims/closed-part'
import { piecesOf } from '@plumbline/knowledge/claims/pieces'
import { isOutdated } from '@plumbline/knowledge/retrieval'
import type { Distant, Drafted, Skills } from '@plumbline/skills/skill/skill'
import type { StageHandler, Work } from '@plumbline/worker'
import { coverageOf, splitCoverage } from '../handler/coverage'
import { byNumber, passageNumbers } from '../handler/passage-numbers'
import { callOf } from '../handler/skill-call'
import { earlyRelease, releasesEarly } from '../handler/early-release'

type Ports = { skills: Pick<Skills, 'answer' | 'checkPart' | 'refineEvidence' | 'summarise'> }

const refined = async (skills: Ports['skills'], work: Work<'generate'>): Promise<Evidence[]> =>
  Promise.all(
    work.evidence.map(async (passage) => {
      const steps = work.run.steps.filter((step) => step.evidence.some(({ id }) => id === passage.id))
      const question = steps.map((step) => step.resolved ?? step.question).join(' ') || questionOf(work.run)
      const strips = await skills.refineEvidence({ question, passage }, callOf(work, 'refineEvidence'))
      const text = strips.join('\n')
      return text === '' ? passage : { ...passage, text, ...tablesWithin(text, [passage]) }
    }),
  )

/** Removes passages of old versions, because a document may be replaced during the run. */
const ofOneVersion = ({ run, evidence }: Work<'generate'>): Evidence[] => {
  const known = new Map(evidence.map((passage) => [passage.id, passage]))
  const inOrder = run.steps.flatMap((step) => step.evidence.flatMap(({ id }) => known.get(id) ?? []))
  const last = new Map(inOrder.map(({ documentId, version }) => [documentId, version]))
  return evidence.filter(({ documentId, version }) => !last.has(documentId) || last.get(documentId) === version)
}

const standing = (question: string, evidence: Evidence[]): Evidence[] =>
  evidence.filter(
    (passage) =>
      !isOutdated(question, passage, evidence) || !evidence.some(({ documentId }) => documentId === passage.amendedBy),
  )

const byPlace = (a: Evidence, b: Evidence): number => a.position - b.position

type Written = Extract<Drafted, { kind: 'written' }>

const withCoverage = <Draft extends Drafted | Distant>(draft: Draft, coverage: string | null): Draft =>
  draft.kind === 'written' && coverage !== null ? { ...draft, text: `${draft.text}\n\n${coverage}` } : draft

const keptOf = ({ run, task }: Work<'generate'>): { keep?: string[] | undefined; coverage: string | null } => {
  const isCoverage = (text: string): boolean => splitCoverage(text).coverage === text
  if (run.route?.to !== 'summarise') return { keep: task.keep, coverage: null }
  return { keep: task.keep?.filter((text) => !isCoverage(text)), coverage: task.keep?.find(isCoverage) ?? null }
}

const drafted = async (
  skills: Ports['skills'],
  work: Work<'generate'>,
  all: Evidence[],
): Promise<Drafted | Distant> => {
  const { run, task, onDelta } = work
  const question = questionOf(run)
  const { maxSentences, refineEvidence, drafts, streamDrafts } = run.policy
  const streaming = streamDrafts === 'on' && { onDelta }
  // If a summary failed its check (`avoid` is set), the document is not summarized again. The question is then answered
  // like any other question.
  if (run.route?.to === 'summarise' && !task.avoid)
    return withCoverage(
      await skills.summarise(
        { question, passages: [...work.evidence].sort(byPlace), maxSentences, ...streaming },
        callOf(work, 'summarise'),
      ),
      coverageOf(work.evidence),
    )
  const evidence = standing(question, refineEvidence === 'on' ? await refined(skills, work) : work.evidence)
  const shown = new Set(evidence.map(({ id }) => id))
  const steps = run.steps.map((step) => ({
    question: step.resolved ?? step.question,
    passageIds: passing(run.policy, step).flatMap(({ id }) => (shown.has(id) ? [id] : [])),
  }))
  const { keep, coverage } = keptOf(work)
  const numbers = passageNumbers(run)
  const early = releasesEarly(work) ? earlyRelease(skills, work, byNumber(all, numbers)) : undefined
  const answer = await skills
    .answer(
      {
        question,
        steps,
        evidence: byNumber(evidence, numbers),
        numbers,
        ...(run.inThread && { followUp: run.question }),
        maxSentences,
        keep,
        avoid: task.avoid,
        guidance: task.guidance,
        perPassage: drafts === 'per-passage',
        ...streaming,
        ...(early && { onPart: early.onPart, endParts: async () => (await early.stop()) !== undefined }),
        ...(run.shown && { begun: run.shown.text }),
      },
      callOf(work, 'answer'),
    )
    .finally(() => early?.stop())
  return answer.kind === 'written'
    ? withCoverage(continued((await early?.stop()) ?? run.shown, answer), coverage)
    : answer
}

const continued = (shown: Omit<Shown, 'checkKey'> | undefined, draft: Written): Written => {
  if (!shown) return draft
  const text = continueShown(shown.text, draft.text)
  const used = new Set(piecesOf(text).flatMap(({ marks }) => marks))
  const citations = [...new Map([...draft.citations, ...shown.citations].map((each) => [each.n, each])).values()]
  const before = shown.workings ?? []
  const later = (draft.workings ?? []).filter(({ what }) => !before.some((working) => working.what === what))
  const workings = [...before, ...later]
  return {
    ...draft,
    text,
    citations: citations.filter(({ n }) => used.has(n)).sort((a, b) => a.n - b.n),
    ...(workings.length > 0 && { workings }),
  }
}

export const generate =
  ({ skills }: Ports): StageHandler<'generate'> =>
  async (work) => {
    const result = await drafted(skills, { ...work, evidence: ofOneVersion(work) }, work.evidence)
    switch (result.kind) {
      case 'written': {
        const { kind: _, ...written } = result
        return { outcome: 'drafted', ...written }
      }
      case 'quoted': {
        const { kind: _, ...quoted } = result
        return { outcome: 'quoted', ...quoted }
      }
      case 'distant':
        return { outcome: 'distant' }
      case 'refused':
        return { outcome: 'refused', reason: result.reason }
    }
  }
