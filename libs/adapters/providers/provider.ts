import type { Attributes } from '@opentelemetry/api'

/** What one call used up, as the provider counted it. */
export type Spent = { tokensIn: number; tokensCached?: number; tokensOut: number; searches?: number }
export const nothingSpent: Spent = { tokensIn: 0, tokensOut: 0 }

/** `finish`: why the model stopped, in the provider's word. */
export type Sent<Out> = { out: Out; spent: Spent; finish?: string }

/** One model at one server. */
export type Provider<In, Out> = {
  readonly operation: 'chat' | 'embeddings' | 'rerank' | 'search'
  readonly model: string
  /** Where it runs, as people know it: `api.openai.com`. */
  readonly host: string
  /** One call over the wire and no more; whatever goes wrong is a ProviderError. */
  send(input: In, signal: AbortSignal): Promise<Sent<Out>>
  /** How many tokens the call will use, roughly; set right by what it used. */
  estimate(input: In): number
  /** What traces say of a call; of words only where the operator wants them there. */
  about?(input: In): Attributes
  asked?(input: In): Record<string, string>
  answered?(out: Out): Record<string, string>
}

/**
 * limited: it may be asked again, not before a time · unavailable: it does not answer, or not in time · malformed: it answers something
 * else · rejected: it will never take this · unsupported: it does not know one way of asking, and the next call asks in another.
 */
export type FaultKind = 'limited' | 'unavailable' | 'malformed' | 'rejected' | 'unsupported'

export class ProviderError extends Error {
  override readonly name = 'ProviderError'
  readonly notBefore: number | undefined
  /** The provider's own word for it, where it has one. */
  readonly reason: string
  constructor(
    readonly kind: FaultKind,
    message: string,
    options: { notBefore?: number | undefined; reason?: string; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.notBefore = options.notBefore
    this.reason = options.reason ?? ''
  }
}
