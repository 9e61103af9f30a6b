import type { Evidence, Grade, Level } from '@plumbline/contracts'
import { withHeading } from '@plumbline/knowledge/chunking/chunk'
import { AppError } from '@plumbline/platform'
import type { Reranker } from '@plumbline/ports/search-models'
import type { Call, GradeEvidence } from '../skill/skill'

const bars = { lenient: 0.3, normal: 0.5, strict: 0.7 }
const high = 0.8

const scoresOf = async (
  { name, rerank }: Reranker,
  question: string,
  passages: Evidence[],
  { signal, onCall }: Call,
): Promise<Map<string, number>> => {
  const documents = passages.map((passage) => withHeading(passage))
  const order = await rerank(question, documents, documents.length, signal, ({ model, usage }) =>
    onCall?.({ skill: 'gradeEvidence', model, usage }),
  )
  // If a score is missing, the grading fails, because the passage would otherwise count as irrelevant.
  if (new Set(order.map(({ index }) => index)).size < documents.length)
    throw new AppError('model.malformed', 'never', { cause: new Error(`${name} left out some of the documents`) })
  return new Map(order.flatMap(({ index, score }) => (passages[index] ? [[passages[index].id, score]] : [])))
}

export const crossEncoderGradeEvidence =
  (reranker: Reranker): GradeEvidence =>
  async ({ question, passages, strictness, against }, call) => {
    const groups = Map.groupBy(passages, ({ query }) => (against === 'query' && query) || question)
    const scored = await Promise.all([...groups].map(([query, own]) => scoresOf(reranker, query, own, call)))
    const scores = new Map(scored.flatMap((each) => [...each]))
    const bar = bars[strictness]
    return passages.map(({ id }): Grade => {
      const score = scores.get(id) ?? 0
      const relevant = score >= bar
      const level: Level = !relevant ? 'low' : score >= high ? 'high' : score >= bars.normal ? 'medium' : 'low'
      return {
        relevant,
        level,
        confidence: Math.min(1, 0.5 + Math.abs(score - bar)),
        reason: `${reranker.name} scores this passage ${score.toFixed(2)}; the minimum is ${bar}.`,
      }
    })
  }
