import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { freePort } from '@plumbline/platform'
import { findModelServer, modelServerFaults } from './models'

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

it('that is configured and does not answer, or refuses the key, is told with what to check', async () => {
  const gone = `http://127.0.0.1:${await freePort()}/v1`
  const refusing = `http://127.0.0.1:${await listen((_, response) => void response.writeHead(401).end())}/v1`
  const silent = `http://127.0.0.1:${await listen(() => undefined)}/v1`
  const said = async (env: Parameters<typeof modelServerFaults>[0]) => (await modelServerFaults(env, 500)).join('\n')
  expect(await said({ OPENAI_BASE_URL: gone })).toMatch(
    /127\.0\.0\.1:\d+\/v1 does not answer \(ECONNREFUSED\)\.[\s\S]*OPENAI_BASE_URL is right/,
  )
  expect(await said({ OPENAI_BASE_URL: refusing, OPENAI_API_KEY: 'a-key' })).toMatch(
    /refuses the key \(401\).*OPENAI_API_KEY/,
  )
  expect(await said({ EMBEDDING_BASE_URL: silent, EMBEDDING_MODEL: 'm' })).toMatch(
    /no answer in 0\.5 s[\s\S]*EMBEDDING_BASE_URL/,
  )
})

it('that is configured and answers anything at all is not spoken of', async () => {
  const url = `http://127.0.0.1:${await listen((_, response) => void response.writeHead(404).end())}/v1`
  expect(await modelServerFaults({ OPENAI_BASE_URL: url, FALLBACK_BASE_URL: url })).toEqual([])
  expect(await modelServerFaults({})).toEqual([])
})
