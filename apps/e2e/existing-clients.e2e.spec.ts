import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChatCompletion } from '@plumbline/contracts'
import { policies } from '@plumbline/flow'
import { heldText } from '@plumbline/gateway/present/outcome'
import { boastingStages, question, skerry } from './boaster'
import { openHouse, type House } from './house'

type Said = OpenAI.ChatCompletion & ChatCompletion
type Message = OpenAI.ChatCompletionMessageParam
const run = promisify(execFile)
const page = readFileSync(new URL('../../docs/use/existing-clients.md', import.meta.url), 'utf8')
const examples = (language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, code = '']) => code)

describe('the examples of the page, as they stand', () => {
  let house: House
  beforeAll(async () => {
    house = await openHouse({ env: { TENANT_RUNS_AT_ONCE: '*=5' } })
    await house.add('Planets', readFileSync(new URL('../../sample/planets.md', import.meta.url), 'utf8'), 'sample')
    await house.add('Skerry', skerry, 'islands')
  })
  afterAll(() => house.close())

  const here = (code: string): string => code.replaceAll('http://127.0.0.1:3000', house.url)
  const answer = 'For Saturn, Known moons by year in 2023 is 146 [1].'

  it.each(examples('js').map((code, n) => [n + 1, code] as const))('in JavaScript, %i', async (_, code) => {
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', here(code)])
    expect(stdout).toContain(answer)
    if (code.includes('status')) expect(stdout).toMatch(/^answered Planets$/m)
    if (code.includes('/mcp')) expect(stdout).toMatch(/^Run r[0-9a-z]{24}: answered\.checked\.$/m)
  })

  it('with curl', async () => {
    const [code = ''] = examples('sh')
    const { stdout } = await run('sh', ['-c', here(code)])
    expect(JSON.parse(stdout)).toMatchObject({
      choices: [{ finish_reason: 'stop' }],
      plumbline: { status: 'answered' },
    })
    expect(stdout).toContain(answer)
    expect(stdout).toContain('Known moons by year [1] · 1 of 8 rows')
  })

  it('forty questions, one after another, are all answered under a limit of five runs at once', async () => {
    const client = new OpenAI({ baseURL: `${house.url}/v1`, apiKey: 'local', maxRetries: 0 })
    const messages: Message[] = [{ role: 'user', content: 'How many moons did Saturn have in 2023?' }]
    let answered = 0
    while (answered < 40) {
      const { choices } = await client.chat.completions.create({ model: 'plumbline', messages })
      expect(choices[0]?.finish_reason).toBe('stop')
      answered += 1
    }
  })

  const ask = async (messages: Message[]): Promise<Said> => {
    const client = new OpenAI({ baseURL: `${house.url}/v1`, apiKey: 'local' })
    const asked = { model: 'plumbline', messages, plumbline: { collection: 'islands' } }
    return (await client.chat.completions.create(asked)) as Said
  }

  it('a quoted answer is Markdown, with the place above each quote', async () => {
    const completion = await ask([{ role: 'user', content: 'Who lit the lighthouse?' }])
    expect(completion.plumbline).toMatchObject({ kind: 'quoted', reason: 'answered.quoted' })
    expect(completion.choices[0]?.message.content).toMatch(/\n\n\*\*Skerry \[1\]\*\*\n\n> .*1887/)
  })

  it('a conversation sent by the client is understood, but is no evidence', async () => {
    const completion = await ask([
      { role: 'user', content: question },
      { role: 'assistant', content: 'The lighthouse of Skerry is as high as the Brocken [1].' },
      { role: 'user', content: 'And when was it lit for the first time?' },
    ])
    expect(completion.choices[0]?.message.content).toContain('1887')
    expect(JSON.stringify(completion)).not.toContain('Brocken')
  })
})

