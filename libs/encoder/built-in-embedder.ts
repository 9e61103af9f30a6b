import { rejectOnAbort } from '@plumbline/platform'
import type { Embedder } from '@plumbline/ports/search-models'
import { LRUCache } from 'lru-cache'
import { type EncoderThread, openEncoderThread } from './encoder-thread'

/** Each collection stores the name of its embedder. Change the name if the weights or the encoding of texts change. */
export const builtInName = 'all-MiniLM-L6-v2-int8'
const builtInDimensions = 384

/** The maximum number of cached vectors. Each vector needs 1.5 KB. */
const mostCached = 8_000

type Job = {
  text: string
  signal: AbortSignal
  resolve: (vector: Float32Array) => void
  reject: (error: unknown) => void
}

/** The embedders encode one text at a time, because batches are slower on one thread. Questions come first. */
export const embeddersOver = (thread: Pick<EncoderThread, 'encode'>) => {
  const cache = new LRUCache<string, Float32Array>({ max: mostCached })
  const queues: Record<'questions' | 'documents', Job[]> = { questions: [], documents: [] }
  let isBusy = false

  const work = async (): Promise<void> => {
    if (isBusy) return
    isBusy = true
    for (let job; (job = queues.questions.shift() ?? queues.documents.shift());) {
      // Skip an aborted job, because its caller has already received the error.
      if (!job.signal.aborted) await thread.encode(job.text).then(job.resolve, job.reject)
    }
    isBusy = false
  }
  const encode = (queue: Job[], text: string, signal: AbortSignal): Promise<Float32Array> =>
    rejectOnAbort(
      new Promise((resolve, reject) => {
        queue.push({ text, signal, resolve, reject })
        void work()
      }),
      signal,
    )
  const cached = async (text: string, signal: AbortSignal): Promise<Float32Array> => {
    const known = cache.get(text)
    if (known) return known
    const vector = await encode(queues.questions, text, signal)
    cache.set(text, vector)
    return vector
  }
  const embedder = (encodeOne: (text: string, signal: AbortSignal) => Promise<Float32Array>): Embedder => ({
    name: builtInName,
    dimensions: builtInDimensions,
    embed: async (texts, signal) => {
      signal.throwIfAborted()
      return Promise.all(texts.map((text) => encodeOne(text, signal)))
    },
  })
  return {
    questions: embedder(cached),
    documents: embedder((text, signal) => encode(queues.documents, text, signal)),
  }
}

let shared: ReturnType<typeof embeddersOver> | undefined

/** All callers share these embedders and one thread. The thread starts when the first text is encoded. */
export const builtInEmbedders = () => (shared ??= embeddersOver(openEncoderThread()))
