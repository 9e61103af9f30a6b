import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { takeFaults } from './compare-answers'

type Given = { status?: number; type: string; body: string }
const hint = { type: 'run', id: 'r1' }
const event = (data: object): string => `id: 1-0\ndata: ${JSON.stringify(data)}\n\n`

let given: Given = { type: '', body: '' }
let server: Server
let url = ''
beforeAll(async () => {
  server = createServer((_, response) => {
    const { status = 200, type, body } = given
    response.writeHead(status, { 'content-type': type, 'x-request-id': 'a', 'x-frame-options': 'DENY' }).write(body)
    if (!type.startsWith('text/event-stream')) response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** Requests a response, and returns the differences from the API description that were found in it. */
const found = async (path: string, answer: Given, method = 'GET'): Promise<string[]> => {
  given = answer
  const leaving = new AbortController()
  const response = await fetch(`${url}${path}`, { method, signal: leaving.signal })
  expect([response.url, response.status]).toEqual([`${url}${path}`, answer.status ?? 200])
  if (answer.type.startsWith('text/event-stream')) {
    const reader = response.body?.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe(answer.body)
    leaving.abort()
    await expect(reader?.read()).rejects.toThrow()
  } else expect(await response.text()).toBe(answer.body)
  return takeFaults()
}
const json = 'application/json; charset=utf-8'
const stream = 'text/event-stream; charset=utf-8'

it('compares a body with the description', async () => {
  const body = JSON.stringify({ id: 1 })
  expect(await found('/v1/runs/r1', { type: json, body })).toEqual([
    expect.stringMatching(/^get \/v1\/runs\/\{id\} 200 application\/json: \/: must have required property/),
  ])
})

it('compares a status, a type and an address with the description', async () => {
  expect(await found('/v1/runs/r1', { status: 418, type: json, body: '{}' })).toEqual([
    'get /v1/runs/{id} 418: the description has no such status',
  ])
  expect(await found('/v1/runs/r1', { type: 'text/html', body: '' })).toEqual([
    'get /v1/runs/{id} 200: the description has no text/html',
  ])
  expect(await found('/v1/unheard-of', { type: json, body: '{}' })).toEqual([
    'get /v1/unheard-of 200: the description has no such operation',
  ])
  expect(await found('/v1/unheard-of', { status: 404, type: json, body: '{}' })).toEqual([])
})

it('compares each event of a stream that stays open', async () => {
  expect(await found('/v1/live', { type: stream, body: `retry: 1000\n\n${event(hint)}` })).toEqual([])
  expect(await found('/v1/live', { type: stream, body: event(hint) + event({ type: 'run' }) })).toEqual([
    expect.stringMatching(/^get \/v1\/live 200 text\/event-stream: /),
  ])
})

it('compares each line of an export', async () => {
  expect(await found('/v1/batches/b1/results', { type: 'application/jsonl', body: '{"line":"one"}\n' })).toEqual([
    expect.stringMatching(/^get \/v1\/batches\/\{id\}\/results 200 application\/jsonl: /),
  ])
})
