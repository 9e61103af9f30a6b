import { openWire, type Settings, type Wire } from '../providers/wire'

/**
 * If `apiVersion` is set, requests have the format of Azure, with the key in the header `api-key` and the version in
 * the query of the URL.
 */
export type Endpoint = {
  baseUrl?: string | undefined
  apiKey?: string | undefined
  apiVersion?: string | undefined
  settings?: Partial<Settings> | undefined
}

/** Starts to load the library. Call this when a model is opened, because loading may exceed a call's timeout. */
export const openAiLibrary = () => {
  const library = import('@langchain/openai')
  library.catch(() => undefined)
  return library
}

const openAiUrl = 'https://api.openai.com/v1'
const names: Settings = { key: 'OPENAI_API_KEY', url: 'OPENAI_BASE_URL', model: 'MODEL_SMALL and MODEL_STRONG' }

export const urlOf = ({ baseUrl = openAiUrl }: Endpoint): string => baseUrl.replace(/\/+$/, '')
export const hostOf = (endpoint: Endpoint): string => new URL(urlOf(endpoint)).host

/**
 * The client library always sends the header `authorization`. This function removes the header if there is no key or if
 * Azure reads the key from `api-key`.
 */
const authorise =
  ({ apiKey, apiVersion }: Endpoint) =>
  (headers: Headers): void => {
    if (!apiKey || apiVersion) headers.delete('authorization')
    if (apiKey && apiVersion) headers.set('api-key', apiKey)
  }

export const wireTo = (endpoint: Endpoint, signal: AbortSignal): Wire =>
  openWire({
    host: hostOf(endpoint),
    settings: { ...names, ...endpoint.settings },
    secret: endpoint.apiKey,
    signal,
    headers: authorise(endpoint),
  })

/** Each call needs a new client with these options, because `wire.fetch` belongs to one call. */
export const clientOptions = (endpoint: Endpoint, model: string, wire: Wire) => ({
  model,
  apiKey: endpoint.apiKey || 'none',
  maxRetries: 0,
  configuration: {
    baseURL: urlOf(endpoint),
    fetch: wire.fetch,
    logLevel: 'off' as const,
    maxRetries: 0,
    ...(endpoint.apiVersion && { defaultQuery: { 'api-version': endpoint.apiVersion } }),
  },
})
