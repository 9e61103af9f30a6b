import type { Attributes } from '@opentelemetry/api'

/** The usage of one call, as reported by the provider. */
export type ProviderUsage = { tokensIn: number; tokensCached?: number; tokensOut: number; searches?: number }
export const noProviderUsage: ProviderUsage = { tokensIn: 0, tokensOut: 0 }

/** The result of one call. `finish` is the reason why the answer ended, as the provider names it. */
export type ProviderResult<Out> = { out: Out; spent: ProviderUsage; finish?: string }

/** One model at one server. */
export type Provider<In, Out> = {
  readonly operation: 'chat' | 'embeddings' | 'rerank' | 'search'
  readonly model: string
  /** The host for display, such as `api.openai.com`. */
  readonly host: string
  /** Makes exactly one call. Every failure rejects with a ProviderError. */
  send(input: In, signal: AbortSignal): Promise<ProviderResult<Out>>
  /** Estimates the tokens of a call. The actual usage corrects the estimate later. */
  estimate(input: In): number
  /**
   * Attributes for traces. `asked` and `answered` contain text, so they are recorded only if the operator allows it.
   */
  about?(input: In): Attributes
  asked?(input: In): Record<string, string>
  answered?(out: Out): Record<string, string>
}

/**
 * limited: may be retried after a time · unavailable: no answer in time · malformed: an unexpected answer · rejected: a
 * retry would fail too · unsupported: the server does not know the form, and the next call uses another.
 */
export type FaultKind = 'limited' | 'unavailable' | 'malformed' | 'rejected' | 'unsupported'

export class ProviderError extends Error {
  override readonly name = 'ProviderError'
  readonly notBefore: number | undefined
  /** The provider's own code, if it has one. */
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
