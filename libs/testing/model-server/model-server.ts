import { createServer } from 'node:http'
import { onLoopback } from '../loopback'
import type { Feature, Kind, Lack } from './request'
import { createPaces, type Pace } from './pace'
import { createLatencies, createScript, type Latency, type Matcher, type Scripted } from './script'
import { openaiDocument } from './openai/document'
import { createRecords, receive, type RecordedRequest, type State } from './receive'

export type ModelServerOptions = {
  /**
   * Whether requests are validated against OpenAI's API description. The default is true. If the file with this
   * description is missing, nothing is validated.
   */
  validate?: boolean
  models?: string[]
  /** The number of cached prompt tokens that answers report, unless an answer sets its own number. */
  cachedTokens?: number
}

type Fault = { path: string; name: string | undefined; faults: string[] }

export interface ModelServer {
  readonly url: string
  /** The base URL for OpenAI clients. The base URL for Cohere clients is `url`. */
  readonly openaiUrl: string
  readonly requests: readonly RecordedRequest[]
  readonly faults: Fault[]
  calls(kind: Kind): RecordedRequest[]
  /**
   * Answers matching requests with the `answers` one after another, then repeats the last answer. If several scripts
   * match, the latest script is used.
   */
  script(matcher: Matcher, ...answers: Scripted[]): void
  latency(latency: Latency, matcher?: Matcher): void
  pace(pace: Pace, matcher?: Matcher): void
  unsupported(feature: Feature, how?: Lack): void
  until(holds: (requests: readonly RecordedRequest[]) => boolean): Promise<void>
  reset(): void
  close(): Promise<void>
}

const usualModels = ['gpt-4.1', 'gpt-4.1-mini', 'text-embedding-3-small', 'text-embedding-3-large']

const controls = (state: State, url: string, close: () => Promise<void>): ModelServer => ({
  url,
  openaiUrl: `${url}/v1`,
  get requests() {
    return state.records.all
  },
  get faults() {
    return state.records.all
      .filter(({ faults }) => faults.length > 0)
      .map(({ path, name, faults }) => ({ path, name, faults }))
  },
  calls: (kind) => state.records.all.filter((request) => request.kind === kind),
  script: (matcher, ...answers) => state.script.add(matcher, answers),
  latency: (latency, matcher = {}) => state.latencies.add(latency, matcher),
  pace: (pace, matcher = {}) => state.paces.add(pace, matcher),
  unsupported: (feature, how = 'refused') => void state.lacks.set(feature, how),
  until: (holds) => state.records.until(holds),
  reset: () => {
    state.records.clear()
    state.script.clear()
    state.latencies.clear()
    state.paces.clear()
    state.lacks.clear()
  },
  close,
})

export const startModelServer = async (options: ModelServerOptions = {}): Promise<ModelServer> => {
  const state: State = {
    document: options.validate === false ? undefined : await openaiDocument(),
    models: options.models ?? usualModels,
    cachedTokens: options.cachedTokens ?? 0,
    records: createRecords(),
    script: createScript(),
    latencies: createLatencies(),
    paces: createPaces(),
    lacks: new Map(),
    underWay: 0,
    closing: false,
    serial: 0,
  }
  const server = createServer((request, response) => {
    receive(state, request, response).catch(() => response.destroy())
  })
  const { url, close } = await onLoopback(server)
  return controls(state, url, () => {
    state.closing = true
    return close()
  })
}
