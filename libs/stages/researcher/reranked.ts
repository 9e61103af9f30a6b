import { headed } from '@plumbline/knowledge/chunking'
import { orAborted } from '@plumbline/platform'
import type { ProviderCall } from '@plumbline/ports/chat-model'
import type { Found } from '@plumbline/ports/passage-index'
import type { Reranker } from '@plumbline/ports/reranker'

type Asked = {
  reranker: Reranker
  query: string
  topN: number
  timeoutMs: number
  signal: AbortSignal
  onCall: ((call: ProviderCall) => void) | undefined
}

/** The reranker may fail, hang or say nothing: then the order stands as it is, and the caller is told. */
export const reranked = async (
  candidates: Found[],
  { reranker, query, topN, timeoutMs, signal, onCall }: Asked,
): Promise<{ best: Found[]; degraded: boolean }> => {
  if (candidates.length === 0) return { best: [], degraded: false }
  try {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    const order = await orAborted(
      reranker.rerank(
        query,
        candidates.map(({ passage }) => headed(passage)),
        topN,
        limited,
        onCall,
      ),
      limited,
    )
    const best = order.flatMap(({ index, score }) => {
      const candidate = candidates[index]
      return candidate ? [{ passage: candidate.passage, scores: { ...candidate.scores, rerank: score } }] : []
    })
    if (best.length > 0) return { best, degraded: false }
  } catch {
    signal.throwIfAborted()
  }
  return { best: candidates.slice(0, topN), degraded: true }
}
