import type { Usage } from '@plumbline/contracts'

export type ChatMessage = { role: 'system' | 'user' | 'assistant'; content: string }

/** Failed calls are reported too, because they also cost money. */
export type ProviderCall = { model: string; usage: Usage; fallback?: boolean; ms?: number; error?: string }

export type ChatRequest = {
  prompt?: string
  messages: ChatMessage[]
  temperature: number
  /** The provider cuts a longer answer off. */
  maxTokens: number
  output?: { name: string; schema: Record<string, unknown> }
  /** Receives the answer in pieces. After the first piece, a failed call is not retried, because text would repeat. */
  onDelta?: (text: string) => void
  /** Receives the whole answer so far. After a retry, the text starts over and is short again. */
  onText?: (text: string) => void
  once?: boolean
  onCall: (call: ProviderCall) => void
  signal: AbortSignal
}

/** A refusal is a normal reply, not an error. */
export type ChatReply = { kind: 'answered'; text: string } | { kind: 'refused'; reason: string }

export interface ChatModel {
  readonly name: string
  chat(request: ChatRequest): Promise<ChatReply>
}