describe('a draft that fails its check', () => {
  let house: House
  beforeAll(async () => {
    const key = 'admin-of-default'
    const keys = [`${key}:default:admin`, 'staff-of-default:default:asker:staff', 'asker-of-other:other:asker']
    house = await openHouse({ stages: boastingStages, key, env: { API_KEYS: keys.join() } })
    await house.add('Skerry', skerry, 'islands')
  })
  afterAll(() => house.close())

  const headers = { authorization: 'Bearer admin-of-default' }
  const bytesOf = async (model: string, stream: boolean): Promise<string> => {
    const answer = await fetch(`${house.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ model, stream, messages: [{ role: 'user', content: question }] }),
    })
    return `${JSON.stringify([...answer.headers])}${await answer.text()}`
  }
  /** Returns all text that an MCP client receives for this question, including progress messages. */
  const mcpBytesOf = async (policy: string): Promise<string> => {
    let bytes = ''
    const noting = async (url: string | URL, init?: RequestInit): Promise<Response> => {
      const answer = await fetch(url, init)
      const text = answer.status === 405 ? '' : await answer.text()
      bytes += text
      return new Response(text === '' ? null : text, { status: answer.status, headers: answer.headers })
    }
    const client = new Client({ name: 'spec', version: '1' })
    const connection = { requestInit: { headers }, fetch: noting }
    await client.connect(new StreamableHTTPClientTransport(new URL(`${house.url}/mcp`), connection))
    const call = { name: 'ask', arguments: { question, policy } }
    const { structuredContent } = await client.callTool(call, undefined, { onprogress: () => undefined })
    const { runId } = structuredContent as { runId: string }
    await client.callTool({ name: 'get_run', arguments: { runId } })
    await client.close()
    return bytes
  }

  it('an MCP client lists and reads the documents that its key may read, and no other', async () => {
    const told = {
      title: 'Pay',
      text: '# Pay\n\nThe keeper is paid 12 crowns.',
      collection: 'staff',
      access: ['staff'],
    }
    const { id: pay } = await house.client.addDocument(told)
    await expect.poll(async () => (await house.client.document(pay)).status).toBe('indexed')
    const { items } = await house.client.documents({ words: 'Skerry' })
    const uriOf = (id = ''): string => `plumbline://documents/${id}`
    const [open, tagged] = [uriOf(items[0]?.id), uriOf(pay)]
    const asKey = async (key: string) => {
      const client = new Client({ name: 'spec', version: '1' })
      const requestInit = { headers: { authorization: `Bearer ${key}` } }
      await client.connect(new StreamableHTTPClientTransport(new URL(`${house.url}/mcp`), { requestInit }))
      const { resources } = await client.listResources()
      const read = (uri: string) => client.readResource({ uri }).then(JSON.stringify, String)
      const texts = await Promise.all([open, tagged, uriOf('x'), 'file:///etc/passwd'].map(read))
      await client.close()
      return { uris: resources.map(({ uri }) => uri).sort(), texts }
    }
    const missing = expect.stringMatching(/-32002.*There is no such document/)
    const ofSkerry = expect.stringContaining('1887')
    expect(await asKey('staff-of-default')).toEqual({
      uris: [open, tagged].sort(),
      texts: [ofSkerry, expect.stringContaining('12 crowns'), missing, missing],
    })
    // An admin may manage the document but not read its text.
    const closed = expect.stringMatching(/-32002.*one of the access tags staff/)
    expect(await asKey('admin-of-default')).toEqual({ uris: [open], texts: [ofSkerry, closed, missing, missing] })
    expect(await asKey('asker-of-other')).toEqual({ uris: [], texts: [missing, missing, missing, missing] })
  })

  it.each(Object.keys(policies))('shows no byte of itself over either door under %s', async (policy) => {
    const seen = await Promise.all([bytesOf(policy, false), bytesOf(policy, true), mcpBytesOf(policy)])
    const { items } = await house.client.runs({ policy, limit: 3 })
    expect(items).toHaveLength(3)
    for (const { status } of items) expect(['parked', 'unanswered']).toContain(status)
    const isHeld = items.every(({ status }) => status === 'parked')
    for (const bytes of seen) {
      expect(bytes).not.toMatch(/93 metres/)
      if (isHeld) {
        expect(bytes).not.toMatch(/metres|1887/)
        expect(bytes).toContain(heldText)
      }
    }
    const [held] = items
    // Reviewers get these words, so the test would detect a leak.
    if (isHeld && held) expect(JSON.stringify(await house.client.review(held.id))).toContain('93 metres')
  })
})
