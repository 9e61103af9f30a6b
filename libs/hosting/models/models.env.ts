import { z } from 'zod'
import { listPrices, readPrices } from '@plumbline/adapters/providers/prices'
import { type SkillName, skillNames } from '@plumbline/flow'
import { list, TimeoutMs } from '@plumbline/platform'

/** Returns the current name of a skill. `checkClaims` and `rateUsefulness` are former names of `check`. */
const asNow = (name: string): string => (name === 'checkClaims' || name === 'rateUsefulness' ? 'check' : name)
const isSkill = (name: string): name is SkillName => skillNames.some((skill) => skill === name)

/**
 * Parses the models of skills, such as `answer=gpt-5,route=offline,check=strong`. A value is a model, a tier (such as
 * `strong`), or `offline` for no model.
 */
const SkillModels = z.string().transform((text, context): Partial<Record<SkillName, string>> => {
  const models: Partial<Record<SkillName, string>> = {}
  for (const part of list(text)) {
    const [given = '', ...rest] = part.split('=').map((each) => each.trim())
    const skill = asNow(given)
    const model = rest.join('=')
    if (!isSkill(skill))
      context.addIssue({
        code: 'custom',
        message: `has an unknown skill "${skill}"; the skills are ${skillNames.join(', ')}`,
      })
    else if (model === '')
      context.addIssue({
        code: 'custom',
        message: `has no value for ${skill}: write ${skill}=small, ${skill}=strong, ${skill}=offline or the name of a model`,
      })
    else models[skill] = model
  }
  return models
})

const name = z.string().trim().min(1)
const url = z.string().regex(/^https?:\/\/[^/\s]+/, 'write it as http://host:port/v1 or https://host/v1')
const perMinute = z.coerce.number().int().min(1, 'write a number per minute, or remove the setting for no limit')

/** The default embedding model of OpenAI. The length of its vectors is known, so the server need not be asked. */
const usualEmbedding = 'text-embedding-3-small'

const prices = name.transform((file, context) => {
  try {
    return readPrices(file)
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) })
    return z.NEVER
  }
})

const Fields = z.object({
  OPENAI_API_KEY: name.optional(),
  OPENAI_BASE_URL: url.optional(),
  OPENAI_API_VERSION: name.optional(),
  MODEL_SMALL: name.optional(),
  MODEL_STRONG: name.optional(),
  SKILL_MODELS: SkillModels.default({}),
  FALLBACK_BASE_URL: url.optional(),
  FALLBACK_API_KEY: name.optional(),
  FALLBACK_MODEL_SMALL: name.optional(),
  FALLBACK_MODEL_STRONG: name.optional(),
  /** The embedding model: `built-in`, the name of a model on the server, or `none` for search by words only. */
  EMBEDDING_MODEL: name.default('built-in'),
  EMBEDDING_BASE_URL: url.optional(),
  EMBEDDING_API_KEY: name.optional(),
  EMBEDDING_DIMENSIONS: z.coerce.number().int().min(1).max(16_000).optional(),
  COHERE_API_KEY: name.optional(),
  COHERE_BASE_URL: url.optional(),
  RERANK_MODEL: name.default('rerank-v3.5'),
  /** The URL of a server with a `/rerank` endpoint, such as text-embeddings-inference, vLLM or Infinity. */
  CROSS_ENCODER_URL: url.optional(),
  CROSS_ENCODER_API_KEY: name.optional(),
  CROSS_ENCODER_MODEL: name.optional(),
  MODEL_TIMEOUT_MS: TimeoutMs.default(25_000),
  /** The context size of the models in tokens. Passages may take up at most a third of this size. */
  MODEL_WINDOW: z.coerce
    .number()
    .int()
    .min(4_000, 'write the size of the model’s context in tokens, at least 4000')
    .default(36_000),
  OPENAI_REQUESTS_PER_MINUTE: perMinute.optional(),
  OPENAI_TOKENS_PER_MINUTE: perMinute.optional(),
  FALLBACK_REQUESTS_PER_MINUTE: perMinute.optional(),
  FALLBACK_TOKENS_PER_MINUTE: perMinute.optional(),
  COHERE_REQUESTS_PER_MINUTE: perMinute.optional(),
  PRICES_FILE: prices.default(listPrices),
})
type ModelsFields = z.infer<typeof Fields>
type Name = keyof ModelsFields
type Rule = { path: Name; when: (given: ModelsFields) => boolean; say: string }

export const serverEmbedding = ({ EMBEDDING_MODEL: model }: { EMBEDDING_MODEL: string }): string | undefined =>
  model === 'built-in' || model === 'none' ? undefined : model

