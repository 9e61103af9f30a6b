import type { Attributes } from '@opentelemetry/api'

/** The usage of one call, as reported by the provider. */
export type ProviderUsage = { tokensIn: number; tokensCached?: number; tokensOut: number; searches?: number }
export const noProviderUsage: ProviderUsage = { tokensIn: 0, tokensOut: 0 }

/** The result of one call. `finish` is the provider's name for the reason why the answer ended. */
export type ProviderResult<Out> = { out: Out; spent: ProviderUsage; finish?: string }

/** One model at one server. */
export type Provider<In, Out> = {
  readonly operation: 'chat' | 'embeddings' | 'rerank' | 'search'
  readonly model: string
  /** The host for display, such as `api.openai.com`. */
  readonly host: string
  /** Makes exactly one call. Every failure rejects with a `ProviderError`. */
  send(input: In, signal: AbortSignal): Promise<ProviderResult<Out>>
  /** Returns an estimate of the tokens of a call. After the call, the actual usage replaces the estimate. */
  estimate(input: In): number
  /**
   * Returns attributes for traces. Attributes with text of questions or answers are recorded only if the operator
   * allows them.
   */
  about?(input: In): Attributes
  asked?(input: In): Record<string, string>
  answered?(out: Out): Record<string, string>
}

/**
 * The kinds of faults. `limited`: retry after a time. `unavailable`: no answer in time. `malformed`: an unexpected
 * answer. `rejected`: a retry would fail too. `unsupported`: the server does not support the request's form, so the
 * next call uses another form.
 */
export type FaultKind = 'limited' | 'unavailable' | 'malformed' | 'rejected' | 'unsupported'

export class ProviderError extends Error {
  override readonly name = 'ProviderError'
  readonly notBefore: number | undefined
  /** The error code from the provider. If there is none, a code of our own. */
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
