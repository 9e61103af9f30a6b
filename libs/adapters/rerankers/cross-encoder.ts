import type { Reranker } from '@plumbline/ports/search-models'
import { callerOver } from '../providers/caller'
import { guard, resilience, type Limits, type Resilience } from '../providers/resilience'
import { openWire } from '../providers/wire'
import { ProviderError, type Provider } from '../providers/provider'
import { rerankableText, readOrder, type Order } from './ranking'

type CrossEncoderOptions = {
  url: string
  apiKey?: string | undefined
  model?: string | undefined
  limits?: Limits
}
type Question = { query: string; documents: string[] }
type Shape = 'documents' | 'texts'

const settings = { key: 'CROSS_ENCODER_API_KEY', url: 'CROSS_ENCODER_URL', model: 'CROSS_ENCODER_MODEL' }
/** The maximum number of documents per request. No common server has a lower limit. */
const atOnce = 32

const bodyOf = (shape: Shape, { query, documents }: Question, model: string | undefined): object =>
  shape === 'texts'
    ? { query, texts: documents, truncate: true }
    : { query, documents, top_n: documents.length, ...(model !== undefined && { model }) }

/** Converts log odds to a score from 0 to 1. Any score outside this range is in log odds. */
const logistic = (score: number): number => 1 / (1 + Math.exp(-score))
const isRaw = ({ score }: Order[number]): boolean => score < 0 || score > 1

/**
 * Learns whether the server expects the request field `documents` or `texts`. Most servers expect `documents`, but
 * text-embeddings-inference expects `texts`.
 */
const shapeLearner = () => {
  let shape: Shape = 'documents'
  let sure = false
  let inDocuments = ''
  return {
    shape: (): Shape => shape,
    answered: (asked: Shape): void => {
      shape = asked
      sure = true
    },
    refused: (asked: Shape, fault: ProviderError): ProviderError => {
      if (fault.kind !== 'rejected' || (sure && asked === shape)) return fault
      const { message } = fault
      if (sure || asked === 'documents') {
        if (!sure) [shape, inDocuments] = ['texts', message]
        return new ProviderError('unsupported', message, { cause: fault })
      }
      shape = 'documents'
      return message === inDocuments
        ? fault
        : new ProviderError('rejected', `${inDocuments} With texts: ${message}`, { cause: fault })
    },
  }
}

const scoreProvider = ({ url, apiKey, model }: CrossEncoderOptions): Provider<Question, Order> => {
  const { host } = new URL(url)
  const address = /\/rerank\/?$/.test(url) ? url : `${url.replace(/\/+$/, '')}/rerank`
  const learnt = shapeLearner()
  return {
    operation: 'rerank',
    model: model ?? 'cross-encoder',
    host,
    estimate: () => 0,
    about: ({ documents }) => ({ 'plumbline.rerank.documents': documents.length }),
    send: async (question, signal) => {
      const wire = openWire({ host, settings, secret: apiKey, signal })
      const asked = learnt.shape()
      const headers = {
        'content-type': 'application/json',
        ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      }
      try {
        await wire.fetch(address, { method: 'POST', headers, body: JSON.stringify(bodyOf(asked, question, model)) })
      } catch (error) {
        throw learnt.refused(asked, wire.faultOf(error))
      }
      const order = readOrder(wire.body(), question.documents.length, host, true)
      learnt.answered(asked)
      return { out: order, spent: { tokensIn: 0, tokensOut: 0 } }
    },
  }
}

/** The scores of this reranker are between 0 and 1 and can be compared between queries. */
export const openCrossEncoder = (options: CrossEncoderOptions, parts: Partial<Resilience> = {}): Reranker => {
  const all = { ...resilience, ...parts }
  const provider = scoreProvider(options)
  let raw = false
  const call = callerOver([guard(provider, all, options)], all)
  return {
    name: `${provider.model} at ${provider.host}`,
    rerank: async (query, documents, topN, signal, onCall) => {
      signal.throwIfAborted()
      const starts = Array.from({ length: Math.ceil(documents.length / atOnce) }, (_, at) => at * atOnce)
      const orders = await Promise.all(
        starts.map(async (start) => {
          const batch = documents.slice(start, start + atOnce).map((document) => rerankableText(document, 'document'))
          const order = await call({ query: rerankableText(query, 'query'), documents: batch }, { signal, onCall })
          return order.map(({ index, score }) => ({ index: start + index, score }))
        }),
      )
      const order = orders.flat()
      // Once a server has sent log odds, all its scores are treated as log odds. Log odds can also be between 0 and 1.
      raw ||= order.some(isRaw)
      const scored = raw ? order.map(({ index, score }) => ({ index, score: logistic(score) })) : order
      return scored.sort((a, b) => b.score - a.score).slice(0, topN)
    },
  }
}
