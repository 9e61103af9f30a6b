import type { Usage } from '@plumbline/contracts'

export type ChatMessage = { role: 'system' | 'user' | 'assistant'; content: string }

/**
 * Describes one provider call. The call is reported when it ends, even if it failed, so that failed calls are paid for
 * too. `error`: the call failed.
 */
export type ProviderCall = { model: string; usage: Usage; fallback?: boolean; ms?: number; error?: string }

export type ChatRequest = {
  /** The prompt's name and version, shown in traces of calls. */
  prompt?: string
  messages: ChatMessage[]
  temperature: number
  /** The answer is cut off after this many tokens. */
  maxTokens: number
  /** The JSON schema that the answer must follow. Without one, the answer is text. */
  output?: { name: string; schema: Record<string, unknown> }
  /** Receives pieces of a text answer. After the first piece, the model does not retry, so no piece is sent twice. */
  onDelta?: (text: string) => void
  /** Receives the text answer so far, again and again. A retry starts over with a short text. */
  onText?: (text: string) => void
  /** Makes one provider call only: no retry and no fallback. */
  once?: boolean
  onCall: (call: ProviderCall) => void
  signal: AbortSignal
}

/**
 * The reply of a model. A refusal is a normal reply, not an error. With `output`, `text` should be JSON, but nobody has
 * parsed it yet.
 */
export type ChatReply = { kind: 'answered'; text: string } | { kind: 'refused'; reason: string }

export interface ChatModel {
  /** Model and host for display: `gpt-4.1-mini at api.openai.com`. */
  readonly name: string
  chat(request: ChatRequest): Promise<ChatReply>
}
