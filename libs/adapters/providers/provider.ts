import type { Attributes } from '@opentelemetry/api'

/** Usage of one call, as counted by the provider. */
export type ProviderUsage = { tokensIn: number; tokensCached?: number; tokensOut: number; searches?: number }
export const noProviderUsage: ProviderUsage = { tokensIn: 0, tokensOut: 0 }

/** `finish`: the provider's reason for the end of the answer. */
export type ProviderResult<Out> = { out: Out; spent: ProviderUsage; finish?: string }

/** One model at one server. */
export type Provider<In, Out> = {
  readonly operation: 'chat' | 'embeddings' | 'rerank' | 'search'
  readonly model: string
  /** Its host for display: `api.openai.com`. */
  readonly host: string
  /** Makes exactly one call. Every failure is a ProviderError. */
  send(input: In, signal: AbortSignal): Promise<ProviderResult<Out>>
  /** Estimates the tokens of a call. The estimate is corrected by the actual usage. */
  estimate(input: In): number
  /** Attributes for traces. They contain text only if the operator allows it. */
  about?(input: In): Attributes
  asked?(input: In): Record<string, string>
  answered?(out: Out): Record<string, string>
}

/**
 * limited: may be retried after a time · unavailable: no answer, or not in time · malformed: an unexpected answer ·
 * rejected: never accepted · unsupported: the form is unknown, and the next call uses another.
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
