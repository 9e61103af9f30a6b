import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readGatewayEnv } from '@plumbline/gateway'
import { openBeside, openHouse, post, toAnswer, type House } from './house.spec'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

const question = 'How heavy is Mars?'
const ingress = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'ask.example.org' }

const added = async (before: string[]): Promise<string> => {
  const ids = async () => (await house.store.list('default', { cursor: null, limit: 100 })).ids
  const fresh = async () => (await ids()).filter((id) => !before.includes(id))
  await expect.poll(fresh).toHaveLength(1)
  return (await fresh())[0] ?? ''
}

const answerOf = async (asking: () => Promise<Response>): Promise<string> => {
  const before = (await house.store.list('default', { cursor: null, limit: 100 })).ids
  const answer = asking()
  await house.report(await added(before), ...toAnswer())
  return (await answer).text()
}

/** Returns the host in the links to cited documents, from a chat completion and from an MCP call. */
const linksFrom = async (url: string, headers: Record<string, string> = ingress): Promise<string[]> => {
  const completion = await answerOf(() =>
    post(url, '/v1/chat/completions', { model: 'standard', messages: [{ role: 'user', content: question }] }, headers),
  )
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ask', arguments: { question } } }
  const mcp = await answerOf(() =>
    post(url, '/mcp', call, { ...headers, accept: 'application/json, text/event-stream' }),
  )
  return [completion, mcp].map(
    (text) => /(https?:\/\/[^/\s"]+(?:\/[\w-]+)?)\/documents\/planets\/d-p1/.exec(text)?.[1] ?? '',
  )
}

describe('a link to a cited document', () => {
  it('leads to the host that was asked, whatever headers the caller sends', async () => {
    expect(await linksFrom(house.url)).toEqual([house.url, house.url])
  })

  it('leads to PUBLIC_URL where that is set', async () => {
    const { publicUrl } = readGatewayEnv({ PUBLIC_URL: 'https://plumbline.example.org/app/' })
    const gateway = await openBeside(house, { ...(publicUrl !== undefined && { publicUrl }) })
    try {
      const link = 'https://plumbline.example.org/app'
      expect(await linksFrom(gateway.url)).toEqual([link, link])
    } finally {
      await gateway.close()
    }
  })

  it.each([
    ['leads to the address that a trusted proxy was asked by', '127.0.0.0/8', 'https://ask.example.org'],
    ['believes no proxy that is not named', '10.0.0.0/8', null],
  ])('%s', async (_, proxies, link) => {
    const { trustedProxies } = readGatewayEnv({ TRUSTED_PROXIES: proxies })
    const gateway = await openBeside(house, { trustedProxies })
    try {
      expect(await linksFrom(gateway.url)).toEqual([link ?? gateway.url, link ?? gateway.url])
    } finally {
      await gateway.close()
    }
  })
})

it('trusts proxies only by address', () => {
  for (const wrong of ['true', '*', 'proxy.example.org', '10.0.0.0/40'])
    expect(() => readGatewayEnv({ TRUSTED_PROXIES: wrong })).toThrow(/TRUSTED_PROXIES: write addresses/)
})
