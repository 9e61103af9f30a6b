import { z } from 'zod'
import type { ChatReply } from '@plumbline/ports/chat-model'
import { ProviderError, type Sent, type Spent } from '../providers'

const count = z.number().nonnegative().nullish()
export const CompletionUsage = z.object({
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

export const spentOf = (usage: z.infer<typeof CompletionUsage> | null | undefined): Spent => ({
  tokensIn: usage?.prompt_tokens ?? 0,
  tokensOut: usage?.completion_tokens ?? 0,
  ...(usage?.prompt_tokens_details?.cached_tokens && { tokensCached: usage.prompt_tokens_details.cached_tokens }),
})

/** Some servers filter before the model sees anything, and say so with a 400. */
export const filtered: ChatReply = { kind: 'refused', reason: "the provider's content filter" }

type Said = { text: string; refusal: string; finish: string | null | undefined }

export const replyOf = ({ text, refusal, finish }: Said): ChatReply => {
  if (refusal) return { kind: 'refused', reason: refusal }
  if (finish === 'content_filter') return filtered
  return { kind: 'answered', text }
}

/** A whole answer as it came over the wire. */
export const readCompletion = (body: unknown, host: string): Sent<ChatReply> => {
  const read = Completion.safeParse(body)
  const choice = read.data?.choices[0]
  if (!read.success || !choice)
    throw new ProviderError('malformed', `${host} answered JSON that is no chat completion.`)
  const { content, refusal, tool_calls: tools } = choice.message
  const text = tools?.[0]?.function?.arguments ?? content ?? ''
  return {
    out: replyOf({ text, refusal: refusal ?? '', finish: choice.finish_reason }),
    spent: spentOf(read.data.usage),
  }
}
