import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createClient } from '@plumbline/client'
import { passage } from '@plumbline/flow/spec/run-fixtures.spec'
import { createGateway } from '@plumbline/gateway'
import { heldText } from '@plumbline/gateway/present/outcome'
import type { PassageSearch } from '@plumbline/gateway/ports'
import { bounds } from '@plumbline/gateway/settings'
import { features, onceOnly, openHouse, post, toAnswer, toPark, withPolicy, type House } from './house.spec'

const apiKeys = 'asker-of-a:a:asker,desk-of-a:a:reviewer,asker-of-b:b:asker'
const searched: unknown[] = []
/** Returns a search that records its scopes and finds one passage. */
const openSearch = (): PassageSearch => ({
  search: ({ scope, query }) => {
    searched.push([scope.tenant, scope.collections, scope.access, query])
    const isElsewhere = query.includes('Titan')
    return Promise.resolve({ passages: [passage('p1')], degraded: [], ...(isElsewhere && { elsewhere: 'moons' }) })
  },
  ofDocument: () => Promise.resolve([]),
})
let house: House
withPolicy('once-only', onceOnly)
beforeAll(async () => {
  house = await openHouse({ apiKeys, openSearch })
  const admin = { apiKeys: 'admin-of-a:a:admin', redisUrl: house.server.url, port: 0, dataDir: house.dataDir }
  const gateway = await createGateway({ features, ...admin, removePassages: () => Promise.resolve() })
  await createClient({ url: gateway.url, key: 'admin-of-a' }).addDocument({
    title: 'Mars',
    text: 'x',
    collection: 'planets',
  })
  await gateway.close()
})
afterAll(() => house.close())

