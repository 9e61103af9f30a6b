import type { Usage } from '@plumbline/contracts'

export type ChatMessage = { role: 'system' | 'user' | 'assistant'; content: string }

/** One call of a provider, told as soon as it is over, so that what failed is paid for too. */
export type ProviderCall = { model: string; usage: Usage; fallback?: boolean }

export type ChatRequest = {
  /** The prompt and its version, for those who look at calls. */
  prompt?: string
  messages: ChatMessage[]
  temperature: number
  /** The answer is cut off after so many tokens. */
  maxTokens: number
  /** The JSON schema the answer must follow; without one the answer is text. */
  output?: { name: string; schema: Record<string, unknown> }
  /** Pieces of a text answer as they come. After the first piece no other call is made for this request. */
  onDelta?: (text: string) => void
  onCall: (call: ProviderCall) => void
  signal: AbortSignal
}

/** A refusal is an outcome. With `output` the text is meant to be JSON, but nobody has read it yet. */
export type ChatReply = { kind: 'answered'; text: string } | { kind: 'refused'; reason: string }

export interface ChatModel {
  /** The model and where it runs, as people read it: `gpt-4.1-mini at api.openai.com`. */
  readonly name: string
  chat(request: ChatRequest): Promise<ChatReply>
}
