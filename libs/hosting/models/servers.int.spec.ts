import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { freePort } from '@plumbline/platform'
import { modelServerFaults } from './servers'

const servers: Server[] = []
const listen = async (answer: RequestListener): Promise<number> => {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
afterEach(() => {
  for (const server of servers.splice(0)) (server.closeAllConnections(), server.close())
})

it('a configured model server that does not answer, or refuses the key, is reported with what to check', async () => {
  const gone = `http://127.0.0.1:${await freePort()}/v1`
  const refusing = `http://127.0.0.1:${await listen((_, response) => void response.writeHead(401).end())}/v1`
  const silent = `http://127.0.0.1:${await listen(() => undefined)}/v1`
  const said = async (env: Parameters<typeof modelServerFaults>[0], withinMs = 20_000) =>
    (await modelServerFaults(env, withinMs)).map(({ says, fix }) => `${says} ${fix}`).join()
  expect(await said({ OPENAI_BASE_URL: gone })).toMatch(
    /127\.0\.0\.1:\d+\/v1 does not answer \(ECONNREFUSED\)\.[\s\S]*OPENAI_BASE_URL is correct/,
  )
  expect(await said({ OPENAI_BASE_URL: refusing, OPENAI_API_KEY: 'a-key' })).toMatch(
    /rejects the key \(401\).*OPENAI_API_KEY/,
  )
  expect(await said({ EMBEDDING_BASE_URL: silent }, 500)).toMatch(/no answer in 0\.5 s[\s\S]*EMBEDDING_BASE_URL/)
})

it('a configured model server that gives any answer is not reported', async () => {
  const url = `http://127.0.0.1:${await listen((_, response) => void response.writeHead(404).end())}/v1`
  expect(await modelServerFaults({ OPENAI_BASE_URL: url, FALLBACK_BASE_URL: url })).toEqual([])
  expect(await modelServerFaults({})).toEqual([])
})
