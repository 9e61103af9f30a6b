import type { Attributes } from '@opentelemetry/api'

export type ProviderUsage = { tokensIn: number; tokensCached?: number; tokensOut: number; searches?: number }
export const noProviderUsage: ProviderUsage = { tokensIn: 0, tokensOut: 0 }

/** `finish` is the provider's reason why the answer ended, for example `stop`. */
export type ProviderResult<Out> = { out: Out; spent: ProviderUsage; finish?: string }

export type Provider<In, Out> = {
  readonly operation: 'chat' | 'embeddings' | 'rerank' | 'search'
  readonly model: string
  readonly host: string
  send(input: In, signal: AbortSignal): Promise<ProviderResult<Out>>
  estimate(input: In): number
  about?(input: In): Attributes
  /**
   * `asked` and `answered` return the text of the request and of the answer. This text may be private, so it is
   * recorded only if the operator allows this.
   */
  asked?(input: In): Record<string, string>
  answered?(out: Out): Record<string, string>
}

/** `rejected`: a retry would fail too. `unsupported`: the next call must use another form of request. */
export type FaultKind = 'limited' | 'unavailable' | 'malformed' | 'rejected' | 'unsupported'

export class ProviderError extends Error {
  override readonly name = 'ProviderError'
  readonly notBefore: number | undefined
  /** The provider's error code, or a code of this program, for example `timeout`. */
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
