import { priceOf } from '@plumbline/adapters/providers/prices'
import { type SkillName, skillNames } from '@plumbline/flow'
import { type ModelsEnv, serverEmbedding } from './models.env'

export type Tier = 'small' | 'strong'
export const tiers = ['small', 'strong'] as const

const defaults: Record<Tier, string> = { small: 'gpt-4.1-mini', strong: 'gpt-4.1' }

/** The chosen models. `tiers` is null if no model server is configured. */
export type Chosen = {
  tiers: Record<Tier, string> | null
  of(skill: SkillName, tier: Tier): string | 'offline'
  models: string[]
}

export const chosenBy = (env: ModelsEnv): Chosen => {
  const served = env.OPENAI_API_KEY !== undefined || env.OPENAI_BASE_URL !== undefined
  if (!served) return { tiers: null, of: () => 'offline', models: [] }
  const named: Record<Tier, string> = {
    small: env.MODEL_SMALL ?? defaults.small,
    strong: env.MODEL_STRONG ?? defaults.strong,
  }
  const of = (skill: SkillName, tier: Tier): string => {
    const own = env.SKILL_MODELS[skill] ?? tier
    return own === 'small' || own === 'strong' ? named[own] : own
  }
  const models = [...new Set(tiers.flatMap((tier) => skillNames.map((skill) => of(skill, tier))))].filter(
    (model) => model !== 'offline' && model !== 'cross-encoder',
  )
  return { tiers: named, of, models }
}

export type Description = {
  /** Names the models in the record of a run, for example `gpt-4.1-mini + gpt-4.1 at api.openai.com, rerank-v3.5`. */
  label: string
  lines: string[]
}

const hostOf = (url: string): string => new URL(url).host
const serverOf = ({ OPENAI_BASE_URL: url }: ModelsEnv): string => (url === undefined ? 'api.openai.com' : hostOf(url))

const chatLines = (env: ModelsEnv): string[] => {
  const { tiers } = chosenBy(env)
  if (!tiers) return ['skills: offline (set OPENAI_API_KEY or OPENAI_BASE_URL for models)']
  const at = `at ${serverOf(env)}`
  const own = Object.entries(env.SKILL_MODELS).map(
    ([skill, model]) => `${skill}: ${model}${model in tiers || model === 'offline' ? '' : ` ${at}`}`,
  )
  return [`small models: ${tiers.small} ${at}`, `strong models: ${tiers.strong} ${at}`, ...own]
}

const fallbackLines = ({
  FALLBACK_BASE_URL: url,
  FALLBACK_MODEL_SMALL: small,
  FALLBACK_MODEL_STRONG: strong,
}: ModelsEnv): string[] =>
  url === undefined ? [] : [`fallback: ${[...new Set([small, strong])].filter(Boolean).join(' + ')} at ${hostOf(url)}`]

const unpriced = (env: ModelsEnv): string[] => {
  const asked = [
    ...chosenBy(env).models,
    env.FALLBACK_MODEL_SMALL,
    env.FALLBACK_MODEL_STRONG,
    serverEmbedding(env),
    env.COHERE_API_KEY && env.RERANK_MODEL,
  ]
  return [...new Set(asked)].filter((model) => model !== undefined && !priceOf(env.PRICES_FILE, model)).map(String)
}

const priceLines = (env: ModelsEnv): string[] => {
  if (chosenBy(env).models.length === 0 && env.COHERE_API_KEY === undefined && !serverEmbedding(env)) return []
  const without = unpriced(env)
  const said =
    without.length > 0
      ? `; counted as free, because their prices are unknown: ${without.join(', ')} (set PRICES_FILE)`
      : ''
  return [`prices: as of ${env.PRICES_FILE.asOf}${said}`]
}

const rerankersOf = (env: ModelsEnv): string[] => [
  ...(env.COHERE_API_KEY
    ? [`${env.RERANK_MODEL} at ${env.COHERE_BASE_URL ? hostOf(env.COHERE_BASE_URL) : 'api.cohere.com'}`]
    : []),
  ...(env.CROSS_ENCODER_URL
    ? [`${env.CROSS_ENCODER_MODEL ?? 'cross-encoder'} at ${hostOf(env.CROSS_ENCODER_URL)}`]
    : []),
]

const embeddingOf = (env: ModelsEnv): string => {
  if (env.EMBEDDING_MODEL === 'none') return 'none, search by words only'
  if (!serverEmbedding(env)) return 'built-in (all-MiniLM-L6-v2)'
  return `${env.EMBEDDING_MODEL} at ${env.EMBEDDING_BASE_URL ? hostOf(env.EMBEDDING_BASE_URL) : serverOf(env)}`
}

/** Describes the models for people. The description contains no API keys. */
export const describeModels = (env: ModelsEnv): Description => {
  const { models } = chosenBy(env)
  const parts = [
    ...(models.length > 0 ? [`${models.join(' + ')} at ${serverOf(env)}`] : ['offline']),
    ...(serverEmbedding(env) ? [env.EMBEDDING_MODEL] : []),
    ...(env.COHERE_API_KEY ? [env.RERANK_MODEL] : []),
    ...(env.CROSS_ENCODER_URL ? [env.CROSS_ENCODER_MODEL ?? 'cross-encoder'] : []),
  ]
  return {
    label: parts.join(', '),
    lines: [
      ...chatLines(env),
      ...fallbackLines(env),
      `embeddings: ${embeddingOf(env)}`,
      `reranking: ${rerankersOf(env).join('; ') || 'none'}`,
      ...(env.SKILL_MODELS.gradeEvidence === 'cross-encoder' ? ['evidence is graded by the cross-encoder'] : []),
      ...priceLines(env),
    ],
  }
}