const served = ({ OPENAI_API_KEY, OPENAI_BASE_URL }: ModelsFields): boolean =>
  OPENAI_API_KEY !== undefined || OPENAI_BASE_URL !== undefined
const needs = (paths: Name[], isWithout: (given: ModelsFields) => boolean, say: string): Rule[] =>
  paths.map((path) => ({ path, when: (given) => given[path] !== undefined && isWithout(given), say }))
const lacks =
  (name: Name) =>
  (given: ModelsFields): boolean =>
    given[name] === undefined

const rules: Rule[] = [
  ...needs(
    ['MODEL_SMALL', 'MODEL_STRONG', 'FALLBACK_BASE_URL', 'OPENAI_API_VERSION'],
    (given) => !served(given),
    'needs a server: set OPENAI_API_KEY, or OPENAI_BASE_URL for your own server, or remove this setting',
  ),
  ...needs(
    ['FALLBACK_API_KEY', 'FALLBACK_MODEL_SMALL', 'FALLBACK_MODEL_STRONG'],
    lacks('FALLBACK_BASE_URL'),
    'needs FALLBACK_BASE_URL, the URL of the fallback server',
  ),
  {
    path: 'SKILL_MODELS',
    when: (given) =>
      Object.values(given.SKILL_MODELS ?? {}).some((model) => model !== 'offline' && model !== 'cross-encoder') &&
      !served(given),
    say: 'names models, but no server is configured: set OPENAI_API_KEY or OPENAI_BASE_URL',
  },
  ...needs(
    ['FALLBACK_BASE_URL'],
    (given) => lacks('FALLBACK_MODEL_SMALL')(given) && lacks('FALLBACK_MODEL_STRONG')(given),
    'needs FALLBACK_MODEL_SMALL, FALLBACK_MODEL_STRONG or both: the models on that server',
  ),
  ...needs(
    ['OPENAI_API_VERSION'],
    lacks('OPENAI_BASE_URL'),
    'is for Azure-style servers: set OPENAI_BASE_URL to https://<resource>.openai.azure.com/openai/deployments/<deployment>',
  ),
  {
    path: 'SKILL_MODELS',
    when: ({ SKILL_MODELS: models = {} }) =>
      Object.entries(models).some(([skill, model]) => model === 'cross-encoder' && skill !== 'gradeEvidence'),
    say: 'gives the cross-encoder a skill that it does not support: only gradeEvidence=cross-encoder is possible',
  },
  {
    path: 'SKILL_MODELS',
    when: ({ SKILL_MODELS: models = {}, CROSS_ENCODER_URL: at }) =>
      models.gradeEvidence === 'cross-encoder' && at === undefined,
    say: 'uses a cross-encoder to grade evidence, but none is configured: set CROSS_ENCODER_URL',
  },
  ...needs(['CROSS_ENCODER_API_KEY', 'CROSS_ENCODER_MODEL'], lacks('CROSS_ENCODER_URL'), 'needs CROSS_ENCODER_URL'),
  ...needs(['COHERE_BASE_URL'], lacks('COHERE_API_KEY'), 'needs COHERE_API_KEY'),
  ...needs(
    ['EMBEDDING_MODEL'],
    (given) => serverEmbedding(given) !== undefined && lacks('EMBEDDING_BASE_URL')(given) && !served(given),
    'needs a server: set EMBEDDING_BASE_URL, OPENAI_API_KEY or OPENAI_BASE_URL, or remove this setting',
  ),
  ...needs(
    ['EMBEDDING_BASE_URL', 'EMBEDDING_API_KEY', 'EMBEDDING_DIMENSIONS'],
    (given) => serverEmbedding(given) === undefined,
    'needs EMBEDDING_MODEL, the name of a model on that server',
  ),
]

const isPlain = (source: unknown): source is Record<string, unknown> => typeof source === 'object' && source !== null

/** Chooses OpenAI's embedding model if the model server is OpenAI. Another server may not offer embeddings. */
const withEmbedding = (source: unknown): unknown => {
  if (!isPlain(source)) return source
  const { EMBEDDING_MODEL, EMBEDDING_BASE_URL, OPENAI_API_KEY, OPENAI_BASE_URL } = source
  const isOpenAi = OPENAI_API_KEY !== undefined && OPENAI_BASE_URL === undefined
  return EMBEDDING_MODEL === undefined && isOpenAi && EMBEDDING_BASE_URL === undefined
    ? { ...source, EMBEDDING_MODEL: usualEmbedding }
    : source
}

export const ModelsEnv = rules.reduce<z.ZodType<ModelsFields>>(
  (schema, { path, when, say }) =>
    schema.refine((given) => !when(given), { path: [path], error: say, when: () => true }),
  z.preprocess(withEmbedding, Fields),
)
export type ModelsEnv = z.infer<typeof ModelsEnv>
