import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { connectWaiting, type RedisClient } from '@plumbline/adapters/redis/client/client'
import { readEnv, silent, startPrivateRedis, type PrivateRedis } from '@plumbline/platform'
import type { ChatModel, ProviderCall } from '@plumbline/ports/chat-model'
import { answer } from '@plumbline/testing/model-server/answer'
import { startModelServer, type ModelServer } from '@plumbline/testing/model-server/model-server'
import { describeModels } from './describe'
import { ModelsEnv } from './models.env'
import { openModels, type Models } from './models'

const never = new AbortController().signal
let first: ModelServer
let second: ModelServer
let server: PrivateRedis
let redis: RedisClient
beforeAll(async () => {
  first = await startModelServer()
  second = await startModelServer({ models: ['stand-in'] })
  server = await startPrivateRedis()
  redis = connectWaiting(server.url)
})
afterEach(async () => {
  first.reset()
  second.reset()
  await redis.flushall()
})
afterAll(async () => {
  redis.disconnect()
  await Promise.all([first.close(), second.close(), server.stop()])
})

const open = async (more: Record<string, string> = {}): Promise<{ models: Models; env: ModelsEnv }> => {
  const env = readEnv(ModelsEnv, { OPENAI_BASE_URL: first.openaiUrl, OPENAI_API_KEY: 'a-key', ...more })
  return { env, models: await openModels(env, { redis, log: silent }) }
}
const ask = async (chat: ChatModel | 'offline' | undefined, calls: ProviderCall[] = []) => {
  if (chat === undefined || chat === 'offline') throw new Error('there is no model')
  return chat.chat({
    messages: [{ role: 'user', content: 'Does slate split?' }],
    temperature: 0,
    maxTokens: 200,
    onCall: (call) => void calls.push(call),
    signal: never,
  })
}

describe('models by environment', () => {
  it('are as described, each at its server, with a price', async () => {
    const { models, env } = await open({ SKILL_MODELS: 'route=offline,answer=gpt-5' })
    expect(models).toMatchObject(describeModels(env))
    expect(models.skills.label).toBe(models.label)
    const calls: ProviderCall[] = []
    await ask(models.chat?.small, calls)
    await ask(models.chat?.of('plan', 'strong'), calls)
    await ask(models.chat?.of('answer', 'strong'), calls)
    expect(models.chat?.of('route', 'small')).toBe('offline')
    expect(calls.map(({ model }) => model)).toEqual(['gpt-4.1-mini', 'gpt-4.1', 'gpt-5'])
    expect(calls.every(({ usage }) => usage.cents > 0)).toBe(true)
    const warmed = first
      .calls('chat')
      .map(({ model, body }) => [model, typeof body === 'object' && body !== null && 'temperature' in body])
    expect(warmed).toEqual([
      ['gpt-4.1-mini', true],
      ['gpt-4.1', true],
      ['gpt-5', false],
    ])
    expect(first.faults).toEqual([])
  })

  it('are none where nothing is set', async () => {
    const models = await openModels(readEnv(ModelsEnv, {}), { redis, log: silent })
    expect(models).toMatchObject({ chat: null, label: 'offline', skills: { label: 'offline' } })
    expect(models).toMatchObject({ embedder: { name: 'all-MiniLM-L6-v2-int8' }, embedsLater: true, hasVectors: true })
    expect(models.reranker).toBeNull()
  })

  it('search by words alone where no embedder is wanted', async () => {
    const models = await openModels(readEnv(ModelsEnv, { EMBEDDING_MODEL: 'none' }), { redis, log: silent })
    expect(models).toMatchObject({ embedsLater: false, hasVectors: false })
    expect(models.embedder.name).toMatch(/^lexical/)
  })

  it('embed with only a key, and call no server before the first text', async () => {
    const models = await openModels(readEnv(ModelsEnv, { OPENAI_API_KEY: 'a-key' }), { redis, log: silent })
    expect(models.embedder).toMatchObject({ name: 'text-embedding-3-small at api.openai.com', dimensions: 1_536 })
  })

  it('embed and rerank where that is set', async () => {
    const { models } = await open({
      EMBEDDING_MODEL: 'text-embedding-3-small',
      EMBEDDING_DIMENSIONS: '64',
      COHERE_API_KEY: 'k',
      COHERE_BASE_URL: first.url,
    })
    expect((await models.embedder.embed(['slate'], never))[0]).toHaveLength(64)
    expect(await models.reranker?.rerank('roofs', ['roofs of slate', 'amber'], 1, never)).toHaveLength(1)
  })

  it('embed at a server of their own', async () => {
    const { models } = await open({ EMBEDDING_MODEL: 'text-embedding-3-small', EMBEDDING_BASE_URL: second.openaiUrl })
    await models.embedder.embed(['slate'], never)
    expect([first.calls('embeddings').length, second.calls('embeddings').map(({ authorized }) => authorized)]).toEqual([
      0,
      [false],
    ])
  })

  it('report which setting is needed if the server does not reveal the length of its vectors', async () => {
    first.script({ kind: 'embeddings' }, answer.status(404))
    await expect(open({ EMBEDDING_MODEL: 'nomic-embed-text' })).rejects.toThrow(
      /Check EMBEDDING_MODEL and OPENAI_BASE_URL\. Set EMBEDDING_DIMENSIONS/,
    )
    expect(
      (await open({ EMBEDDING_MODEL: 'nomic-embed-text', EMBEDDING_DIMENSIONS: '768' })).models.embedder.dimensions,
    ).toBe(768)
  })

  it('share their limits per minute', async () => {
    const limits = { OPENAI_REQUESTS_PER_MINUTE: '3' }
    const [one, two] = [await open(limits), await open(limits)]
    await Promise.all([ask(one.models.chat?.small), ask(two.models.chat?.small), ask(one.models.chat?.small)])
    await expect(ask(two.models.chat?.small)).rejects.toMatchObject({ code: 'provider.limited', retry: 'later' })
    expect(first.calls('chat')).toHaveLength(3)
    // Another model has its own limit, because providers count each model separately.
    await ask(two.models.chat?.strong)
  })

  it('fall back to another server, and share one circuit breaker per model', async () => {
    first.script({ kind: 'chat' }, answer.status(500))
    const { models } = await open({
      FALLBACK_BASE_URL: second.openaiUrl,
      FALLBACK_MODEL_SMALL: 'stand-in',
      SKILL_MODELS: 'answer=gpt-4.1-mini',
    })
    const calls: ProviderCall[] = []
    for (const chat of [
      models.chat?.small,
      models.chat?.of('answer', 'strong'),
      models.chat?.small,
      models.chat?.of('answer', 'strong'),
    ])
      await ask(chat, calls)
    expect(calls.filter(({ fallback }) => fallback).map(({ model }) => model)).toEqual([
      'stand-in',
      'stand-in',
      'stand-in',
      'stand-in',
    ])
    expect(first.calls('chat')).toHaveLength(5)
    expect(second.calls('chat')).toHaveLength(4)
  })
})
