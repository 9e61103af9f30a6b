import { z } from 'zod'
import { listPrices, readPrices } from '@plumbline/adapters/providers/prices'
import { type SkillName, skillNames } from '@plumbline/flow'
import { list, TimeoutMs } from '@plumbline/platform'
import { setting } from '@plumbline/platform/setting'

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

const EmbeddingModel = name.default('built-in')
const Dimensions = z.coerce.number().int().min(1).max(16_000).optional()
const Window = z.coerce.number().int().min(4_000, 'write the size of the model’s context in tokens, at least 4000')

const Fields = z.object({
  OPENAI_API_KEY: setting(name.optional(), { about: 'the key of the server' }),
  OPENAI_BASE_URL: setting(url.optional(), { about: 'its URL', default: 'OpenAI' }),
  OPENAI_API_VERSION: setting(name.optional(), { about: 'its version, for Azure' }),
  MODEL_SMALL: setting(name.optional(), { about: 'the model of the small tier', default: '`gpt-4.1-mini`' }),
  MODEL_STRONG: setting(name.optional(), { about: 'the model of the strong tier', default: '`gpt-4.1`' }),
  SKILL_MODELS: setting(SkillModels.default({}), {
    about: '`skill=model`, `skill=small`, `skill=strong` or `skill=offline`, separated by commas',
  }),
  FALLBACK_BASE_URL: setting(url.optional(), { about: 'a second server, used if the first is down' }),
  FALLBACK_API_KEY: setting(name.optional(), { about: 'its key' }),
  FALLBACK_MODEL_SMALL: setting(name.optional(), { about: 'its small model' }),
  FALLBACK_MODEL_STRONG: setting(name.optional(), { about: 'its strong model' }),
  EMBEDDING_MODEL: setting(EmbeddingModel, {
    about: '`built-in`, `none`, or a model of the server; see [embeddings](run/models.md#embeddings)',
    default: '`text-embedding-3-small` at OpenAI, else `built-in`',
  }),
  EMBEDDING_BASE_URL: setting(url.optional(), {
    about: 'the server of the embeddings, if it is another server or deployment',
  }),
  EMBEDDING_API_KEY: setting(name.optional(), { about: 'its key' }),
  EMBEDDING_DIMENSIONS: setting(Dimensions, { about: 'the length of its vectors' }),
  COHERE_API_KEY: setting(name.optional(), {
    about: 'the key of Cohere, which reranks the search results: it puts the most relevant ones first',
  }),
  COHERE_BASE_URL: setting(url.optional(), { about: 'its URL', default: 'Cohere' }),
  RERANK_MODEL: setting(name.default('rerank-v3.5'), { about: 'its model' }),
  CROSS_ENCODER_URL: setting(url.optional(), {
    about:
      'a server with a `/rerank` endpoint, such as text-embeddings-inference, vLLM or Infinity. It reranks, and grades evidence with `SKILL_MODELS=gradeEvidence=cross-encoder` ([retrieval](understand/retrieval.md))',
  }),
  CROSS_ENCODER_API_KEY: setting(name.optional(), { about: 'its key' }),
  CROSS_ENCODER_MODEL: setting(name.optional(), { about: 'its model' }),
  MODEL_TIMEOUT_MS: setting(TimeoutMs.default(25_000), { about: 'the maximum duration of one call' }),
  MODEL_WINDOW: setting(Window.default(36_000), {
    about:
      'the context window of the models, in tokens. A third of it is for passages; long passages are shortened to the part that concerns the question',
  }),
  OPENAI_REQUESTS_PER_MINUTE: setting(perMinute.optional(), {
    about: 'the limit of the requests of all workers together',
  }),
  OPENAI_TOKENS_PER_MINUTE: setting(perMinute.optional(), { about: 'the limit of their tokens' }),
  FALLBACK_REQUESTS_PER_MINUTE: setting(perMinute.optional(), { about: 'the same for the second server' }),
  FALLBACK_TOKENS_PER_MINUTE: setting(perMinute.optional(), { about: 'the same for the second server' }),
  COHERE_REQUESTS_PER_MINUTE: setting(perMinute.optional(), { about: 'the same for Cohere' }),
  PRICES_FILE: setting(prices.default(listPrices), {
    about: '[prices](run/models.md#what-it-costs) that add to the built-in ones or replace them',
  }),
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
