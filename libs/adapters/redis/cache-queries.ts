import { AppError } from '@plumbline/platform'
import type { Embedder } from '@plumbline/ports/embedder'
import type { Reranker } from '@plumbline/ports/reranker'
import { z } from 'zod'
import { cacheLimits, digestOf, readKept, type Cache } from './cache'

const vectors = { name: 'vectors', limits: cacheLimits.vectors }
const reranks = { name: 'reranks', limits: cacheLimits.reranks }

export const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)
/** A copy: a slice of a reply may begin where no number may. */
export const vectorOf = (bytes: Uint8Array): Float32Array => new Float32Array(Uint8Array.from(bytes).buffer)

const nextOf = (vectors: Iterator<Float32Array>): Float32Array => {
  const { value, done } = vectors.next()
  if (done) throw new AppError('embedder.short', 'later')
  return value
}

/** Remembers the vectors of queries. Documents are embedded once each, and would only drive the queries out. */
export const cachedEmbedder = (embedder: Embedder, cache: Cache): Embedder => {
  const { name, dimensions } = embedder
  const keyOf = (text: string): string => digestOf([name, dimensions, text])
  const known = async (text: string): Promise<Float32Array | null> => {
    const bytes = await cache.get(vectors, keyOf(text))
    return bytes?.byteLength === dimensions * 4 ? vectorOf(bytes) : null
  }
  return {
    name,
    dimensions,
    embed: async (texts, signal, onCall) => {
      signal.throwIfAborted()
      const found = await Promise.all(texts.map(known))
      const missing = texts.filter((_, at) => !found[at])
      const made = missing.length > 0 ? await embedder.embed(missing, signal, onCall) : []
      for (const [at, vector] of made.entries()) void cache.put(vectors, keyOf(missing[at] ?? ''), bytesOf(vector))
      const rest = made.values()
      return found.map((vector) => vector ?? nextOf(rest))
    },
  }
}

const Order = z.array(z.tuple([z.number().int().min(0), z.number()]))

const orderOf = (bytes: Buffer | null, documents: number): { index: number; score: number }[] | null => {
  const read = bytes && readKept(Order, bytes)
  return read?.every(([index]) => index < documents) ? read.map(([index, score]) => ({ index, score })) : null
}

/** Remembers how documents were ranked against a query: the same query, documents and number of them, word for word. */
export const cachedReranker = (reranker: Reranker, cache: Cache): Reranker => ({
  name: reranker.name,
  rerank: async (query, documents, topN, signal, onCall) => {
    signal.throwIfAborted()
    const key = digestOf([reranker.name, topN, query, documents])
    const known = orderOf(await cache.get(reranks, key), documents.length)
    if (known) return known
    const order = await reranker.rerank(query, documents, topN, signal, onCall)
    void cache.put(reranks, key, Buffer.from(JSON.stringify(order.map(({ index, score }) => [index, score]))))
    return order
  },
})
