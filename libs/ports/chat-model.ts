import type { Usage } from '@plumbline/contracts'

export type ChatMessage = { role: 'system' | 'user' | 'assistant'; content: string }

/** One provider call, reported when it ends, so that failed calls are paid for too. */
/** `error`: the call failed. */
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
  /** Receives pieces of a text answer. After the first piece, this request makes no other call. */
  onDelta?: (text: string) => void
  onCall: (call: ProviderCall) => void
  signal: AbortSignal
}

/** A refusal is an outcome. With `output`, the text should be JSON, but it is not parsed yet. */
export type ChatReply = { kind: 'answered'; text: string } | { kind: 'refused'; reason: string }

export interface ChatModel {
  /** Model and host for display: `gpt-4.1-mini at api.openai.com`. */
  readonly name: string
  chat(request: ChatRequest): Promise<ChatReply>
}
