import type { CohereClient } from 'cohere-ai'
import { z } from 'zod'
import type { Reranker } from '@plumbline/ports/reranker'
import {
  callerOver,
  guard,
  openWire,
  ProviderError,
  readable,
  resilience,
  systemClock,
  type Clock,
  type Limits,
  type Provider,
  type Resilience,
} from '../providers'

type RerankerOptions = {
  apiKey: string
  baseUrl?: string | undefined
  model: string
  limits?: Limits
  clock?: Pick<Clock, 'now'>
}

type Question = { query: string; documents: string[]; topN: number }
type Order = { index: number; score: number }[]

const cohereUrl = 'https://api.cohere.com'
const settings = { key: 'COHERE_API_KEY', url: 'COHERE_BASE_URL', model: 'RERANK_MODEL' }

const Ranking = z.object({
  results: z.array(z.object({ index: z.number().int().nonnegative(), relevance_score: z.number() })),
  meta: z.object({ billed_units: z.object({ search_units: z.number().nonnegative().nullish() }).nullish() }).nullish(),
})

const readRanking = (body: unknown, { documents }: Question, host: string): { order: Order; searches: number } => {
  const read = Ranking.safeParse(body)
  const order = read.data?.results.map(({ index, relevance_score: score }) => ({ index, score })) ?? []
  const distinct = new Set(order.map(({ index }) => index))
  if (!read.success || distinct.size !== order.length || order.some(({ index }) => index >= documents.length))
    throw new ProviderError('malformed', `${host} answered something else than an order of the documents.`)
  return { order: order.sort((a, b) => b.score - a.score), searches: read.data.meta?.billed_units?.search_units ?? 1 }
}

/** They begin to load as a reranker is opened, since that takes longer than a call may. */
const cohereLibraries = () => {
  const libraries = Promise.all([import('@langchain/cohere'), import('cohere-ai')])
  libraries.catch(() => undefined)
  return libraries
}

const rerankProvider = (options: RerankerOptions): Provider<Question, Order> => {
  const { apiKey, model, clock = systemClock } = options
  const url = (options.baseUrl ?? cohereUrl).replace(/\/+$/, '').replace(/\/v[12]$/, '')
  const { host } = new URL(url)
  const library = cohereLibraries()
  return {
    model,
    host,
    estimate: () => 0,
    send: async (question, signal) => {
      const [{ CohereRerank }, { CohereClientV2 }] = await library
      const wire = openWire({ host, settings, secret: apiKey, signal, clock })
      const client = new CohereClientV2({ token: apiKey, environment: url, maxRetries: 0, fetch: wire.fetch })
      // The library's type names the client of the first API; it calls `rerank`, which both have.
      const reranker = new CohereRerank({ client: client as unknown as CohereClient, model, topN: question.topN })
      try {
        await reranker.rerank(question.documents, question.query)
      } catch (error) {
        if (wire.body() === undefined) throw wire.faultOf(error)
      }
      const { order, searches } = readRanking(wire.body(), question, host)
      return { out: order, spent: { tokensIn: 0, tokensOut: 0, searches } }
    },
  }
}

/** Cohere's reranker, or one that speaks its API. */
export const openCohereReranker = (options: RerankerOptions, parts: Partial<Resilience> = {}): Reranker => {
  const all = { ...resilience, ...parts }
  const provider = rerankProvider({ clock: all.clock, ...options })
  const call = callerOver([guard(provider, all, options.limits ? { limits: options.limits } : {})], all)
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
