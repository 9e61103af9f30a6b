import { z } from 'zod'
import { Metadata } from './metadata'
import { DraftPiece } from './ledger'
import { AskBeside, Outcome } from './outcome'
import { PartialAnswer } from './run-view'

const textPart = z.looseObject({
  type: z.literal('text', 'send text: images, sound and files are not supported'),
  text: z.string(),
})
const texts = z.union([z.string(), z.array(textPart).min(1)], { error: 'send a string, or a list of text parts' })
const none = (why: string) => z.array(z.unknown()).max(0, why).nullish()

const noTools = 'tools are not supported: omit the field'
/** Messages may have unknown fields, because clients send back earlier answers with all the fields of a response. */
const Message = z.discriminatedUnion(
  'role',
  [
    z.looseObject({ role: z.literal('user'), content: texts }),
    z.looseObject({
      role: z.literal('assistant'),
      content: texts.nullish(),
      tool_calls: none(noTools),
      /** Marks an earlier answer as incomplete. The value is the state of that answer, such as `incomplete`. */
      plumbline: z.looseObject({ partial: z.string().nullish() }).nullish(),
    }),
    z.looseObject({ role: z.enum(['system', 'developer']), content: texts }),
  ],
  {
    error:
      'send only messages with the role system, developer, user or assistant: tools and functions are not supported',
  },
)
export type ChatMessage = z.infer<typeof Message>

/** These fields of OpenAI's API have no effect, because the policy decides how an answer is written and checked. */
export const chatFieldsIgnored = [
  'audio',
  'frequency_penalty',
  'logit_bias',
  'max_completion_tokens',
  'max_tokens',
  'moderation',
  'parallel_tool_calls',
  'prediction',
  'presence_penalty',
  'prompt_cache_key',
  'prompt_cache_retention',
  'reasoning_effort',
  'safety_identifier',
  'seed',
  'service_tier',
  'stop',
  'store',
  'temperature',
  'top_p',
  'user',
  'verbosity',
  'web_search_options',
] as const
const ignored = Object.fromEntries(
  chatFieldsIgnored.map((field) => [field, z.unknown().describe('Accepted and ignored').optional()]),
) as Record<(typeof chatFieldsIgnored)[number], z.ZodOptional<z.ZodUnknown>>

/** A request of OpenAI's chat API. The last message is the question, and `model` is the name of a policy. */
export const ChatRequest = z.strictObject({
  model: z.string().min(1).max(256),
  messages: z.array(Message).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
  metadata: Metadata.nullish(),
  plumbline: AskBeside.optional(),
  n: z.literal(1, 'only one answer is supported: omit the field, or send 1').nullish(),
  logprobs: z.literal(false, 'token probabilities are not supported: omit the field').nullish(),
  top_logprobs: z.literal(0, 'token probabilities are not supported: omit the field').nullish(),
  response_format: z
    .looseObject({ type: z.literal('text', 'answers are text: omit the field, or send the type text') })
    .nullish(),
  modalities: z.array(z.literal('text', 'answers are text: omit the field')).nullish(),
  tools: none(noTools),
  functions: none(noTools),
  tool_choice: z.enum(['none', 'auto'], noTools).nullish(),
  function_call: z.enum(['none', 'auto'], noTools).nullish(),
  ...ignored,
})
export type ChatRequest = z.infer<typeof ChatRequest>

export const ChatError = z.object({
  error: z.object({ message: z.string(), type: z.string(), param: z.string().nullable(), code: z.string() }),
})
export type ChatError = z.infer<typeof ChatError>

const ChatUsage = z.object({
  prompt_tokens: z.number().int(),
  completion_tokens: z.number().int(),
  total_tokens: z.number().int(),
  prompt_tokens_details: z.object({ cached_tokens: z.number().int() }).optional(),
})

const Annotation = z.object({
  type: z.literal('url_citation'),
  url_citation: z.object({
    start_index: z.number().int(),
    end_index: z.number().int(),
    url: z.string(),
    title: z.string(),
  }),
})
export type Annotation = z.infer<typeof Annotation>

const Finish = z.enum(['stop', 'length', 'content_filter'])
const partial = PartialAnswer.shape.state
/** `partial` is the state of the streamed text. It is present only if the stream contains no complete answer. */
const ChatOutcome = Outcome.extend({ ignored: z.array(z.string()).optional(), partial: partial.optional() })
export type ChatOutcome = z.infer<typeof ChatOutcome>

const about = { id: z.string(), created: z.number().int(), model: z.string() }

export const ChatCompletion = z.object({
  ...about,
  object: z.literal('chat.completion'),
  choices: z.array(
    z.object({
      index: z.number().int(),
      message: z.object({
        role: z.literal('assistant'),
        content: z.string(),
        refusal: z.null(),
        annotations: z.array(Annotation),
      }),
      logprobs: z.null(),
      finish_reason: Finish,
    }),
  ),
  usage: ChatUsage,
  plumbline: ChatOutcome,
})
export type ChatCompletion = z.infer<typeof ChatCompletion>

export const ChatChunk = z.object({
  ...about,
  object: z.literal('chat.completion.chunk'),
  choices: z.array(
    z.object({
      index: z.number().int(),
      delta: z.object({
        role: z.literal('assistant').optional(),
        content: z.string().optional(),
        annotations: z.array(Annotation).optional(),
        plumbline: z.object({ partial }).optional(),
      }),
      finish_reason: Finish.nullable(),
    }),
  ),
  usage: ChatUsage.nullish(),
  /** A piece of the unchecked draft. In the last chunk that has a choice, the outcome of the run. */
  plumbline: z.union([z.object({ draft: DraftPiece }), ChatOutcome]).optional(),
})
export type ChatChunk = z.infer<typeof ChatChunk>

export const ChatModelInfo = z.object({
  id: z.string(),
  object: z.literal('model'),
  created: z.number().int(),
  owned_by: z.string(),
})
export type ChatModelInfo = z.infer<typeof ChatModelInfo>
export const ChatModelList = z.object({ object: z.literal('list'), data: z.array(ChatModelInfo) })
export type ChatModelList = z.infer<typeof ChatModelList>
