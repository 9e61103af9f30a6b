import type { Cohere, CohereClient as Version1 } from 'cohere-ai'
import { z } from 'zod'
import type { Reranker } from '@plumbline/ports/search-models'
import { callerOver } from '../providers/caller'
import { guard, resilience, type Limits, type Resilience } from '../providers/resilience'
import { openWire } from '../providers/wire'
import { noProviderUsage, type Provider } from '../providers/provider'
import { rerankableText, readOrder, type Order } from './ranking'

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

const openLibraries = async () => {
  const [{ CohereRerank }, { CohereClient }] = await Promise.all([import('@langchain/cohere'), import('cohere-ai')])
  /** LangChain's reranker calls version 1 of the API. This client sends the same requests to version 2. */
  class Client extends CohereClient {
    override rerank(request: Cohere.RerankRequest, options?: Parameters<Version1['rerank']>[1]) {
      const documents = request.documents.map((document) =>
        typeof document === 'string' ? document : (document.text ?? ''),
      )
      const { model = '', query, topN } = request
      return this.v2.rerank({ model, query, documents, ...(topN !== undefined && { topN }) }, options)
    }
  }
  return { CohereRerank, Client }
}

/** Starts to load the libraries. Call this when a reranker is opened, because loading may exceed a call's timeout. */
const cohereLibraries = () => {
  const libraries = openLibraries()
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
      const { CohereRerank, Client } = await library
      const wire = openWire({ host, settings, secret: apiKey, signal })
      const client = new Client({ token: apiKey, environment: url, maxRetries: 0, fetch: wire.fetch })
      const reranker = new CohereRerank({ client, model, topN: question.topN })
      const ranked = await reranker.rerank(question.documents, question.query).catch((error: unknown) => {
        throw wire.faultOf(error)
      })
      const scored = ranked.map(({ index, relevanceScore: score }) => ({ index, score }))
      const order = readOrder(scored, question.documents.length, host, false)
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
        query: rerankableText(query, 'query'),
        documents: documents.map((document) => rerankableText(document, 'document')),
        topN: Math.min(topN, documents.length),
      }
      return (await call(question, { signal, onCall })).slice(0, question.topN)
    },
  }
}
