import type { Stage } from '@plumbline/flow'
import type { StageHandlers } from '@plumbline/worker'
import { plainHandlers } from './bench'

/**
 * Returns handlers that obey words of the question: `again` causes another search with a rewritten query, `cheese` an
 * answer that no passage supports, and `poison` an error.
 */
export const scriptedHandlers = (): StageHandlers<Stage> => {
  const plain = plainHandlers()
  return {
    ...plain,
    research: async (work) => {
      if (work.run.question.includes('poison')) throw new Error('the index does not answer')
      const { task } = work
      const result = await plain.research(work)
      if (task.try === 1 || result.outcome !== 'found') return result
      const passages = result.passages.map((passage) => ({ ...passage, id: `${passage.id}-${task.try}` }))
      return { ...result, passages, strategy: 'narrow-focus' }
    },
    'grade-evidence': async (work) => {
      const result = await plain['grade-evidence'](work)
      const isPoor = work.run.question.includes('again') && work.task.try === 1
      if (!isPoor || result.outcome !== 'graded') return result
      const grades = result.grades.map((grade) => ({ ...grade, relevant: false, level: 'low' as const }))
      return { ...result, overall: 'incorrect', grades }
    },
    'grade-answer': async (work) => {
      const result = await plain['grade-answer'](work)
      if (!work.run.question.includes('cheese') || result.outcome !== 'graded') return result
      const claims = result.claims.map((claim) => ({ ...claim, verdict: 'unsupported' as const, passageId: null }))
      return { ...result, claims, support: 'none' as const }
    },
  }
}
