import type { ProviderCall } from './chat-model'

export interface Embedder {
  /** What made the vectors; vectors of different names are never compared. */
  readonly name: string
  readonly dimensions: number
  /** `onCall` is told of each call of a provider; an embedder without one tells nothing. */
  embed(texts: string[], signal: AbortSignal, onCall?: (call: ProviderCall) => void): Promise<Float32Array[]>
}
