import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onceOnly, openHouse, toAnswer, toPark, withPolicy, type House } from './house.spec'

let house: House
beforeAll(async () => {
  withPolicy('once-only', onceOnly)
  house = await openHouse()
})
afterAll(() => house.close())

const text = async (path: string) => (await fetch(`${house.url}${path}`)).text()
type Operation = {
  summary: string
  operationId: string
  responses: Record<string, unknown>
  requestBody?: { content: Record<string, { schema: { properties: object } }> }
  parameters: { name: string; in: string }[]
}
type Document = { openapi: string; paths: Record<string, Record<string, Operation>> }

describe('the description of the API', () => {
  it('names every route with what it takes and answers', async () => {
    const { openapi, paths } = JSON.parse(await text('/openapi.json')) as Document
    expect(openapi).toBe('3.1.0')
    expect(
      Object.entries(paths)
        .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`))
        .sort(),
    ).toEqual([
      'delete /v1/documents/{id}',
      'get /livez',
      'get /metrics',
      'get /openapi.json',
      'get /readyz',
      'get /v1/collections',
      'get /v1/collections/{name}',
      'get /v1/documents',
      'get /v1/documents/{id}',
      'get /v1/documents/{id}/content',
      'get /v1/documents/{id}/events',
      'get /v1/policies',
      'get /v1/reviews',
      'get /v1/reviews/{runId}',
      'get /v1/runs',
      'get /v1/runs/{id}',
      'get /v1/runs/{id}/events',
      'get /v1/usage',
      'post /v1/collections/{name}/reindex',
      'post /v1/documents',
      'post /v1/documents/{id}/retry',
      'post /v1/reviews/{runId}/decision',
      'post /v1/reviews/{runId}/put-back',
      'post /v1/reviews/{runId}/take',
      'post /v1/runs',
      'post /v1/runs/{id}/cancel',
      'post /v1/runs/{id}/feedback',
      'post /v1/runs/{runId}/decision',
      'put /v1/collections/{name}',
    ])
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
    expect(new Set(operations.map((operation) => operation.operationId)).size).toBe(operations.length)
    const ask = paths['/v1/runs']?.post
    expect(Object.keys(ask?.requestBody?.content['application/json']?.schema.properties ?? {})).toEqual(
      expect.arrayContaining(['question', 'policy', 'limits', 'collection']),
    )
    expect(JSON.stringify(ask?.requestBody)).toContain('"retries"')
    for (const field of ['kind', 'quotes', 'marks', 'nearest', 'standalone', 'queries'])
      expect(JSON.stringify(ask?.responses)).toContain(`"${field}"`)
    expect(Object.keys(ask?.responses ?? {})).toEqual(['200', '202', 'default'])
    expect(paths['/v1/runs']?.get?.parameters.map((parameter) => parameter.name)).toEqual(['cursor', 'limit', 'status'])
  })

  it('is shown by a page that asks no other host', async () => {
    const page = await text('/docs')
    expect(page).not.toMatch(/https?:\/\//)
    const files = [...page.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path = '']) => path)
    expect(files).toHaveLength(4)
    for (const path of files) expect((await fetch(`${house.url}${path}`)).status).toBe(200)
    expect(await text('/docs/start.js')).toContain('/openapi.json')
  })
})

describe('the metrics', () => {
  it('count asks, ends, parks and grounding failures, and see the queues', async () => {
    const { id } = await house.client.ask({ question: 'How heavy is Mars?', policy: 'once-only' })
    await house.report(id, ...toPark())
    const other = await house.client.ask({ question: 'How heavy is Mars?' })
    await house.report(other.id, ...toAnswer())
    await house.client.ask({ question: 'How heavy is Mars?' }, { idempotencyKey: 'k1' })
    await house.client.ask({ question: 'How heavy is Mars?' }, { idempotencyKey: 'k1' })
    await house.client.addDocument({ title: 'Mars', text: 'Mars is red.' })
    await house.client.decide(id, { taskId: 'review.1', decisionId: 'd1', action: 'reject' })
    const metrics = await text('/metrics')
    expect(metrics).toContain('plumbline_asks_total{policy="once-only"} 1')
    expect(metrics).toContain('plumbline_asks_total{policy="standard"} 2')
    expect(metrics).toContain('plumbline_runs_ended_total{status="rejected",reason="rejected.decided"} 1')
    expect(metrics).toMatch(/plumbline_queue_jobs\{lane="main",queue="router",state="waiting"\} [1-9]/)
    expect(metrics).toMatch(/plumbline_queue_oldest_seconds\{lane="main",queue="router"\} \d/)
    expect(metrics).toContain('plumbline_queue_jobs{lane="main",queue="ingest",state="waiting"} 1')
    expect(metrics).toContain('plumbline_parked_runs{lane="main"} 0')
  })
})

describe('health', () => {
  it('is alive and ready', async () => {
    expect([await text('/livez'), await text('/readyz')]).toEqual(['alive\n', 'ready\n'])
  })
})

describe('a stop', () => {
  it('ends streams and waits, and is done in a moment', async () => {
    const own = await openHouse()
    const { id } = await own.client.ask({ question: 'How heavy is Mars?' })
    const stream = await fetch(`${own.url}/v1/runs/${id}/events`)
    const reader = stream.body?.getReader()
    await reader?.read()
    const began = performance.now()
    await own.gateway.close()
    expect(performance.now() - began).toBeLessThan(2_000)
    await own.close()
  })
})
