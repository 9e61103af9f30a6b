import { z } from 'zod'
import { AppError } from '@plumbline/platform'
import type { Embedder } from '@plumbline/ports/search-models'
import { callerOver } from '../providers/caller'
import { guard, resilience, type Limits, type Resilience } from '../providers/resilience'
import { ProviderError, type Provider } from '../providers/provider'
import { clientOptions, hostOf, openAiLibrary, wireTo, type Endpoint } from './endpoint'

const limits = { texts: 96, bytes: 400_000, bytesOfText: 20_000 }

const cut = (text: string): string => {
  if (Buffer.byteLength(text) <= limits.bytesOfText) return text
  return Buffer.from(text)
    .subarray(0, limits.bytesOfText)
    .toString('utf8')
    .replace(/\uFFFD+$/, '')
}

const batchesOf = (texts: string[]): { at: number; text: string }[][] => {
  const batches: { at: number; text: string }[][] = []
  let bytes = Infinity
  for (const [at, whole] of texts.entries()) {
    if (whole.trim() === '') continue
    const text = cut(whole)
    const size = Buffer.byteLength(text)
    const last = batches.at(-1)
    if (last && last.length < limits.texts && bytes + size <= limits.bytes) {
      last.push({ at, text })
      bytes += size
    } else {
      batches.push([{ at, text }])
      bytes = size
    }
  }
  return batches
}

type EmbedderOptions = Endpoint & {
  model: string
  /** The length of the vectors. By default, the length follows from the model's name or from the first response. */
  dimensions?: number | undefined
  limits?: Limits
  signal?: AbortSignal
}

const shortenable = /^text-embedding-3-/
const knownDimensions: Record<string, number> = {
  'text-embedding-3-small': 1_536,
  'text-embedding-3-large': 3_072,
  'text-embedding-ada-002': 1_536,
}
const settings = { model: 'EMBEDDING_MODEL' }
const bytesPerToken = 4

const Embeddings = z.object({
  data: z.array(z.object({ index: z.number().int().nonnegative(), embedding: z.array(z.number()).min(1) })),
  usage: z.object({ prompt_tokens: z.number().nonnegative().nullish() }).nullish(),
})

const unit = (values: number[]): Float32Array => {
  const length = Math.hypot(...values)
  return Float32Array.from(values, (value) => (length === 0 ? 0 : value / length))
}

/** Sorts the vectors by `index`, because a server may return the vectors in a different order than the texts. */
const vectorsIn = (body: unknown, texts: string[], host: string): { vectors: Float32Array[]; tokensIn: number } => {
  const read = Embeddings.safeParse(body)
  const vectors = new Map(read.data?.data.map(({ index, embedding }) => [index, unit(embedding)]))
  const inOrder = texts.flatMap((_, at) => vectors.get(at) ?? [])
  if (!read.success || inOrder.length !== texts.length)
    throw new ProviderError('malformed', `${host} did not return one vector for each text.`)
  return { vectors: inOrder, tokensIn: read.data.usage?.prompt_tokens ?? 0 }
}

const embeddingProvider = (options: EmbedderOptions): Provider<string[], Float32Array[]> => {
  const { model, dimensions } = options
  const host = hostOf(options)
  const library = openAiLibrary()
  return {
    operation: 'embeddings',
    model,
    host,
    estimate: (texts) => Math.ceil(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / bytesPerToken),
    send: async (texts, signal) => {
      const { OpenAIEmbeddings } = await library
      const wire = wireTo({ ...options, settings: { ...settings, ...options.settings } }, signal)
      const client = new OpenAIEmbeddings({
        ...clientOptions(options, model, wire),
        encodingFormat: 'float',
        batchSize: texts.length,
        stripNewLines: false,
        ...(dimensions !== undefined && shortenable.test(model) && { dimensions }),
      })
      try {
        await client.embedDocuments(texts)
      } catch (error) {
        if (wire.body() === undefined) throw wire.faultOf(error)
      }
      const { vectors, tokensIn } = vectorsIn(wire.body(), texts, host)
      return { out: vectors, spent: { tokensIn, tokensOut: 0 } }
    },
  }
}

const fits = (vector: Float32Array, dimensions: number, model: string): Float32Array => {
  if (vector.length === dimensions) return vector
  const cause = new Error(
    `${model} returns vectors of ${vector.length} numbers, not ${dimensions}. Check EMBEDDING_DIMENSIONS.`,
  )
  throw new AppError('provider.rejected', 'never', { cause })
}

/** Every vector has the length 1, except that the vector of an empty text contains only zeros. */
export const openOpenAiEmbedder = async (
  options: EmbedderOptions,
  parts: Partial<Resilience> = {},
): Promise<Embedder> => {
  const all = { ...resilience, ...parts }
  const call = callerOver([guard(embeddingProvider(options), all, options)], all)
  const given = options.dimensions ?? knownDimensions[options.model]
  const learn = async (): Promise<number> =>
    (await call(['length'], { signal: options.signal ?? AbortSignal.timeout(all.timeoutMs) }))[0]?.length ?? 0
  const dimensions = given ?? (await learn())
  return {
    name: `${options.model} at ${hostOf(options)}${options.dimensions === undefined ? '' : ` (${dimensions})`}`,
    dimensions,
    embed: async (texts, signal, onCall) => {
      signal.throwIfAborted()
      const vectors: Float32Array[] = texts.map(() => new Float32Array(dimensions))
      for (const batch of batchesOf(texts)) {
        const made = await call(
          batch.map(({ text }) => text),
          { signal, onCall },
        )
        for (const [n, { at }] of batch.entries())
          vectors[at] = fits(made[n] ?? new Float32Array(), dimensions, options.model)
      }
      return vectors
    },
  }
}
