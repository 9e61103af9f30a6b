import { registerHooks } from 'node:module'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { connectFailFast } from '@plumbline/adapters/redis/client/client'
import { openKeptTraces } from '@plumbline/adapters/redis/ops/kept-traces'
import type { RunView } from '@plumbline/contracts'
import { type ConsumerDefinition, defineStage } from '@plumbline/hosting/define-stage'
import { AppError } from '@plumbline/platform'
import { allStages } from '@plumbline/stages/all'
import { startModelServer, type ModelServer } from '@plumbline/testing/model-server/model-server'
import { startOtlpReceiver, type OtlpReceiver, type ReceivedSpan } from '@plumbline/testing/otlp-receiver'
import { plainModel } from '@plumbline/testing/scripted-model/plain-model'
import { generatorWriting } from '../generator-writing'
import { openHouse, type House } from '../house'

const imported: string[] = []
registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier.startsWith('@opentelemetry/')) imported.push(specifier)
    return next(specifier, context)
  },
})

const truth = 'The lighthouse of Skerry is 31 metres high'
const text = `# Skerry\n\n${truth}. It was lit for the first time in 1887 by quorvath.`
const question = 'How high is the lighthouse of Skerry?'
const questions = {
  held: 'How high is the boasting lighthouse of Skerry?',
  again: 'How high is the restless lighthouse of Skerry?',
}
const caller = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }
const traceparent = (flags = '01'): string => `00-${caller.traceId}-${caller.spanId}-${flags}`

let traces: OtlpReceiver
let model: ModelServer
beforeAll(async () => {
  ;[traces, model] = await Promise.all([startOtlpReceiver(), startModelServer()])
  model.script(() => true, plainModel)
})
afterAll(() => Promise.all([traces.close(), model.close()]))

/** Adds a sentence that no passage supports to the draft for one question, so that this draft is held. */
const generator = generatorWriting((asked) =>
  asked === questions.held ? `${truth} [1]. The lighthouse is 93 metres high [1].` : `${truth} [1].`,
)
let tries = 0
/** Fails twice for one question, so that its task is retried. */
const router = defineStage({
  stage: 'router',
  env: z.object({}),
  handlers: () => ({
    route: ({ run }) => {
      if (run.question === questions.again && (tries += 1) < 3)
        throw new AppError('wordless', 'later', { notBefore: Date.now() + 1 })
      return Promise.resolve({
        outcome: 'research' as const,
        logic: 'it is asked of an island',
        collections: ['islands'],
      })
    },
  }),
})

