import type { CohereClient } from 'cohere-ai'
import { z } from 'zod'
import type { Reranker } from '@plumbline/ports/search-models'
import { callerOver } from '../providers/caller'
import { guard, resilience, type Limits, type Resilience } from '../providers/resilience'
import { openWire } from '../providers/wire'
import { noProviderUsage, type Provider } from '../providers/provider'
import { readable, readOrder, type Order } from './ranking'

type RerankerOptions = {
  apiKey: string
  baseUrl?: string | undefined
  model: string
  limits?: Limits
}

type Question = { query: string; documents: string[]; topN: number }

const cohereUrl = 'https://api.cohere.com'
const settings = { key: 'COHERE_API_KEY', url: 'COHERE_BASE_URL', model: 'RERANK_MODEL' }

const Billed = z.object({
  meta: z.object({ billed_units: z.object({ search_units: z.number().nonnegative().nullish() }).nullish() }).nullish(),
})
const searchesIn = (body: unknown): number => Billed.safeParse(body).data?.meta?.billed_units?.search_units ?? 1

/** Call this when a reranker is opened. Loading the libraries takes longer than the timeout of a call. */
const cohereLibraries = () => {
  const libraries = Promise.all([import('@langchain/cohere'), import('cohere-ai')])
  libraries.catch(() => undefined)
  return libraries
}

const rerankProvider = (options: RerankerOptions): Provider<Question, Order> => {
  const { apiKey, model } = options
  const url = (options.baseUrl ?? cohereUrl).replace(/\/+$/, '').replace(/\/v[12]$/, '')
  const { host } = new URL(url)
  const library = cohereLibraries()
  return {
    operation: 'rerank',
    model,
    host,
    estimate: () => 0,
    about: ({ documents }) => ({ 'plumbline.rerank.documents': documents.length }),
    send: async (question, signal) => {
      const [{ CohereRerank }, { CohereClientV2 }] = await library
      const wire = openWire({ host, settings, secret: apiKey, signal })
      const client = new CohereClientV2({ token: apiKey, environment: url, maxRetries: 0, fetch: wire.fetch })
      // The library expects a client for version 1, but calls only `rerank`, which version 2 has too.
      const reranker = new CohereRerank({ client: client as unknown as CohereClient, model, topN: question.topN })
      try {
        await reranker.rerank(question.documents, question.query)
      } catch (error) {
        if (wire.body() === undefined) throw wire.faultOf(error)
      }
      const order = readOrder(wire.body(), question.documents.length, host, false)
      return {
        out: order.sort((a, b) => b.score - a.score),
        spent: { ...noProviderUsage, searches: searchesIn(wire.body()) },
      }
    },
  }
}

export const openCohereReranker = (options: RerankerOptions, parts: Partial<Resilience> = {}): Reranker => {
  const all = { ...resilience, ...parts }
  const provider = rerankProvider(options)
  const call = callerOver([guard(provider, all, options)], all)
  return {
    name: `${provider.model} at ${provider.host}`,
    rerank: async (query, documents, topN, signal, onCall) => {
      signal.throwIfAborted()
      if (documents.length === 0) return []
      const question = {
        query: readable(query, 'query'),
        documents: documents.map((document) => readable(document, 'document')),
        topN: Math.min(topN, documents.length),
      }
      return (await call(question, { signal, onCall })).slice(0, question.topN)
    },
  }
}
