import type { Attributes } from '@opentelemetry/api'
import { content, noteEvent, noteOnSpan, type SpanDetails } from '@plumbline/platform/tracing/spans'
import type { Guard } from './resilience'
import type { Provider, ProviderError, ProviderResult } from './provider'

/** The names of the providers in the OpenTelemetry conventions, by host. */
const names: [RegExp, string][] = [
  [/(^|\.)openai\.azure\.com$/, 'azure.ai.openai'],
  [/(^|\.)cohere\.(com|ai)$/, 'cohere'],
  [/(^|\.)anthropic\.com$/, 'anthropic'],
  [/(^|\.)mistral\.ai$/, 'mistral_ai'],
  [/(^|\.)groq\.com$/, 'groq'],
  [/(^|\.)deepseek\.com$/, 'deepseek'],
  [/(^|\.)x\.ai$/, 'x_ai'],
  [/(^|\.)perplexity\.ai$/, 'perplexity'],
]

type AnyProvider = Pick<Provider<never, unknown>, 'operation' | 'host' | 'model'>

const withoutPort = (host: string): string => host.replace(/:\d+$/, '')

const providerNameOf = ({ operation, host }: AnyProvider): string =>
  names.find(([at]) => at.test(withoutPort(host)))?.[1] ?? (operation === 'rerank' ? 'cohere' : 'openai')

type Called<In, Out> = Pick<Guard<In, Out>, 'provider' | 'fallback'>

const modelAttributes = (provider: AnyProvider): Attributes =>
  provider.operation === 'search'
    ? {}
    : {
        'gen_ai.operation.name': provider.operation,
        'gen_ai.provider.name': providerNameOf(provider),
        'gen_ai.request.model': provider.model,
      }

export const spanNameOf = ({ operation, model }: AnyProvider): string => `${operation} ${model}`

/**
 * Returns the details of the span for a call. One span covers all attempts, including attempts with a fallback
 * provider. Each failed attempt adds an event to the span.
 */
export const callDetails = <In, Out>(provider: Provider<In, Out>, input: In): SpanDetails => ({
  kind: 'client',
  attributes: {
    'server.address': withoutPort(provider.host),
    ...modelAttributes(provider),
    ...provider.about?.(input),
    ...content(() => provider.asked?.(input) ?? {}),
  },
})

export const noteAnswer = <In, Out>(
  { provider, fallback }: Called<In, Out>,
  { out, spent, finish }: ProviderResult<Out>,
): void =>
  noteOnSpan(() => ({
    ...(provider.operation !== 'search' && {
      'gen_ai.response.model': provider.model,
      'gen_ai.usage.input_tokens': spent.tokensIn,
      'gen_ai.usage.output_tokens': spent.tokensOut,
    }),
    ...(spent.tokensCached && { 'gen_ai.usage.cache_read.input_tokens': spent.tokensCached }),
    ...(finish && { 'gen_ai.response.finish_reasons': [finish] }),
    ...(fallback && { 'server.address': withoutPort(provider.host), 'plumbline.model.fallback': true }),
    ...content(() => provider.answered?.(out) ?? {}),
  }))

export const noteFault = <In, Out>({ provider }: Called<In, Out>, { kind }: ProviderError): void =>
  noteEvent('fault', () => ({
    'error.type': kind,
    'server.address': withoutPort(provider.host),
    'gen_ai.request.model': provider.model,
  }))
