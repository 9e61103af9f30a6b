import { registerHooks } from 'node:module'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { RunView } from '@plumbline/contracts'
import { defineStage } from '@plumbline/hosting/define-stage'
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
const caller = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }
const traceparent = (flags = '01'): string => `00-${caller.traceId}-${caller.spanId}-${flags}`

let traces: OtlpReceiver
let model: ModelServer
let house: House | undefined
beforeAll(async () => {
  ;[traces, model] = await Promise.all([startOtlpReceiver(), startModelServer()])
  model.script(() => true, plainModel)
})
afterEach(async () => {
  await house?.close()
  house = undefined
  for (const recorded of [traces.spans, traces.bodies, traces.headers, imported]) recorded.length = 0
})
afterAll(() => Promise.all([traces.close(), model.close()]))

const open = async (env: Record<string, string>, stages = Object.values(allStages)): Promise<House> => {
  house = await openHouse({ stages, env })
  await house.add('Skerry', text, 'islands')
  return house
}
const sending = (more: Record<string, string> = {}) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: traces.url, ...more })
/** What was sent by the time the house is closed. */
const sent = async (): Promise<ReceivedSpan[]> => {
  await house?.close()
  house = undefined
  return traces.spans
}
const asked = async (
  { url }: House,
  headers: Record<string, string> = {},
): Promise<{ response: Response; run: RunView }> => {
  const response = await fetch(`${url}/v1/runs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', prefer: 'wait=30', ...headers },
    body: JSON.stringify({ question, collection: 'islands' }),
  })
  return { response, run: (await response.json()) as RunView }
}
const boaster = generatorWriting(() => `${truth} [1]. The lighthouse is 93 metres high [1].`)
const boasting = Object.values({ ...allStages, generator: boaster })
const named = (spans: ReceivedSpan[], name: string): ReceivedSpan[] => spans.filter((span) => span.name === name)

describe('without an endpoint', () => {
  it('nothing of the SDK is loaded, and a caller’s trace and request id are kept and told all the same', async () => {
    const { response, run } = await asked(await open({}), { traceparent: traceparent(), 'x-request-id': 'mine-1' })
    expect(run).toMatchObject({ status: 'answered', traceId: caller.traceId })
    expect(response.headers.get('x-request-id')).toBe('mine-1')
    expect(response.headers.get('traceparent')).toBe(traceparent())
    expect(await house?.client.ledger(run.id)).toMatchObject({
      items: expect.arrayContaining([
        expect.objectContaining({ type: 'asked', requestId: 'mine-1', traceparent: traceparent() }),
      ]),
    })
    expect(imported).toEqual([])
    expect(await sent()).toEqual([])
  })
})

describe('with an endpoint', () => {
  it.each([
    ['a sampled one', traceparent(), true],
    ['none', undefined, false],
    ['one that cannot be read', `${traceparent()}-more`, false],
  ])('a caller’s trace is gone on with: %s', async (_, given, isKept) => {
    const { response, run } = await asked(await open(sending()), given === undefined ? {} : { traceparent: given })
    expect(response.headers.get('traceparent')).toMatch(new RegExp(`^00-${run.traceId}-[0-9a-f]{16}-01$`))
    expect(run.traceId === caller.traceId).toBe(isKept)
    const [request] = named(await sent(), 'POST /v1/runs')
    expect(request).toMatchObject({ traceId: run.traceId, kind: 2, attributes: { 'http.response.status_code': 200 } })
    expect(request?.parentSpanId).toBe(isKept ? caller.spanId : undefined)
  })

  it('with content on, question, passages and answer stand in spans, and a key never', async () => {
    const key = 'zanthikey0123456789'
    const models = {
      OPENAI_BASE_URL: model.openaiUrl,
      OPENAI_API_KEY: key,
      MODEL_SMALL: 'gpt-4.1-mini',
      MODEL_STRONG: 'gpt-4.1',
    }
    const env = sending({ OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true', ...models })
    const { run } = await asked(await open(env))
    const spans = await sent()
    const [whole] = named(spans, 'invoke_workflow standard')
    expect(whole?.attributes).toMatchObject({
      'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: question }] }]),
      'gen_ai.output.messages': expect.stringContaining('31 metres'),
      'plumbline.run.status': 'answered',
    })
    const [call] = named(spans, 'chat gpt-4.1')
    expect(call?.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-4.1',
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.input.messages': expect.stringContaining('quorvath'),
      'gen_ai.usage.input_tokens': expect.any(Number),
    })
    const tokens = spans.map(({ attributes }) => Number(attributes['gen_ai.usage.input_tokens'] ?? 0))
    expect(tokens.reduce((sum, each) => sum + each, 0)).toBe(run.usage.tokensIn)
    expect(named(spans, 'search passages')[0]?.attributes['gen_ai.retrieval.query.text']).toBe(question)
    expect(traces.bodies.join('')).not.toContain(key)
  })

  it('a task that fails is tried again in a span that links to the first; a finished task has one span', async () => {
    let tries = 0
    const failing = defineStage({
      stage: 'router',
      env: z.object({}),
      limits: () => ({ backoffMs: 10 }),
      handlers: () => ({
        route: () => {
          if ((tries += 1) < 3) throw new AppError('wordless', 'later', { notBefore: Date.now() + 1 })
          return Promise.resolve({ outcome: 'research' as const, logic: 'x', collections: ['islands'] })
        },
      }),
    })
    const { run } = await asked(await open(sending(), Object.values({ ...allStages, router: failing })))
    expect(run.status).toBe('answered')
    const [first, ...later] = named(await sent(), 'process router')
    expect(first).toMatchObject({
      attributes: { 'plumbline.task.outcome': 'later', 'error.type': 'wordless' },
      status: { code: 2 },
    })
    expect(first?.links).toEqual([])
    expect(later).toHaveLength(2)
    for (const again of later) expect(again.links).toMatchObject([{ traceId: first?.traceId, spanId: first?.spanId }])
  })

  it('a held run shows how long it was held, linked to the decision that ended it, and the decision to the run', async () => {
    const { client, url } = await open(sending(), boasting)
    const { run } = await asked({ url } as House)
    expect(run.status).toBe('parked')
    await client.decide(run.id, { taskId: run.review?.taskId ?? '', decisionId: 'd1', action: 'approve' })
    const spans = await sent()
    const [held] = named(spans, 'parked')
    const [decision] = named(spans, 'POST /v1/reviews/:runId/decision')
    expect(held).toMatchObject({ traceId: run.traceId, attributes: { 'plumbline.task.outcome': 'approved' } })
    expect(held?.links).toMatchObject([{ traceId: decision?.traceId, spanId: decision?.spanId }])
    expect(decision?.links).toMatchObject([{ traceId: run.traceId }])
    expect(held && held.endTimeUnixNano - held.startTimeUnixNano).toBeGreaterThan(0)
  })

  it('of a ratio of 0 only the trace of what was held or went wrong is sent, and that whole', async () => {
    const answered = await asked(await open(sending({ OTEL_TRACES_SAMPLER_ARG: '0' })))
    expect(answered.run.status).toBe('answered')
    expect(await sent()).toEqual([])
    const held = await asked(await open(sending({ OTEL_TRACES_SAMPLER_ARG: '0' }), boasting))
    expect(held.run.status).toBe('parked')
    const spans = await sent()
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([held.run.traceId]))
    expect(spans.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['POST /v1/runs', 'ask', 'process router', 'process grader']),
    )
  })
})
