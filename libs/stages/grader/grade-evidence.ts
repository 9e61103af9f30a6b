import type { Grade, Level, Overall } from '@plumbline/contracts'
import type { Policy } from '@plumbline/flow'
import { isOutdated } from '@plumbline/knowledge/retrieval'
import { AppError } from '@plumbline/platform'
import type { Skills } from '@plumbline/skills/skill/skill'
import type { StageHandler } from '@plumbline/worker'
import { callOf } from '../handler/skill-call'

type Ports = { skills: Pick<Skills, 'gradeEvidence'> }

const height: Record<Level, number> = { low: 1, medium: 2, high: 3 }

const overallOf = (grades: Grade[], { passLevel, minRelevant }: Policy): Overall => {
  const relevant = grades.filter((grade) => grade.relevant)
  if (relevant.length === 0) return 'incorrect'
  const passing = relevant.filter(({ level }) => height[level] >= height[passLevel])
  return passing.length >= Math.max(1, minRelevant) ? 'correct' : 'ambiguous'
}

export const gradeEvidence =
  ({ skills }: Ports): StageHandler<'grade-evidence'> =>
  async (work) => {
    const { run, task, evidence } = work
    const step = run.steps.find((each) => each.step === task.step)
    if (!step) throw new AppError('run.step-missing', 'never')
    const passages = task.passageIds.flatMap((id) => evidence.filter((passage) => passage.id === id))
    const question = step.resolved ?? step.question
    const { strictness, gradeAgainst } = run.policy
    const given = await skills.gradeEvidence(
      { question, passages, strictness, against: gradeAgainst },
      callOf(work, 'gradeEvidence'),
    )
    const grades = passages.flatMap((passage, at) => {
      const grade = given[at]
      return grade
        ? [{ passageId: passage.id, ...grade, ...(isOutdated(question, passage, evidence) && { outdated: true }) }]
        : []
    })
    return { outcome: 'graded', grades, overall: overallOf(grades, run.policy) }
  }
