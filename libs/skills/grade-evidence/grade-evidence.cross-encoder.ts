import type { Level } from '@plumbline/contracts'
import { headed } from '@plumbline/knowledge/chunking'
import { AppError } from '@plumbline/platform'
import type { Reranker } from '@plumbline/ports/reranker'
import type { Call } from '../skill'
import type { GradeEvidence } from './grade-evidence'

const bars = { lenient: 0.3, normal: 0.5, strict: 0.7 }
const high = 0.8

type Waiting = { document: string; resolve: (score: number) => void; reject: (error: unknown) => void }

/** Passages of one question that are graded in the same turn are scored in one call. */
const scoredTogether = ({
  name,
  rerank,
}: Reranker): ((question: string, document: string, call: Call) => Promise<number>) => {
  const turns = new Map<AbortSignal, Map<string, Waiting[]>>()
  const score = async (question: string, waiting: Waiting[], { signal, onCall }: Call): Promise<void> => {
    try {
      const order = await rerank(
        question,
        waiting.map(({ document }) => document),
        waiting.length,
        signal,
        ({ model, usage }) => onCall?.({ skill: 'gradeEvidence', model, usage }),
      )
      const scores = new Map(order.map((one) => [one.index, one.score]))
      // What is left out was not found irrelevant.
      if (scores.size < waiting.length)
        throw new AppError('model.malformed', 'never', { cause: new Error(`${name} left out some of the documents`) })
      waiting.forEach(({ resolve }, at) => resolve(scores.get(at) ?? 0))
    } catch (error) {
      for (const { reject } of waiting) reject(error)
    }
  }
  return (question, document, call) =>
    new Promise((resolve, reject) => {
      const turn = turns.get(call.signal) ?? new Map<string, Waiting[]>()
      turns.set(call.signal, turn)
      const waiting = turn.get(question)
      if (waiting) return void waiting.push({ document, resolve, reject })
      const first: Waiting[] = [{ document, resolve, reject }]
      turn.set(question, first)
      queueMicrotask(() => {
        turns.delete(call.signal)
        void score(question, first, call)
      })
    })
}

/** No model call: how well a cross-encoder says that passage and question belong together is the grade. */
export const crossEncoderGradeEvidence = (reranker: Reranker): GradeEvidence => {
  const scoreOf = scoredTogether(reranker)
  return async ({ question, passage, strictness }, call) => {
    const score = await scoreOf(question, headed(passage), call)
    const bar = bars[strictness]
    const relevant = score >= bar
    const level: Level = !relevant ? 'low' : score >= high ? 'high' : score >= bars.normal ? 'medium' : 'low'
    const confidence = Math.min(1, 0.5 + Math.abs(score - bar))
    return {
      relevant,
      level,
      confidence,
      reason: `${reranker.name} scores it ${score.toFixed(2)}; ${bar} is asked for.`,
    }
  }
}
