import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { freePort } from '@plumbline/platform'
import { findModelServer } from './models'

const servers: Server[] = []
const asked: string[] = []
const listen = async (answer: RequestListener): Promise<number> => {
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    answer(request, response)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
const listing =
  (...ids: string[]): RequestListener =>
  (_, response) =>
    void response.end(JSON.stringify({ object: 'list', data: ids.map((id) => ({ id, object: 'model' })) }))

afterEach(() => {
  for (const server of servers.splice(0)) (server.closeAllConnections(), server.close())
  asked.length = 0
})

it('is found by its list of models, and asked for nothing else', async () => {
  const port = await listen(listing('qwen3:4b', '$(reboot)', 'org/model-7b'))
  const places = [
    { name: 'Ollama', port: await freePort() },
    { name: 'LM Studio', port },
  ]
  expect(await findModelServer(places, 10_000)).toEqual({
    name: 'LM Studio',
    url: `http://127.0.0.1:${port}/v1`,
    models: ['qwen3:4b', 'org/model-7b'],
  })
  expect(asked).toEqual(['GET /v1/models'])
})

it('is not what says something else, has no models, or does not answer in time', async () => {
  const others: RequestListener[] = [
    (_, response) => void response.end('<html>'),
    listing(),
    (_, response) => void response.writeHead(401).end(JSON.stringify({ data: [{ id: 'm' }] })),
    (_, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    () => undefined,
  ]
  const places = await Promise.all(others.map(async (answer) => ({ name: 'x', port: await listen(answer) })))
  expect(await findModelServer(places, 1_000)).toBeNull()
  expect(asked).toHaveLength(others.length)
})
