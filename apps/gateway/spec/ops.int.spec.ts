import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { bounds } from '@plumbline/gateway/settings'
import { onceOnly, openHouse, toAnswer, toPark, withPolicy, type House } from './house.spec'

let house: House
withPolicy('once-only', onceOnly)
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

const text = async (path: string) => (await fetch(`${house.url}${path}`)).text()
type Operation = {
  summary: string
  operationId: string
  responses: Record<string, unknown>
  requestBody?: {
    content: Record<
      string,
      { schema: object; examples?: Record<string, { value: object }>; example?: Record<string, string> | string }
    >
  }
  parameters: { name: string; in: string }[]
}
type Document = {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, { properties?: object }> }
}

describe('the description of the API', () => {
  it('names every route with what it takes and answers', async () => {
    const { openapi, paths, components } = JSON.parse(await text('/openapi.json')) as Document
    expect(openapi).toBe('3.1.0')
    expect(
      Object.entries(paths)
        .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`))
        .sort(),
    ).toEqual([
      'delete /v1/cases/{id}',
      'delete /v1/collections/{name}',
      'delete /v1/documents/{id}',
      'delete /v1/keys/{id}',
      'delete /v1/reviews/availability',
      'delete /v1/runs/{id}/keep',
      'delete /v1/schedules/{id}',
      'delete /v1/sources/{name}',
      'delete /v1/threads/{id}',
      'delete /v1/webhooks/{name}',
      'get /livez',
      'get /metrics',
      'get /openapi.json',
      'get /readyz',
      'get /v1/audit',
      'get /v1/audit/export',
      'get /v1/batches',
      'get /v1/batches/{id}',
      'get /v1/batches/{id}/results',
      'get /v1/cases',
      'get /v1/cases/calibration',
      'get /v1/cases/export',
      'get /v1/cases/{id}',
      'get /v1/collections',
      'get /v1/collections/{name}',
      'get /v1/documents',
      'get /v1/documents/{id}',
      'get /v1/documents/{id}/content',
      'get /v1/documents/{id}/events',
      'get /v1/documents/{id}/pages/{page}',
      'get /v1/documents/{id}/pages/{page}/words',
      'get /v1/documents/{id}/passages',
      'get /v1/feedback',
      'get /v1/flags',
      'get /v1/keys',
      'get /v1/keys/names',
      'get /v1/live',
      'get /v1/me',
      'get /v1/models',
      'get /v1/models/{id}',
      'get /v1/ops/abandoned',
      'get /v1/ops/diagnosis',
      'get /v1/ops/history',
      'get /v1/ops/overview',
      'get /v1/ops/processes',
      'get /v1/policies',
      'get /v1/reviews',
      'get /v1/reviews/{runId}',
      'get /v1/rules',
      'get /v1/runs',
      'get /v1/runs/{id}',
      'get /v1/runs/{id}/events',
      'get /v1/runs/{id}/feedback',
      'get /v1/runs/{id}/ledger',
      'get /v1/scaler/{queue}',
      'get /v1/schedules',
      'get /v1/schedules/{id}',
      'get /v1/sources',
      'get /v1/sources/{name}',
      'get /v1/threads',
      'get /v1/threads/{id}',
      'get /v1/threads/{id}/export',
      'get /v1/usage',
      'get /v1/webhooks',
      'get /v1/webhooks/deliveries',
      'patch /v1/threads/{id}',
      'post /v1/batches',
      'post /v1/batches/{id}/cancel',
      'post /v1/chat/completions',
      'post /v1/collections/{name}/reindex',
      'post /v1/documents',
      'post /v1/documents/compare',
      'post /v1/documents/{id}/reindex',
      'post /v1/documents/{id}/retry',
      'post /v1/flags/{id}/fix',
      'post /v1/flags/{id}/reread',
      'post /v1/keys',
      'post /v1/keys/{id}/rotate',
      'post /v1/ops/abandoned/replay',
      'post /v1/ops/abandoned/{runId}/replay',
      'post /v1/ops/stages/{stage}/pause',
      'post /v1/ops/stages/{stage}/resume',
      'post /v1/reviews/decisions',
      'post /v1/reviews/undo',
      'post /v1/reviews/{runId}/assign',
      'post /v1/reviews/{runId}/decision',
      'post /v1/reviews/{runId}/notes',
      'post /v1/reviews/{runId}/put-back',
      'post /v1/reviews/{runId}/take',
      'post /v1/reviews/{runId}/undo',
      'post /v1/runs',
      'post /v1/runs/{id}/cancel',
      'post /v1/runs/{id}/feedback',
      'post /v1/runs/{id}/keep',
      'post /v1/runs/{runId}/decision',
      'post /v1/schedules',
      'post /v1/search',
      'post /v1/sources/{name}/run',
      'post /v1/webhooks/deliveries/{id}/replay',
      'post /v1/webhooks/{name}/secret',
      'put /v1/collections/{name}',
      'put /v1/reviews/availability',
      'put /v1/rules',
      'put /v1/sources/{name}',
      'put /v1/webhooks/{name}',
    ])
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
    expect(new Set(operations.map((operation) => operation.operationId)).size).toBe(operations.length)
    const ask = paths['/v1/runs']?.post
    const { schemas } = components
    expect(ask?.requestBody?.content['application/json']?.schema).toEqual({ $ref: '#/components/schemas/Ask' })
    expect(Object.keys(schemas['Ask']?.properties ?? {})).toEqual(
      expect.arrayContaining(['question', 'policy', 'limits', 'collection']),
    )
    expect(Object.keys(schemas['Limits']?.properties ?? {})).toContain('retries')
    const answered = JSON.stringify([schemas['RunView'], schemas['Answer'], schemas['Quote']])
    for (const field of ['kind', 'quotes', 'marks', 'nearest', 'standalone', 'queries'])
      expect(answered).toContain(`"${field}"`)
    expect(Object.keys(ask?.responses ?? {})).toEqual(expect.arrayContaining(['200', '202']))
    expect(paths['/v1/runs']?.get?.parameters.map((parameter) => parameter.name)).toEqual([
      'cursor',
      'limit',
      'status',
      'policy',
      'collection',
      'reason',
      'words',
      'from',
      'to',
      'threadId',
      'metadata',
      'minScore',
      'maxScore',
      'minCents',
      'maxCents',
    ])
  })

  it('gives every body an example that is taken as it stands', async () => {
    const { paths } = JSON.parse(await text('/openapi.json')) as Document
    const house = await openHouse({ clientWaitSeconds: 1 })
    onTestFinished(() => house.close())
    const parked = async (): Promise<string> => {
      const { id } = await house.client.ask({ question: 'How heavy is Mars?', policy: 'once-only' })
      await house.report(id, ...toPark())
      return id
    }
    const flagged = async (): Promise<string> => {
      const { id } = await house.client.ask({ question: 'How heavy is Mars?' })
      await house.report(id, ...toAnswer())
      await house.client.feedback(id, { useful: false })
      return id
    }
    const idFor = (path: string): string | Promise<string> => {
      if (!path.includes('/{')) return ''
      if (path.startsWith('/v1/threads')) return 'planets'
      if (path.startsWith('/v1/keys'))
        return house.client.createKey({ name: 'x', roles: ['asker'] }).then(({ id }) => id)
      return path.startsWith('/v1/flags') ? flagged() : parked()
    }
    const bodies = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { requestBody }]) =>
        requestBody ? [{ path, method, requestBody }] : [],
      ),
    )
    expect(bodies.length).toBeGreaterThan(4)
    for (const { path, method, requestBody } of bodies) {
      const lines = requestBody.content['application/jsonl']?.example
      if (typeof lines === 'string') {
        expect((await house.client.createBatch(lines)).status).toBe('running')
        continue
      }
      const examples = Object.values(requestBody.content['application/json']?.examples ?? {})
      expect(examples, `${method} ${path}`).not.toEqual([])
      for (const { value } of examples) {
        const id = await idFor(path)
        if (path.endsWith('}/undo'))
          await house.client.decide(id, {
            taskId: 'review.1',
            decisionId: 'approve-1',
            action: 'approve',
            undoMs: 10_000,
          })
        const answer = await fetch(`${house.url}${path.replace(/\{(?:id|runId)\}/, id).replace('{name}', 'planets')}`, {
          method: method.toUpperCase(),
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(value),
        })
        expect([path, value, answer.status < 300 ? 'taken' : await answer.text()]).toEqual([path, value, 'taken'])
      }
    }
    const form = new FormData()
    const fields = paths['/v1/documents']?.post?.requestBody?.content['multipart/form-data']?.example ?? {}
    for (const [field, value] of Object.entries(fields)) if (field !== 'file') form.append(field, value)
    form.append('file', new Blob(['# Mars']), 'mars.md')
    expect((await fetch(`${house.url}/v1/documents`, { method: 'POST', body: form })).status).toBe(202)
    expect(Object.keys(fields)).toContain('title')
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

describe('requests', () => {
  it('are timed by route and class of status, and no address is in a label', async () => {
    const own = await openHouse({ apiKeys: 'asker-key:acme:asker,operator-key:ops:operator', keyAsksPerMinute: 1 })
    onTestFinished(() => own.close())
    const send = (method: string, path: string, key = 'asker-key') =>
      fetch(`${own.url}${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(method === 'POST' && { body: JSON.stringify({ question: 'How heavy is Mars?' }) }),
      })
    const run = (await (await send('POST', '/v1/runs')).json()) as { id: string }
    await send('POST', '/v1/runs')
    await send('GET', `/v1/runs/${run.id}`)
    await send('GET', '/v1/runs/nobody-knows-this')
    await send('GET', '/v1/secret-word-in-an-address')
    await send('PROPFIND', '/v1/runs')
    await send('GET', '/v1/runs', 'wrong-key')
    const stream = await send('GET', `/v1/runs/${run.id}/events`)
    await stream.body?.cancel()
    const metrics = await (await send('GET', '/metrics', 'operator-key')).text()
    const counted = (labels: string) =>
      Number(new RegExp(`^plumbline_http_seconds_count\\{${labels}\\} (\\d+)$`, 'm').exec(metrics)?.[1] ?? 0)
    expect(counted('method="POST",route="/v1/runs",status="2xx"')).toBe(1)
    expect(counted('method="POST",route="/v1/runs",status="4xx"')).toBe(1)
    expect(counted('method="GET",route="/v1/runs/:id",status="2xx"')).toBe(1)
    expect(counted('method="GET",route="/v1/runs/:id",status="4xx"')).toBe(1)
    expect(counted('method="GET",route="/v1/runs",status="4xx"')).toBe(1)
    expect(counted('method="none",route="none",status="4xx"')).toBe(2)
    expect(metrics).not.toMatch(/route="[^"]*events"/)
    for (const word of [run.id, 'nobody-knows', 'secret-word', 'acme', 'PROPFIND', 'wrong-key'])
      expect(metrics).not.toContain(word)
    for (const [kind, count] of Object.entries({ 'too-many-asks': 1, unauthorized: 1, 'not-found': 2 }))
      expect(metrics).toContain(`plumbline_refusals_total{kind="${kind}"} ${count}\n`)
  })
})

describe('health', () => {
  it('is alive and ready', async () => {
    expect(await text('/livez')).toBe('alive\n')
    expect(JSON.parse(await text('/readyz'))).toEqual({
      status: 'ok',
      details: { store: { status: 'up' } },
      documents: expect.stringMatching(/documents answers$/) as string,
      models: [],
    })
  })
})

describe('a stop', () => {
  it('ends streams and waits, and is done in a moment', async () => {
    const own = await openHouse()
    const { id } = await own.client.ask({ question: 'How heavy is Mars?' })
    const stream = await fetch(`${own.url}/v1/runs/${id}/events`)
    const reader = stream.body?.getReader()
    await reader?.read()
    const { farewellMs } = bounds
    bounds.farewellMs = 30_000
    onTestFinished(() => void (bounds.farewellMs = farewellMs))
    const began = performance.now()
    await own.gateway.close()
    expect(performance.now() - began).toBeLessThan(8_000)
    await own.close()
  })
})
