import type { Usage } from '@plumbline/contracts'

export type ChatMessage = { role: 'system' | 'user' | 'assistant'; content: string }

/**
 * One provider call, reported when the call ends. Failed calls are reported too, because they also cost money. `error`:
 * the reason of a failure.
 */
export type ProviderCall = { model: string; usage: Usage; fallback?: boolean; ms?: number; error?: string }

export type ChatRequest = {
  /** The name and version of the prompt, for traces. */
  prompt?: string
  messages: ChatMessage[]
  temperature: number
  /** The maximum length of the answer in tokens. The provider cuts a longer answer off. */
  maxTokens: number
  /** The JSON schema of the answer. Without a schema, the answer is plain text. */
  output?: { name: string; schema: Record<string, unknown> }
  /**
   * Receives each piece of a text answer. Once a piece was received, a failed call is not retried, so no piece arrives
   * twice.
   */
  onDelta?: (text: string) => void
  /** Called repeatedly with the text answer so far. A retry starts over with a short text. */
  onText?: (text: string) => void
  /** Makes one provider call only: no retry and no fallback. */
  once?: boolean
  onCall: (call: ProviderCall) => void
  signal: AbortSignal
}

/**
 * The reply of a model. A refusal is a normal reply, not an error. If the request has an `output`, `text` is unparsed
 * and may be invalid JSON.
 */
export type ChatReply = { kind: 'answered'; text: string } | { kind: 'refused'; reason: string }

export interface ChatModel {
  /** The model and its host, for display: `gpt-4.1-mini at api.openai.com`. */
  readonly name: string
  chat(request: ChatRequest): Promise<ChatReply>
}
