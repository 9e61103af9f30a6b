import type { SkillName } from '@plumbline/flow'
import { AppError } from '@plumbline/platform'
import type { ChatMessage, ChatModel, ChatReply, ChatRequest } from '@plumbline/ports/chat-model'
import { z } from 'zod'
import { messagesFor, type Prompt, promptName } from './prompt'
import type { Call } from './skill'

export type ModelOf = (tier: Call['tier']) => ChatModel

type SkillRequest<In> = { chat: ModelOf; skill: SkillName; prompt: Prompt<In>; input: In; call: Call }

type Ask = (
  extra?: { repair?: ChatMessage[] } & Pick<ChatRequest, 'output' | 'onDelta' | 'onText'>,
) => Promise<ChatReply>

const askFor = <In>({ chat, skill, prompt, input, call }: SkillRequest<In>): Ask => {
  const messages = messagesFor(prompt, input)
  const name = promptName(prompt)
  return ({ repair = [], ...rest } = {}) => {
    call.signal.throwIfAborted()
    return chat(call.tier).chat({
      ...rest,
      prompt: name,
      messages: [...messages, ...repair],
      temperature: call.temperature,
      maxTokens: prompt.maxTokens,
      ...(call.once && { once: true }),
      signal: call.signal,
      onCall: ({ model, usage, fallback, ms, error }) =>
        call.onCall?.({
          skill,
          model,
          prompt: name,
          usage,
          ...(fallback && { insteadBy: 'fallback' as const }),
          ...(ms !== undefined && { ms }),
          ...(error !== undefined && { failed: { calls: 1, error } }),
        }),
    })
  }
}

const mostShown = 8_000

/** Returns the messages that ask for a repair. An empty answer is replaced, because servers reject empty messages. */
const repairOf = (said: string, fault: string): ChatMessage[] => [
  { role: 'assistant', content: said.trim() === '' ? '(nothing)' : said.slice(0, mostShown) },
  { role: 'user', content: `That cannot be used: ${fault}\nAnswer once more, in full, and put this right.` },
]

/** `fault`: what is still wrong after the repair, although the value matches the schema. */
export type StructuredResult<T> =
  { kind: 'answered'; value: T; fault: string | null } | { kind: 'refused'; reason: string }

type StructuredRequest<In, T> = SkillRequest<In> & {
  schema: z.ZodType<T>
  faultIn?: (value: T) => string | null
  /** Receives the text as incomplete JSON while the model writes. */
  onText?: (text: string) => void
}

const ranges = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'] as const

/** Removes minimums and maximums, because not every server supports them. Zod checks them in the answer. */
const outputSchema = (schema: z.ZodType): Record<string, unknown> => {
  const json: Record<string, unknown> = z.toJSONSchema(schema, {
    override: ({ jsonSchema }) => {
      for (const range of ranges) delete jsonSchema[range]
    },
  })
  delete json.$schema
  return json
}

/** Removes a code fence. Models without structured output often put one around their JSON. */
const bare = (text: string): string => /^\s*```(?:json)?\s*\n([\s\S]*?)\n?\s*```\s*$/.exec(text)?.[1] ?? text

type Read<T> = { value: T; fault: string | null } | { value?: undefined; fault: string }

const read = <T>(
  text: string,
  { schema, faultIn }: Pick<StructuredRequest<never, T>, 'schema' | 'faultIn'>,
): Read<T> => {
  let json: unknown
  try {
    json = JSON.parse(bare(text))
  } catch {
    return {
      fault: text.trim() === '' ? 'It is empty.' : 'It is not JSON: one JSON object is wanted, and nothing around it.',
    }
  }
  const parsed = schema.safeParse(json)
  return parsed.success
    ? { value: parsed.data, fault: faultIn?.(parsed.data) ?? null }
    : { fault: `It does not follow the schema.\n${z.prettifyError(parsed.error)}` }
}

/** Asks the model, and once more if the answer is unusable. Throws `model.malformed` if no answer fits the schema. */
export const askModel = async <In, T>(request: StructuredRequest<In, T>): Promise<StructuredResult<T>> => {
  const ask = askFor(request)
  const output = { name: request.prompt.name, schema: outputSchema(request.schema) }
  const { onText } = request
  const first = await ask({ output, ...(onText && { onText }) })
  if (first.kind === 'refused') return first
  const found = read(first.text, request)
  if (found.value !== undefined && found.fault === null) return { kind: 'answered', value: found.value, fault: null }
  const second = await ask({ output, repair: repairOf(first.text, found.fault ?? '') })
  if (second.kind === 'refused') return second
  const repaired = read(second.text, request)
  const usable = repaired.value === undefined ? found : repaired
  if (usable.value !== undefined) return { kind: 'answered', value: usable.value, fault: usable.fault }
  throw new AppError('model.malformed', 'never', { cause: new Error(`${request.prompt.name}: ${repaired.fault}`) })
}

type Text<In> = SkillRequest<In> & {
  /** Returns what is wrong with the text, or null. A faulty text is written once more, unless it was streamed. */
  faultIn?: (text: string) => Promise<string | null>
  onDelta?: (text: string) => void
  /** Receives the text while the model writes. A second attempt may still replace this text. */
  onText?: (text: string) => void
}

export type TextResult = { kind: 'answered'; text: string } | { kind: 'refused'; reason: string }

/** Asks the model for a text, and once more if it has a fault. Throws only if both texts are empty. */
export const askText = async <In>({ faultIn, onDelta, onText, ...request }: Text<In>): Promise<TextResult> => {
  const ask = askFor(request)
  const first = await ask({ ...(onDelta && { onDelta }), ...(onText && { onText }) })
  if (first.kind === 'refused') return first
  const empty = first.text.trim() === ''
  const fault = empty ? 'It is empty.' : onDelta ? null : ((await faultIn?.(first.text)) ?? null)
  if (fault === null) return first
  const second = await ask({ repair: repairOf(first.text, fault), ...(empty && onDelta && { onDelta }) })
  if (second.kind === 'refused' || second.text.trim() !== '') return second
  if (!empty) return first
  throw new AppError('model.malformed', 'never', { cause: new Error(`${request.prompt.name}: the text is empty`) })
}

/** Works on all inputs in parallel. After an error, aborts the other calls, waits for their end, and throws it. */
export const inParallel = async <In, Out>(
  inputs: readonly In[],
  call: Call,
  work: (input: In, call: Call) => Promise<Out>,
): Promise<Out[]> => {
  const stop = new AbortController()
  const own = { ...call, signal: AbortSignal.any([call.signal, stop.signal]) }
  const running = inputs.map((input) => work(input, own))
  try {
    return await Promise.all(running)
  } catch (error) {
    stop.abort()
    await Promise.allSettled(running)
    throw error
  }
}
