import type { AnswerCache, KnownAnswer } from '@plumbline/adapters/redis'
import { questionOf } from '@plumbline/flow'
import type { Embedder } from '@plumbline/ports/embedder'
import type { Work } from '@plumbline/worker'

export type KnownBefore = (work: Work<'route'>) => Promise<KnownAnswer | null>

/** A question is embedded for this; one that cannot be at once is answered as if nothing were known. */
const patienceMs = 2_000

/** The answer of an earlier run that asked just this, where one is kept. */
export const knownBefore =
  (cache: AnswerCache, embedder: Embedder): KnownBefore =>
  async ({ run, signal, onCall }) => {
    if (!cache.mayKnow(run)) return null
    try {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
      const [vector] = await embedder.embed([questionOf(run)], limited, ({ model, usage }) =>
        onCall({ skill: 'embed', model, usage }),
      )
      return vector ? await cache.look(run, { vector, embedder: embedder.name }) : null
    } catch {
      signal.throwIfAborted()
      return null
    }
  }
