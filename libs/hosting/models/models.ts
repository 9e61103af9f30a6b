import { openCohereReranker } from '@plumbline/adapters/rerankers/cohere-reranker'
import { openCrossEncoder } from '@plumbline/adapters/rerankers/cross-encoder'
import { lexicalEmbedder } from '@plumbline/adapters/offline/lexical-embedder'
import type { Endpoint } from '@plumbline/adapters/openai/endpoint'
import { openAiChatProvider } from '@plumbline/adapters/openai/openai-chat-model'
import { openOpenAiEmbedder } from '@plumbline/adapters/openai/openai-embedder'
import { builtInEmbedders } from '@plumbline/encoder/built-in-embedder'
import { encoderProblem } from '@plumbline/encoder/model-files'
import { centsIn } from '@plumbline/adapters/providers/prices'
import { type ChatGuard, chatModelOver } from '@plumbline/adapters/providers/resilient-ports'
import { type Attempt, guard, resilience, type Resilience } from '@plumbline/adapters/providers/resilience'
import type { RedisClient } from '@plumbline/adapters/redis/client/client'
import { openRedisBuckets } from '@plumbline/adapters/redis/limits/buckets'
import type { SkillName } from '@plumbline/flow'
import type { Log } from '@plumbline/platform'
import type { ChatModel } from '@plumbline/ports/chat-model'
import type { Embedder } from '@plumbline/ports/search-models'
import type { Reranker } from '@plumbline/ports/search-models'
import type { Skills } from '@plumbline/skills/skill/skill'
import { withOfflineFallback } from '@plumbline/skills/skill/offline-fallback'
import { crossEncoderGradeEvidence } from '@plumbline/skills/grade-evidence/grade-evidence.cross-encoder'
import { modelSkills } from '@plumbline/skills/llm'
import { offlineSkills } from '@plumbline/skills/offline'
import { chosenBy, describeModels, type Chosen, type Description, type Tier, tiers } from './describe'
import type { ModelsEnv } from './models.env'

type Parts = { redis?: RedisClient; log: Log; onAttempt?: (attempt: Attempt) => void }

export type Models = Description & {
  chat: { small: ChatModel; strong: ChatModel; of(skill: SkillName, tier: Tier): ChatModel | 'offline' } | null
  skills: Skills
  isInProcess(skill: SkillName): boolean
  embedder: Embedder
  /**
   * Embeds documents. Its calls have a lower priority than those of `embedder`, which embeds questions, but the vectors
   * of both can be compared.
   */
  documentEmbedder: Embedder
  hasVectors: boolean
  /** If true, a new document can first be found by its words only, and its vectors are added later. */
  embedsLater: boolean
  /** Null if no reranker is configured. The results then stay in the order of the search. */
  reranker: Reranker | null
  rerankers: Rerankers
}

const fallbackOf = (env: ModelsEnv, tier: Tier): string | undefined =>
  tier === 'small'
    ? (env.FALLBACK_MODEL_SMALL ?? env.FALLBACK_MODEL_STRONG)
    : (env.FALLBACK_MODEL_STRONG ?? env.FALLBACK_MODEL_SMALL)

const primary = (env: ModelsEnv): Endpoint => ({
  baseUrl: env.OPENAI_BASE_URL,
  apiKey: env.OPENAI_API_KEY,
  apiVersion: env.OPENAI_API_VERSION,
})
const second = (env: ModelsEnv): Endpoint => ({
  baseUrl: env.FALLBACK_BASE_URL,
  apiKey: env.FALLBACK_API_KEY,
  settings: {
    key: 'FALLBACK_API_KEY',
    url: 'FALLBACK_BASE_URL',
    model: 'FALLBACK_MODEL_SMALL and FALLBACK_MODEL_STRONG',
  },
})

/** Returns the embedding server, by default the chat server. On the same host, it gets the same API key. */
const embedding = (env: ModelsEnv): Endpoint => {
  const { EMBEDDING_BASE_URL: baseUrl, EMBEDDING_API_KEY: own, OPENAI_BASE_URL: models } = env
  if (baseUrl === undefined) return { ...primary(env), ...(own !== undefined && { apiKey: own }) }
  const beside = models !== undefined && new URL(models).host === new URL(baseUrl).host
  const settings = { key: 'EMBEDDING_API_KEY', url: 'EMBEDDING_BASE_URL' }
  return {
    baseUrl,
    apiKey: own ?? (beside ? env.OPENAI_API_KEY : undefined),
    apiVersion: beside ? env.OPENAI_API_VERSION : undefined,
    settings,
  }
}

/** Makes the value of each key only once, so that all chat models of one provider share a circuit breaker. */
const once = <Value>(make: (key: string) => Value): ((key: string) => Value) => {
  const made = new Map<string, Value>()
  return (key) => {
    const value = made.get(key) ?? make(key)
    made.set(key, value)
    return value
  }
}

const chatsOf = (env: ModelsEnv, parts: Resilience): ((model: string, tier: Tier) => ChatModel) => {
  const first = once((model): ChatGuard =>
    guard(openAiChatProvider({ ...primary(env), model }), parts, {
      limits: { requests: env.OPENAI_REQUESTS_PER_MINUTE, tokens: env.OPENAI_TOKENS_PER_MINUTE },
    }),
  )
  const other = once((model): ChatGuard =>
    guard(openAiChatProvider({ ...second(env), model }), parts, {
      fallback: true,
      limits: { requests: env.FALLBACK_REQUESTS_PER_MINUTE, tokens: env.FALLBACK_TOKENS_PER_MINUTE },
    }),
  )
  const chats = once((key) => {
    const [model = '', fallback] = key.split('\n')
    return chatModelOver([first(model), ...(fallback ? [other(fallback)] : [])], parts)
  })
  return (model, tier) => chats([model, ...(env.FALLBACK_BASE_URL ? [fallbackOf(env, tier)] : [])].join('\n'))
}

