import { z } from 'zod'
import { messages } from '@plumbline/platform/tracing/spans'
import type { ChatReply, ChatRequest } from '@plumbline/ports/chat-model'
import type { ChatOpenAICompletions } from '@langchain/openai'
import {
  noProviderUsage,
  ProviderError,
  type Provider,
  type ProviderResult,
  type ProviderUsage,
} from '../providers/provider'
import type { Wire } from '../providers/wire'
import { abilitiesOf, requestFor, learnFrom, stepDown, thinksFirst, type Abilities } from './structured-output'
import { clientOptions, hostOf, openAiLibrary, urlOf, wireTo, type Endpoint } from './endpoint'

const count = z.number().nonnegative().nullish()
const CompletionUsage = z.object({
  prompt_tokens: count,
  completion_tokens: count,
  prompt_tokens_details: z.object({ cached_tokens: count }).nullish(),
})

const Message = z.object({
  content: z.string().nullish(),
  refusal: z.string().nullish(),
  tool_calls: z.array(z.object({ function: z.object({ arguments: z.string() }).optional() })).nullish(),
})
const Completion = z.object({
  choices: z.array(z.object({ message: Message, finish_reason: z.string().nullish() })).min(1),
  usage: CompletionUsage.nullish(),
})

const spentOf = (usage: z.infer<typeof CompletionUsage> | null | undefined): ProviderUsage => ({
  tokensIn: usage?.prompt_tokens ?? 0,
  tokensOut: usage?.completion_tokens ?? 0,
  ...(usage?.prompt_tokens_details?.cached_tokens && { tokensCached: usage.prompt_tokens_details.cached_tokens }),
})

/** The reply if the provider's content filter rejected the prompt or the answer. */
const filtered: ChatReply = { kind: 'refused', reason: "the provider's content filter" }

type RawReply = { text: string; refusal: string; finish: string | null | undefined }

const replyOf = ({ text, refusal, finish }: RawReply): ChatReply => {
  if (refusal) return { kind: 'refused', reason: refusal }
  if (finish === 'content_filter') return filtered
  return { kind: 'answered', text }
}

const readCompletion = (body: unknown, host: string): ProviderResult<ChatReply> => {
  const read = Completion.safeParse(body)
  const choice = read.data?.choices[0]
  if (!read.success || !choice)
    throw new ProviderError('malformed', `${host} answered JSON that is not a chat completion.`)
  const { content, refusal, tool_calls: tools } = choice.message
  const text = tools?.[0]?.function?.arguments ?? content ?? ''
  return {
    out: replyOf({ text, refusal: refusal ?? '', finish: choice.finish_reason }),
    spent: spentOf(read.data.usage),
    ...(choice.finish_reason && { finish: choice.finish_reason }),
  }
}

export type ChatOptions = Endpoint & { model: string }
type Client = ChatOpenAICompletions
type ModelRequest = ReturnType<typeof requestFor>

/** The number of tokens that a reasoning model may use for its reasoning, in addition to the tokens of its answer. */
const thinkingTokens = 8_000
const answerTokens = 500
const bytesPerToken = 4

const RawChunk = z.object({
  choices: z.array(z.object({ delta: z.object({ refusal: z.string().nullish() }).nullish() })).optional(),
})
const refusalIn = (raw: unknown): string => RawChunk.safeParse(raw).data?.choices?.[0]?.delta?.refusal ?? ''

/** With `maxTokens`, the library chooses the request field by the model's name. `modelKwargs` sets a given field. */
const boundOf = (limit: NonNullable<Abilities['limit']>, model: string, most: number) => {
  if (thinksFirst.test(model)) return { maxTokens: most + thinkingTokens }
  return limit === 'max_tokens' ? { maxTokens: most } : { modelKwargs: { [limit]: most } }
}

type Call = {
  client: Client
  asking: ModelRequest
  request: ChatRequest
  signal: AbortSignal
  wire: Wire
  host: string
}

