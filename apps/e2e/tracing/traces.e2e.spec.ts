import { execFile } from 'node:child_process'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { RunView } from '@plumbline/contracts'
import { stages } from '@plumbline/flow'
import { onLoopback } from '@plumbline/testing/loopback'
import { answer } from '@plumbline/testing/model-server/answer'
import { startModelServer, type ModelServer } from '@plumbline/testing/model-server/model-server'
import { startOtlpReceiver, type OtlpReceiver, type ReceivedSpan } from '@plumbline/testing/otlp-receiver'
import type { ModelRequest } from '@plumbline/testing/model-server/request'
import { plainModel } from '@plumbline/testing/scripted-model/plain-model'
import { startApps, type Apps } from './apps'
import { differencesFrom } from './span-table'

const root = join(import.meta.dirname, '..', '..', '..')
/** Words that occur only in questions, documents, answers and keys. */
const canaries = {
  question: 'xylowren',
  document: 'quorvath',
  answer: 'brindlecap',
  key: 'zanthikey0123456789',
  file: 'vexmoor',
}
const text = `# Skerry\n\nThe lighthouse of Skerry is 31 metres high, says ${canaries.document}. It was lit for the first time in 1887 by ${canaries.answer}.
\n# Orm\n\nThe county of Orm has 4,200 inhabitants. Its capital is Vardby.`
const question = (n: number): string =>
  `How high is the lighthouse of Skerry, and how many inhabitants has the county of Orm? ${canaries.question} ${n}`

let traces: OtlpReceiver
let model: ModelServer
let apps: Apps
type Server = Awaited<ReturnType<typeof onLoopback>>
let webhook: Server
let web: Server
const told: IncomingHttpHeaders[] = []
beforeAll(async () => {
  await promisify(execFile)(process.execPath, [join(root, 'tools', 'bootstrap', 'main.mjs'), 'build'])
  ;[traces, model] = await Promise.all([startOtlpReceiver(), startModelServer()])
  model.script(() => true, plainModel)
  webhook = await onLoopback(
    createServer((request, response) => {
      told.push(request.headers)
      request.resume().on('end', () => response.end())
    }),
  )
  web = await onLoopback(
    createServer((_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"results":[]}'),
    ),
  )
  apps = await startApps(
    {
      LOG_LEVEL: 'debug',
      API_KEYS: `${canaries.key}:default:admin`,
      OPENAI_BASE_URL: model.openaiUrl,
      OPENAI_API_KEY: canaries.key,
      MODEL_SMALL: 'gpt-4.1-mini',
      MODEL_STRONG: 'gpt-4.1',
      EMBEDDING_MODEL: 'text-embedding-3-small',
      COHERE_API_KEY: canaries.key,
      COHERE_BASE_URL: model.url,
      ALLOW_PRIVATE_ADDRESSES: new URL(webhook.url).host,
      WEB_SEARCH: 'searxng',
      SEARXNG_URL: web.url,
      OTEL_EXPORTER_OTLP_ENDPOINT: traces.url,
      OTEL_EXPORTER_OTLP_HEADERS: `x-receiver-key=${canaries.key}`,
    },
    canaries.key,
  )
  await vi.waitFor(async () => expect(await apps.lacking()).toBe(0), { timeout: 100_000, interval: 200 })
}, 180_000)
afterAll(async () => {
  await apps.close()
  await Promise.all([model.close(), traces.close(), webhook.close(), web.close()])
})

const endedRun = async (id: string): Promise<RunView> => {
  await expect.poll(async () => (await apps.client.run(id)).timings.endedAt, { timeout: 120_000 }).toBeDefined()
  return apps.client.run(id)
}
const inTrace = (traceId: string | undefined): ReceivedSpan[] => traces.spans.filter((span) => span.traceId === traceId)
const orphansOf = (spans: ReceivedSpan[]): string[] => {
  const ids = new Set(spans.map(({ spanId }) => spanId))
  return spans
    .filter(({ parentSpanId }) => parentSpanId !== undefined && !ids.has(parentSpanId))
    .map(({ name }) => name)
}
const rootsOf = (spans: ReceivedSpan[]): string[] =>
  spans.filter(({ parentSpanId }) => parentSpanId === undefined).map(({ name }) => name)
const queuesOf = (spans: ReceivedSpan[]): unknown[] => [
  ...new Set(
    spans
      .filter(({ name }) => name.startsWith('process '))
      .map(({ attributes }) => attributes['messaging.destination.name']),
  ),
]

