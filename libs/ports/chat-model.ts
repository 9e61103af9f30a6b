import type { Usage } from '@plumbline/contracts'

export type ChatMessage = { role: 'system' | 'user' | 'assistant'; content: string }

/** Failed calls are reported too, because they also cost money. */
export type ProviderCall = { model: string; usage: Usage; fallback?: boolean; ms?: number; error?: string }

export type ChatRequest = {
  prompt?: string
  messages: ChatMessage[]
  temperature: number
  /** The maximum length of the answer in tokens. The provider cuts a longer answer off. */
  maxTokens: number
  output?: { name: string; schema: Record<string, unknown> }
  /** Once a piece was received, a failed call is not retried, so no piece arrives twice. */
  onDelta?: (text: string) => void
  /** The whole answer so far. A retry starts over with a short text. */
  onText?: (text: string) => void
  once?: boolean
  onCall: (call: ProviderCall) => void
  signal: AbortSignal
}

/** The reply of a model. A refusal is a normal reply, not an error. */
export type ChatReply = { kind: 'answered'; text: string } | { kind: 'refused'; reason: string }

export interface ChatModel {
  readonly name: string
  chat(request: ChatRequest): Promise<ChatReply>
}
