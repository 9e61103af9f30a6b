import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient, type Client } from '@plumbline/client'
import { freePort } from '@plumbline/platform'
import { startModelServer, type ModelServer } from '@plumbline/testing/model-server/model-server'
import { plainModel } from '@plumbline/testing/scripted-model/plain-model'
import { build, start, type Started } from './spec/start'

let dir: string
let server: ModelServer
let local: Started
let client: Client
let port: number
beforeAll(async () => {
  await build()
  dir = mkdtempSync(join(tmpdir(), 'plumbline-models-'))
  port = await freePort()
  server = await startModelServer()
  server.script({ kind: 'chat' }, plainModel)
  client = createClient({ url: `http://127.0.0.1:${port}` })
  local = start('local', [], {
    DATA_DIR: dir,
    PORT: `${port}`,
    OPENAI_BASE_URL: server.openaiUrl,
    OPENAI_API_KEY: 'a-key',
    COHERE_API_KEY: 'a-key',
    COHERE_BASE_URL: server.url,
  })
  await local.says('Plumbline is ready', 60_000)
}, 120_000)
afterAll(async () => {
  await local.ends('SIGTERM')
  await server.close()
  rmSync(dir, { recursive: true, force: true })
})

describe('a start with a model server', () => {
  it('says what it answers with, on the screen and in /readyz, and never a key', async () => {
    const host = new URL(server.url).host
    const said = [
      `small models: gpt-4.1-mini at ${host}`,
      `strong models: gpt-4.1 at ${host}`,
      `reranking: rerank-v3.5 at ${host}`,
      'web search: off',
    ]
    for (const line of said) expect(local.output()).toContain(line)
    const ready = await (await fetch(`http://127.0.0.1:${port}/readyz`)).text()
    for (const line of said.slice(0, 3)) expect(ready).toContain(line)
    expect(local.output() + ready).not.toContain('a-key')
  })

  it('and one question: every model call of the run is in the record, valid, with its usage and cost in the run view', async () => {
    const run = await client.ask(
      { question: 'How long does short-term memory last, and what is the mass of Jupiter?' },
      { waitSeconds: 60 },
    )
    expect(run).toMatchObject({ status: 'answered' })
    expect(run.skills).toContain('gpt-4.1')
    const [chats, reranks] = [server.calls('chat'), server.calls('rerank')]
    expect(server.faults).toEqual([])
    expect(reranks.length).toBeGreaterThan(0)
    expect(run.usage.calls).toBe(chats.length + reranks.length)
    expect(run.usage.tokensIn).toBe(chats.reduce((sum, { usage }) => sum + (usage?.prompt ?? 0), 0))
    expect(run.usage.cents).toBeGreaterThan(0)
  })
})

it('an impossible setting is reported before anything is started', async () => {
  const wrong = start('local', [], {
    DATA_DIR: dir,
    PORT: '0',
    MODEL_SMALL: 'x',
    WEB_SEARCH: 'tavily',
    SKILL_MODELS: 'answr=x',
    COHERE_BASE_URL: 'http://x',
  })
  expect(await wrong.ends()).toBe(1)
  for (const fault of [
    'MODEL_SMALL: needs a server',
    'SKILL_MODELS: has an unknown skill "answr"',
    'TAVILY_API_KEY: WEB_SEARCH=tavily needs the key',
  ])
    expect(wrong.output()).toContain(fault)
})