describe('traces of every app in a process of its own', () => {
  it('a document: from its upload through its parser process to the index, in one trace', async () => {
    await apps.client.putWebhook('mine', { url: webhook.url, events: ['run.answered'] })
    const { id } = await apps.client.addDocument({ title: 'Skerry', name: canaries.file, text, collection: 'islands' })
    await expect.poll(async () => (await apps.client.document(id)).status, { timeout: 60_000 }).toBe('indexed')
    const ofDocument = (): ReceivedSpan[] =>
      inTrace(traces.spans.find(({ attributes }) => attributes['plumbline.document.id'] === id)?.traceId)
    await expect
      .poll(() => ofDocument().map(({ name }) => name))
      .toEqual(
        expect.arrayContaining([
          'POST /v1/documents',
          'process ingest',
          'parse',
          'embeddings text-embedding-3-small',
          'write passages',
        ]),
      )
    expect(rootsOf(ofDocument())).toEqual(['POST /v1/documents'])
    expect(orphansOf(ofDocument())).toEqual([])
  }, 120_000)

  it('25 runs give 25 connected traces: one root each, every parent there, every stage in each, no span twice', async () => {
    const asked = await Promise.all(
      Array.from({ length: 25 }, (_, n) => apps.client.ask({ question: question(n), collection: 'islands' })),
    )
    const runs = await Promise.all(asked.map(({ id }) => endedRun(id)))
    expect(new Set(runs.map(({ status }) => status))).toEqual(new Set(['answered']))
    expect(new Set(runs.map(({ traceId }) => traceId)).size).toBe(25)
    await expect.poll(() => told.length, { timeout: 60_000 }).toBe(25)
    const whole = (): number =>
      runs.filter(({ traceId }) => {
        const names = inTrace(traceId).map(({ name }) => name)
        return ['invoke_workflow standard', 'process webhook'].every((name) => names.includes(name))
      }).length
    await expect.poll(whole).toBe(25)
    for (const { id, traceId } of runs) {
      const spans = inTrace(traceId)
      expect(rootsOf(spans), id).toEqual(['POST /v1/runs'])
      expect(orphansOf(spans), id).toEqual([])
      expect(queuesOf(spans), id).toEqual(expect.arrayContaining([...stages, 'webhook']))
      expect(
        spans.map(({ name }) => name),
        id,
      ).toEqual(expect.arrayContaining(['ask', 'chat gpt-4.1-mini', 'chat gpt-4.1', 'search passages']))
      const tasks = spans.flatMap(({ attributes }) => attributes['messaging.message.id'] ?? [])
      expect(new Set(tasks).size, id).toBe(tasks.length)
    }
    expect(new Set(traces.spans.map(({ spanId }) => spanId)).size).toBe(traces.spans.length)
    expect(new Set(traces.spans.map(({ resource }) => resource['service.name'])).size).toBe(7)
    const webhooks = new Set(told.map(({ traceparent }) => traceparent?.slice(3, 35)))
    expect(webhooks).toEqual(new Set(runs.map(({ traceId }) => traceId)))
  }, 240_000)

  it('a fault of a provider is an event of its call, without its words, and its line in the log names run, request and trace', async () => {
    const echoed = 'A word of the prompt: dollopsen'
    model.script({ text: /eleventh/, name: 'route' }, answer.status(503, {}, { message: echoed }), plainModel)
    const response = await fetch(`${apps.url}/v1/runs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': canaries.key, 'x-request-id': 'mine-11' },
      body: JSON.stringify({ question: 'Which is the eleventh lighthouse of Skerry?', collection: 'islands' }),
    })
    const { id } = (await response.json()) as RunView
    const { traceId = '' } = await endedRun(id)
    expect(response.headers.get('traceparent')).toContain(traceId)
    const faulty = (): ReceivedSpan[] => inTrace(traceId).filter(({ events }) => events.length > 0)
    await expect.poll(() => faulty().map(({ name }) => name)).toEqual(['chat gpt-4.1-mini'])
    expect(faulty()[0]?.events).toMatchObject([{ name: 'fault', attributes: { 'error.type': 'unavailable' } }])
    expect(traces.bodies.join('\n')).not.toContain('dollopsen')
    const lines = apps.lines.filter((line) => line.includes(id)).map((line) => JSON.parse(line) as object)
    expect(lines.length).toBeGreaterThan(0)
    for (const line of lines) expect(line).toMatchObject({ runId: id, requestId: 'mine-11', traceId })
  })

  it('a held run, its decision, a web search, a look into a document and its removal: all spans are as docs/run/tracing.md lists them', async () => {
    const isBoasted = ({ name, text: prompt }: ModelRequest): boolean => name === undefined && /boasting/.test(prompt)
    model.script(isBoasted, answer.text('The lighthouse is 93 metres high [1].'))
    const held = await apps.client.ask({
      question: 'How high is the boasting lighthouse of Skerry?',
      collection: 'islands',
    })
    const parked = async (): Promise<RunView> => apps.client.run(held.id)
    await expect.poll(async () => (await parked()).status).toBe('parked')
    const taskId = (await parked()).review?.taskId ?? ''
    await apps.client.decide(held.id, { taskId, decisionId: 'd1', action: 'approve', note: 'The source is old.' })
    const elsewhere = await apps.client.ask({ question: 'Who was the twelfth emperor of Rome?', collection: 'islands' })
    await endedRun(elsewhere.id)
    const [document] = (await apps.client.documents()).items
    await apps.client.passages(document?.id ?? '')
    await apps.client.removeDocument(document?.id ?? '')
    await expect.poll(() => differencesFrom(traces.spans)).toEqual([])
  }, 120_000)

  it('content is off: no word of a question, a document, an answer or a key is in a span, a log line or a metric', async () => {
    const metrics = await apps.metrics()
    await apps.stop()
    expect(traces.headers.every((sent) => sent['x-receiver-key'] === canaries.key)).toBe(true)
    const everything = { spans: traces.bodies.join('\n'), logs: apps.lines.join('\n'), metrics }
    expect(Object.values(everything).map((each) => each.length > 1_000)).toEqual([true, true, true])
    for (const [where, said] of Object.entries(everything))
      for (const [what, canary] of Object.entries(canaries))
        expect(said.includes(canary), `${what} in ${where}`).toBe(false)
  })
})