const connect = async (key = 'asker-of-a', url = house.url): Promise<Client> => {
  const client = new Client({ name: 'spec', version: '1' })
  const headers = { authorization: `Bearer ${key}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }))
  onTestFinished(() => client.close())
  return client
}

type ToolCallResult = { text: string; structured: Record<string, unknown>; isError: boolean }
const told = (result: Awaited<ReturnType<Client['callTool']>>): ToolCallResult => {
  const { content, structuredContent = {}, isError = false } = result as CallToolResult
  return {
    text: content.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    structured: structuredContent,
    isError,
  }
}
const call = async (
  client: Client,
  name: string,
  args: Record<string, unknown>,
  options = {},
): Promise<ToolCallResult> => told(await client.callTool({ name, arguments: args }, undefined, options))

const question = 'How heavy is Mars?'
const ids = async (): Promise<string[]> => (await house.store.list('a', { cursor: null, limit: 100 })).ids
const statusOf = async (id: string) => (await house.store.load(id))?.run.status
const askedBy = async (request: () => unknown): Promise<string> => {
  const before = await ids()
  request()
  const added = async () => (await ids()).filter((id) => !before.includes(id))
  await expect.poll(added).toHaveLength(1)
  return (await added())[0] ?? ''
}

describe('an MCP client', () => {
  it('lists its tools, with schemas to validate the replies', async () => {
    const client = await connect()
    expect(client.getServerVersion()).toMatchObject({ name: 'plumbline' })
    expect(client.getInstructions()).toContain('checked')
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['ask', 'get_run', 'search_passages'])
    for (const { description, inputSchema, outputSchema } of tools) {
      expect(description?.length).toBeGreaterThan(40)
      expect(inputSchema.type).toBe('object')
      expect(outputSchema?.required?.length).toBeGreaterThan(0)
    }
    expect(tools[0]?.inputSchema.required).toEqual(['question'])
  })

  it('asks, receives progress, and gets the answer with its citations', async () => {
    const client = await connect()
    // After it has listed the tools, the client validates structured results against their schemas.
    await client.listTools()
    const heard: string[] = []
    let asking: Promise<ToolCallResult> | undefined
    const onprogress = ({ message = '' }) => void heard.push(message)
    const id = await askedBy(
      () => (asking = call(client, 'ask', { question, metadata: { team: 'red' } }, { onprogress })),
    )
    await house.report(id, ...toAnswer())
    const { text, structured, isError } = (await asking) ?? {}
    expect(isError).toBe(false)
    expect(text).toBe(
      `Mars weighs 6.4e23 kg [1].\n\n[1] Title p1: ${house.url}/documents/planets/d-p1?passage=p1\n\nRun ${id}: answered.checked.`,
    )
    expect(structured).toMatchObject({
      ...{ runId: id, status: 'answered', text: 'Mars weighs 6.4e23 kg [1].' },
      citations: [{ n: 1, passageId: 'p1', text: 'Text of p1.' }],
      grounding: { score: 1 },
    })
    expect(heard).toEqual([
      'Route: research',
      'Planned: 1 step',
      'Step 1: How heavy is Mars?',
      'Step 1: 1 passage',
      'Writing draft 1',
      'Checking draft 1',
    ])
    expect((await house.store.load(id))?.run).toMatchObject({ question, metadata: { team: 'red' } })
  })

  it('reports a held answer as held, and nothing of it until it is released', async () => {
    const client = await connect()
    const seen: unknown[] = []
    let asking: Promise<ToolCallResult> | undefined
    const onprogress = (progress: unknown) => void seen.push(progress)
    const id = await askedBy(() => (asking = call(client, 'ask', { question, policy: 'once-only' }, { onprogress })))
    await house.report(id, ...toPark('Mars is made of cheese [1].'))
    const held = await asking
    seen.push(held, await call(client, 'get_run', { runId: id }))
    expect(held?.text).toBe(`${heldText}\n\nRun ${id}: parked.ungrounded. Call get_run later.`)
    expect(held?.structured).toMatchObject({ status: 'parked', citations: [] })
    expect(JSON.stringify(seen)).not.toMatch(/cheese|Text of p1|Title p1/)
    await createClient({ url: house.url, key: 'desk-of-a' }).decide(id, {
      ...{ taskId: 'review.1', decisionId: 'd1', action: 'approve' },
    })
    expect((await call(client, 'get_run', { runId: id })).text).toContain('cheese')
  })

  it('waits as long as it says, and takes the answer later', async () => {
    const client = await connect()
    const { text, structured } = await call(client, 'ask', { question, waitSeconds: 0 })
    const id = String(structured.runId)
    expect(text).toBe(`This answer is not ready yet.\n\nRun ${id}: queued. Call get_run later.`)
    const later = call(client, 'get_run', { runId: id, waitSeconds: 30 })
    await house.report(id, ...toAnswer())
    expect((await later).structured).toMatchObject({ status: 'answered' })
  })

  it('searches what its key may read', async () => {
    const client = await connect()
    await client.listTools()
    const { text, structured } = await call(client, 'search_passages', { query: 'mass of Mars', collection: 'planets' })
    expect(text).toBe('1. Title p1\nText of p1.')
    expect(structured).toMatchObject({ collections: ['planets'], items: [{ id: 'p1' }] })
    expect(searched).toEqual([['a', ['planets'], [], 'mass of Mars']])
    const hinted = await call(client, 'search_passages', { query: 'Titan', collection: ['planets'] })
    expect(hinted.text).toContain('The collection moons contains words of the query.')
    expect(hinted.structured).toMatchObject({ elsewhere: 'moons' })
  })
})

describe('a call that cannot be', () => {
  it('says what to do', async () => {
    const client = await connect()
    const refused = async (name: string, args: Record<string, unknown>) => {
      const { isError, text } = await call(client, name, args)
      expect(isError).toBe(true)
      return text
    }
    expect(await refused('ask', {})).toMatch(/question/)
    expect(await refused('ask', { question: '' })).toMatch(/write a question/)
    expect(await refused('ask', { question, colection: 'x' })).toMatch(/colection/)
    expect(await refused('ask', { question, collection: 'nowhere' })).toMatch(/nowhere/)
    expect(await refused('ask', { question, collection: ['planets', 'nowhere'] })).toMatch(/nowhere/)
    expect(await refused('ask', { question, policy: 'nothing' })).toMatch(/there is no policy nothing: use one of/)
    expect(await refused('ask', { question, access: ['board'] })).toMatch(/this key does not have board/)
    expect(await refused('get_run', { runId: 'x' })).toMatch(/no such run/)
    expect(await refused('nothing', {})).toMatch(/nothing/)
  })

  it('is one with another role, another tenant’s run, or no key', async () => {
    const { structured } = await call(await connect(), 'ask', { question, waitSeconds: 0 })
    const theirs = await call(await connect('asker-of-b'), 'get_run', { runId: structured.runId })
    expect([theirs.isError, theirs.text]).toEqual([true, 'Not found. There is no such run.'])
    const desk = await call(await connect('desk-of-a'), 'ask', { question })
    expect([desk.isError, desk.text]).toEqual([true, expect.stringContaining('needs a key with the role asker')])
    await expect(connect('nobody-knows')).rejects.toThrow(/401|Unauthorized/)
  })

  it('is one that is no POST, and one from the page of another site', async () => {
    const authorization = 'Bearer asker-of-a'
    for (const method of ['GET', 'DELETE'])
      expect((await fetch(`${house.url}/mcp`, { method, headers: { authorization } })).status).toBe(405)
    const local = await openHouse()
    onTestFinished(() => local.close())
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const accept = 'application/json, text/event-stream'
    const status = async (headers: Record<string, string>) => (await post(local.url, '/mcp', list, headers)).status
    expect(await status({ accept })).toBe(200)
    expect(await status({ accept, origin: 'https://evil.example' })).toBe(403)
  })
})

describe('the calls of a tenant', () => {
  it('count with its other requests', async () => {
    const kept = bounds.inFlight
    bounds.inFlight = 4
    const small = await openHouse({ apiKeys })
    bounds.inFlight = kept
    onTestFinished(() => small.close())
    const ask = () => {
      const params = { name: 'ask', arguments: { question, waitSeconds: 1 } }
      const headers = { authorization: 'Bearer asker-of-a', accept: 'application/json, text/event-stream' }
      return post(small.url, '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers)
    }
    expect((await Promise.all([ask(), ask(), ask()])).map(({ status }) => status).sort()).toEqual([200, 200, 429])
  })
})

describe('a call that is not wanted any more', () => {
  it('is cancelled by its client, at whichever gateway that arrives', async () => {
    const other = await createGateway({
      features,
      ...{ apiKeys, redisUrl: house.server.url, port: 0, dataDir: house.dataDir },
      removePassages: () => Promise.resolve(),
    })
    onTestFinished(() => other.close())
    // Calls go to one gateway and the cancellation to the other, as behind a load balancer.
    const client = new Client({ name: 'spec', version: '1' })
    const transport = new StreamableHTTPClientTransport(new URL(`${house.url}/mcp`), {
      requestInit: { headers: { authorization: 'Bearer asker-of-a' } },
      fetch: (url, init) => {
        const isCancel = typeof init?.body === 'string' && init.body.includes('notifications/cancelled')
        return fetch(isCancel ? `${other.url}/mcp` : url, init)
      },
    })
    await client.connect(transport)
    onTestFinished(() => client.close())
    const over = new AbortController()
    let asking: Promise<unknown> | undefined
    const id = await askedBy(() => {
      asking = client.callTool({ name: 'ask', arguments: { question } }, undefined, { signal: over.signal })
      asking.catch(() => undefined)
    })
    over.abort('not needed')
    await expect(asking).rejects.toThrow()
    await expect.poll(() => statusOf(id)).toBe('cancelled')
  })

  it('ends with its connection without a session to cancel it by, and continues otherwise', async () => {
    const hangUp = async (headers: Record<string, string>): Promise<string> => {
      const over = new AbortController()
      const params = { name: 'ask', arguments: { question } }
      let answer: Promise<unknown> | undefined
      const id = await askedBy(() => {
        answer = fetch(`${house.url}/mcp`, {
          method: 'POST',
          signal: over.signal,
          headers: {
            ...{ authorization: 'Bearer asker-of-a', 'content-type': 'application/json' },
            accept: 'application/json, text/event-stream',
            ...headers,
          },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
        }).then((response) => response.text())
        answer.catch(() => undefined)
      })
      over.abort()
      await expect(answer).rejects.toThrow()
      return id
    }
    const going = await hangUp({ 'mcp-session-id': 'a-session-of-the-spec' })
    const ended = await hangUp({})
    await expect.poll(() => statusOf(ended)).toBe('cancelled')
    expect(await statusOf(going)).toBe('queued')
  })
})