const serverEmbedder = async (env: ModelsEnv, parts: Resilience): Promise<Embedder> => {
  const limits = { requests: env.OPENAI_REQUESTS_PER_MINUTE, tokens: env.OPENAI_TOKENS_PER_MINUTE }
  try {
    return await openOpenAiEmbedder(
      { ...embedding(env), model: env.EMBEDDING_MODEL, dimensions: env.EMBEDDING_DIMENSIONS, limits },
      parts,
    )
  } catch (error) {
    const why = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
    throw new Error(
      `The vector length of EMBEDDING_MODEL ${env.EMBEDDING_MODEL} is unknown: ${why} Set EMBEDDING_DIMENSIONS, so that Plumbline does not need to ask the server when it starts.`,
      { cause: error },
    )
  }
}

type Embedders = {
  questions: Embedder
  documents: Embedder
  meaning: Embedder | null
}

const alike = (embedder: Embedder): Embedders => ({
  questions: embedder,
  documents: embedder,
  meaning: null,
})

const embeddersOf = async (env: ModelsEnv, parts: Resilience, log: Log): Promise<Embedders> => {
  if (env.EMBEDDING_MODEL === 'none') return alike(lexicalEmbedder)
  if (env.EMBEDDING_MODEL !== 'built-in') return alike(await serverEmbedder(env, parts))
  const problem = encoderProblem()
  if (problem === null) {
    const { questions, documents } = builtInEmbedders()
    return { questions, documents, meaning: questions }
  }
  log.warn({ problem }, 'built-in encoder cannot run: searches find documents only by their words')
  return alike(lexicalEmbedder)
}

type Rerankers = { cohere?: Reranker; 'cross-encoder'?: Reranker }

const rerankersOf = (env: ModelsEnv, parts: Resilience): Rerankers => ({
  ...(env.COHERE_API_KEY !== undefined && {
    cohere: openCohereReranker(
      {
        apiKey: env.COHERE_API_KEY,
        baseUrl: env.COHERE_BASE_URL,
        model: env.RERANK_MODEL,
        limits: { requests: env.COHERE_REQUESTS_PER_MINUTE },
      },
      parts,
    ),
  }),
  ...(env.CROSS_ENCODER_URL !== undefined && {
    'cross-encoder': openCrossEncoder(
      { url: env.CROSS_ENCODER_URL, apiKey: env.CROSS_ENCODER_API_KEY, model: env.CROSS_ENCODER_MODEL },
      parts,
    ),
  }),
})

const withGrader = (skills: Skills, env: ModelsEnv, { 'cross-encoder': scorer }: Rerankers): Skills =>
  scorer && env.SKILL_MODELS.gradeEvidence === 'cross-encoder'
    ? {
        ...skills,
        gradeEvidence: withOfflineFallback(
          'gradeEvidence',
          crossEncoderGradeEvidence(scorer),
          offlineSkills.gradeEvidence,
        ),
      }
    : skills

const inProcess =
  (env: ModelsEnv, chosen: Chosen, { 'cross-encoder': scorer }: Rerankers) =>
  (skill: SkillName): boolean =>
    !(scorer && skill === 'gradeEvidence' && env.SKILL_MODELS.gradeEvidence === 'cross-encoder') &&
    tiers.every((tier) => ['offline', 'cross-encoder'].includes(chosen.of(skill, tier)))

const resilienceOf = (env: ModelsEnv, { redis, log, onAttempt }: Parts): Resilience => ({
  ...resilience,
  timeoutMs: env.MODEL_TIMEOUT_MS,
  centsOf: centsIn(env.PRICES_FILE),
  ...(redis && { buckets: openRedisBuckets({ redis, log }) }),
  ...(onAttempt && { observe: onAttempt }),
  log,
})

/**
 * Opens the models. Call this only once per process, so that all callers share the circuit breakers and the known
 * abilities of the servers.
 */
export const openModels = async (env: ModelsEnv, shared: Parts): Promise<Models> => {
  const description = describeModels(env)
  const parts = resilienceOf(env, shared)
  const chosen = chosenBy(env)
  const chatAt = chatsOf(env, parts)
  const of = (skill: SkillName, tier: Tier): ChatModel | 'offline' => {
    const model = chosen.of(skill, tier)
    return model === 'offline' || model === 'cross-encoder' ? 'offline' : chatAt(model, tier)
  }
  const rerankers = rerankersOf(env, parts)
  const embedders = await embeddersOf(env, parts, shared.log)
  const [small, strong] = tiers.map((tier) => chosen.tiers && chatAt(chosen.tiers[tier], tier))
  return {
    ...description,
    chat: small && strong ? { small, strong, of } : null,
    skills: withGrader(
      modelSkills({
        chatOf: of,
        label: description.label,
        evidenceTokens: Math.floor(env.MODEL_WINDOW / 3),
        meaning: embedders.meaning,
      }),
      env,
      rerankers,
    ),
    isInProcess: inProcess(env, chosen, rerankers),
    embedder: embedders.questions,
    documentEmbedder: embedders.documents,
    hasVectors: embedders.documents.name !== lexicalEmbedder.name,
    embedsLater: embedders.meaning !== null,
    reranker: rerankers.cohere ?? rerankers['cross-encoder'] ?? null,
    rerankers,
  }
}
