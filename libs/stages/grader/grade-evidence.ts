import type { Evidence, Grade, Level, Overall } from '@plumbline/contracts'
import type { Policy } from '@plumbline/flow'
import { isOutdated } from '@plumbline/knowledge/retrieval'
import { AppError } from '@plumbline/platform'
import type { Skills } from '@plumbline/skills'
import { summaryOf, titleFit } from '@plumbline/skills/summarise/asked'
import type { StageHandler } from '@plumbline/worker'
import { callOf } from '../call'

type Ports = { skills: Pick<Skills, 'gradeEvidence'> }

const height: Record<Level, number> = { low: 1, medium: 2, high: 3 }

const overallOf = (grades: Grade[], { passLevel, minRelevant }: Policy): Overall => {
  const relevant = grades.filter((grade) => grade.relevant)
  if (relevant.length === 0) return 'incorrect'
  const passing = relevant.filter(({ level }) => height[level] >= height[passLevel])
  return passing.length >= Math.max(1, minRelevant) ? 'correct' : 'ambiguous'
}

/** What a document says is what its summary needs, whatever it is about. */
const ofWhole = (question: string, { title }: Evidence): Grade | null => {
  const asked = summaryOf(question)
  return asked !== null && titleFit(asked, title) > 0
    ? { relevant: true, level: 'high', confidence: 1, reason: 'It is part of the document that is to be summed up.' }
    : null
}

/** Every passage is graded at once, against the step or the query it was found for. */
export const gradeEvidence =
  ({ skills }: Ports): StageHandler<'grade-evidence'> =>
  async (work) => {
    const { run, task, evidence } = work
    const step = run.steps.find((each) => each.step === task.step)
    if (!step) throw new AppError('run.step-missing', 'never')
    const passages = evidence.filter(({ id }) => task.passageIds.includes(id))
    const question = step.resolved ?? step.question
    const { strictness, gradeAgainst } = run.policy
    const against = ({ query }: Evidence): string => (gradeAgainst === 'query' && query) || question
    const grades = await Promise.all(
      passages.map(async (passage) => ({
        passageId: passage.id,
        ...(ofWhole(question, passage) ??
          (await skills.gradeEvidence(
            { question: against(passage), passage, strictness },
            callOf(work, 'gradeEvidence'),
          ))),
        ...(isOutdated(question, passage, evidence) && { outdated: true }),
      })),
    )
    return { outcome: 'graded', grades, overall: overallOf(grades, run.policy) }
  }
