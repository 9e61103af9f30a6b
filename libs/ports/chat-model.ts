import type { Usage } from '@plumbline/contracts'

export type ChatMessage = { role: 'system' | 'user' | 'assistant'; content: string }

/** A call to a provider, for the bill. Failed calls are reported too, because they also cost money. */
export type ProviderCall = { model: string; usage: Usage; fallback?: boolean; ms?: number; error?: string }

export type ChatRequest = {
  prompt?: string
  messages: ChatMessage[]
  temperature: number
  /** The provider cuts off a longer answer. */
  maxTokens: number
  output?: { name: string; schema: Record<string, unknown> }
  /** Receives the answer in pieces. After the first piece, a failed call is not retried: the text would come twice. */
  onDelta?: (text: string) => void
  /** Receives the whole answer so far, again and again. If the call is retried, the text starts from the beginning. */
  onText?: (text: string) => void
  once?: boolean
  onCall: (call: ProviderCall) => void
  signal: AbortSignal
}

/** A refusal by the model is a normal reply, not an error. */
export type ChatReply = { kind: 'answered'; text: string } | { kind: 'refused'; reason: string }

export interface ChatModel {
  readonly name: string
  chat(request: ChatRequest): Promise<ChatReply>
}