/** Runs the work in a system that has the document. Returns the spans that were sent before the system is closed. */
const inHouse = async (
  env: Record<string, string>,
  stages: ConsumerDefinition[],
  work: (house: House) => Promise<void>,
): Promise<ReceivedSpan[]> => {
  for (const recorded of [traces.spans, traces.bodies, imported]) recorded.length = 0
  const house = await openHouse({ stages, env })
  try {
    await house.add('Skerry', text, 'islands')
    await work(house)
  } finally {
    await house.close()
  }
  return [...traces.spans]
}
const sending = (more: Record<string, string> = {}) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: traces.url, ...more })
type Asked = { response: Response; run: RunView }
const ask = async ({ url }: House, headers: Record<string, string> = {}, what = question): Promise<Asked> => {
  const response = await fetch(`${url}/v1/runs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', prefer: 'wait=30', ...headers },
    body: JSON.stringify({ question: what, collection: 'islands' }),
  })
  return { response, run: (await response.json()) as RunView }
}
const everyStage = Object.values(allStages)
const ownStages = Object.values({ ...allStages, router, generator })
const named = (spans: ReceivedSpan[], name: string, { run }: Pick<Asked, 'run'>): ReceivedSpan[] =>
  spans.filter((span) => span.name === name && span.traceId === run.traceId)

describe('without an endpoint', () => {
  it('nothing of OpenTelemetry is loaded, and a caller’s trace and request id are kept and told all the same', async () => {
    const spans = await inHouse({}, everyStage, async (house) => {
      const { response, run } = await ask(house, { traceparent: traceparent(), 'x-request-id': 'mine-1' })
      expect(run).toMatchObject({ status: 'answered', traceId: caller.traceId })
      expect(response.headers.get('x-request-id')).toBe('mine-1')
      expect(response.headers.get('traceparent')).toBe(traceparent())
      const [first] = (await house.client.ledger(run.id)).items
      expect(first?.event).toMatchObject({ type: 'asked', requestId: 'mine-1', traceparent: traceparent() })
    })
    expect(imported).toEqual([])
    expect(spans).toEqual([])
  })
})

describe('with an endpoint', () => {
  let spans: ReceivedSpan[]
  const asked: Record<string, Asked> = {}
  beforeAll(async () => {
    spans = await inHouse(sending(), ownStages, async (house) => {
      asked['sampled'] = await ask(house, { traceparent: traceparent() })
      asked['none'] = await ask(house)
      asked['unreadable'] = await ask(house, { traceparent: `${traceparent()}-more` })
      asked['again'] = await ask(house, {}, questions.again)
      const { run } = (asked['held'] = await ask(house, {}, questions.held))
      await house.client.decide(run.id, {
        taskId: run.review?.taskId ?? '',
        decisionId: 'd1',
        action: 'approve',
        note: 'The source is old.',
      })
    })
    expect(imported).not.toEqual([])
  }, 120_000)
  const askedOf = (name: string): Asked => asked[name]!

  it.each([
    ['sampled', true],
    ['none', false],
    ['unreadable', false],
  ])('continues a caller’s trace if possible: %s', (name, isKept) => {
    const { response, run } = askedOf(name)
    expect(response.headers.get('traceparent')).toMatch(new RegExp(`^00-${run.traceId}-[0-9a-f]{16}-01$`))
    expect(run.traceId === caller.traceId).toBe(isKept)
    const [request] = named(spans, 'POST /v1/runs', { run })
    expect(request).toMatchObject({ kind: 2, attributes: { 'http.response.status_code': 200 } })
    expect(request?.parentSpanId).toBe(isKept ? caller.spanId : undefined)
  })

  it('links a redelivered task to its first delivery; a finished task has one span', () => {
    const [first, ...later] = named(spans, 'process router', askedOf('again'))
    expect(first).toMatchObject({
      attributes: { 'plumbline.task.outcome': 'later', 'error.type': 'wordless' },
      status: { code: 2 },
      links: [],
    })
    expect(later).toHaveLength(2)
    for (const again of later) expect(again.links).toMatchObject([{ traceId: first?.traceId, spanId: first?.spanId }])
    expect(named(spans, 'process router', askedOf('none'))).toHaveLength(1)
  })

  it('a held run shows how long it was held, linked to the decision that ended it, and the decision to the run', () => {
    const { run } = askedOf('held')
    expect(run.status).toBe('parked')
    const [held] = named(spans, 'parked', { run })
    const decision = spans.find(({ name }) => name === 'POST /v1/runs/:runId/decision')
    expect(held).toMatchObject({ attributes: { 'plumbline.task.outcome': 'approved' } })
    expect(held?.links).toMatchObject([{ traceId: decision?.traceId, spanId: decision?.spanId }])
    expect(decision?.links).toMatchObject([{ traceId: run.traceId }])
    expect(held && held.endTimeUnixNano - held.startTimeUnixNano).toBeGreaterThan(0)
  })
})

describe('with a ratio of 0', () => {
  it('only the trace of what was held or went wrong is sent, and that whole, in every process', async () => {
    let wanted: (string | undefined)[] = []
    const heard: string[] = []
    const spans = await inHouse(sending({ OTEL_TRACES_SAMPLER_ARG: '0' }), ownStages, async (house) => {
      const redis = connectFailFast(house.redisUrl)
      const elsewhere = openKeptTraces(redis)
      const leave = await elsewhere.hear((traceId) => heard.push(traceId))
      await ask(house)
      const { run: wantedElsewhere } = await ask(house)
      const { run: held } = await ask(house, {}, questions.held)
      expect(held.status).toBe('parked')
      await elsewhere.tell(wantedElsewhere.traceId ?? '')
      wanted = [held.traceId, wantedElsewhere.traceId]
      await expect.poll(() => [...heard].sort()).toEqual([...wanted].sort())
      await leave()
      redis.disconnect()
    })
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set(wanted))
    expect(spans.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['POST /v1/runs', 'ask', 'process router', 'search passages', 'process grader']),
    )
  })
})

describe('with content on', () => {
  it('puts question, passages and answer into spans, and a key never', async () => {
    const key = 'zanthikey0123456789'
    const env = sending({
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true',
      OPENAI_BASE_URL: model.openaiUrl,
      OPENAI_API_KEY: key,
      MODEL_SMALL: 'gpt-4.1-mini',
      MODEL_STRONG: 'gpt-4.1',
    })
    let run!: RunView
    const spans = await inHouse(env, everyStage, async (house) => {
      run = (await ask(house)).run
    })
    const [whole] = named(spans, 'invoke_workflow standard', { run })
    expect(whole?.attributes).toMatchObject({
      'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: question }] }]),
      'gen_ai.output.messages': expect.stringContaining('31 metres') as string,
      'plumbline.run.status': 'answered',
    })
    const [call] = named(spans, 'chat gpt-4.1', { run })
    expect(call?.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.input.messages': expect.stringContaining('quorvath') as string,
    })
    const tokens = spans.map(({ attributes }) => Number(attributes['gen_ai.usage.input_tokens'] ?? 0))
    expect(tokens.reduce((sum, each) => sum + each, 0)).toBe(run.usage.tokensIn)
    expect(named(spans, 'search passages', { run })[0]?.attributes['gen_ai.retrieval.query.text']).toBe(question)
    expect(traces.bodies.join('')).not.toContain(key)
  })
})