/** Throws if the stream ends without a finish reason, because such a stream was interrupted. */
const streamed = async ({ client, asking, request, signal, host }: Call): Promise<ProviderResult<ChatReply>> => {
  const said = { text: '', refusal: '', finish: null as string | null }
  let usage: z.infer<typeof CompletionUsage> | undefined
  for await (const { content, additional_kwargs, response_metadata } of await client.stream(asking.messages, {
    ...asking.options,
    signal,
  })) {
    signal.throwIfAborted()
    const finish: unknown = response_metadata['finish_reason']
    if (typeof finish === 'string') said.finish = finish
    const counted = CompletionUsage.safeParse(response_metadata['usage']).data
    if (typeof counted?.prompt_tokens === 'number') usage = counted
    said.refusal += refusalIn(additional_kwargs['__raw_response'])
    if (typeof content !== 'string' || content === '') continue
    said.text += content
    request.onDelta?.(content)
    request.onText?.(said.text)
  }
  signal.throwIfAborted()
  if (said.finish === null) throw new ProviderError('unavailable', `${host} disconnected in the middle of its answer.`)
  return { out: replyOf(said), spent: spentOf(usage), finish: said.finish }
}

/** Parses the response body without the library, which discards a structured answer that it cannot parse. */
const received = async (call: Call): Promise<ProviderResult<ChatReply>> => {
  const { client, asking, request, signal, wire, host } = call
  try {
    if (asking.asked.streams) return await streamed(call)
    await client.invoke(asking.messages, { ...asking.options, signal })
  } catch (error) {
    if (wire.body() === undefined) throw error
  }
  const sent = readCompletion(wire.body(), host)
  if (sent.out.kind === 'answered') {
    request.onDelta?.(sent.out.text)
    request.onText?.(sent.out.text)
  }
  return sent
}

const prove = (
  abilities: Abilities,
  { name, way }: ModelRequest['asked'],
  { out }: ProviderResult<ChatReply>,
): void => {
  if (name === undefined || way === undefined || out.kind === 'refused' || abilities.proven) return
  if (/^\s*[{[]/.test(out.text)) abilities.proven = abilities.way === way
  else stepDown(abilities, name, way)
}

const tokensIn = (text: string): number => Math.ceil(Buffer.byteLength(text) / bytesPerToken)
const tokensOf = ({ messages, output }: ChatRequest): number =>
  tokensIn(messages.map(({ content }) => content).join('\n') + (output ? JSON.stringify(output.schema) : ''))

/** Estimates the number of tokens if the provider does not report it. Budgets depend on this number. */
const counted = (sent: ProviderResult<ChatReply>, request: ChatRequest): ProviderResult<ChatReply> => {
  const { out, spent } = sent
  return spent.tokensIn + spent.tokensOut > 0 || out.kind === 'refused'
    ? sent
    : { ...sent, spent: { tokensIn: tokensOf(request), tokensOut: tokensIn(out.text) } }
}

/** The provider itself never retries a failed call, because `callerOver` retries failed calls. */
export const openAiChatProvider = (options: ChatOptions): Provider<ChatRequest, ChatReply> => {
  const { model } = options
  const host = hostOf(options)
  const abilities = abilitiesOf(urlOf(options), model)
  const library = openAiLibrary()
  return {
    operation: 'chat',
    model,
    host,
    about: ({ prompt, maxTokens, temperature }) => ({
      'gen_ai.request.max_tokens': maxTokens,
      'gen_ai.request.temperature': temperature,
      ...(prompt !== undefined && { 'gen_ai.prompt.name': prompt }),
    }),
    asked: (request) => ({ 'gen_ai.input.messages': messages(request.messages) }),
    answered: (reply) => ({
      'gen_ai.output.messages': messages([
        { role: 'assistant', content: reply.kind === 'answered' ? reply.text : reply.reason },
      ]),
    }),
    estimate: (request) => answerTokens + tokensOf(request),
    send: async (request, signal) => {
      const { ChatOpenAICompletions: Chat } = await library
      const wire = wireTo(options, signal)
      const asking = requestFor(request, abilities)
      const { temperature, limit, streams, streamUsage } = asking.asked
      const client = new Chat({
        ...clientOptions(options, model, wire),
        ...(temperature && { temperature: request.temperature }),
        ...(limit && boundOf(limit, model, request.maxTokens)),
        streamUsage,
        ...(streams && { __includeRawResponse: true }),
      })
      try {
        const sent = await received({ client, asking, request, signal, wire, host })
        prove(abilities, asking.asked, sent)
        return counted(sent, request)
      } catch (error) {
        const fault = wire.faultOf(error)
        if (/content_filter|content_policy/.test(fault.reason)) return { out: filtered, spent: noProviderUsage }
        throw fault.kind === 'rejected' && learnFrom(abilities, fault.message, asking.asked)
          ? new ProviderError('unsupported', fault.message)
          : fault
      }
    },
  }
}
