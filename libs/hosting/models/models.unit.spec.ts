import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { EnvError, readEnv } from '@plumbline/platform'
import { chosenBy, describeModels } from './describe'
import { ModelsEnv } from './models.env'

const read = (source: Record<string, string>): ModelsEnv => readEnv(ModelsEnv, source)
const faults = (source: Record<string, string>): string => {
  try {
    read(source)
  } catch (error) {
    if (error instanceof EnvError) return error.message
  }
  return ''
}
const file = (text: string): string => {
  const path = join(mkdtempSync(join(tmpdir(), 'prices-')), 'prices.yaml')
  writeFileSync(path, text)
  return path
}

describe('models of each skill', () => {
  it('is offline where nothing is set', () => {
    expect(describeModels(read({}))).toEqual({
      label: 'offline',
      lines: [
        'skills: offline (set OPENAI_API_KEY or OPENAI_BASE_URL for models)',
        'embeddings: built-in (all-MiniLM-L6-v2)',
        'reranking: none',
      ],
    })
  })

  it('has defaults where a key is set, and a reranker where Cohere is', () => {
    const { label, lines } = describeModels(read({ OPENAI_API_KEY: 'sk-hidden', COHERE_API_KEY: 'co-hidden' }))
    expect(label).toBe('gpt-4.1-mini + gpt-4.1 at api.openai.com, text-embedding-3-small, rerank-v3.5')
    expect(lines).toContain('strong models: gpt-4.1 at api.openai.com')
    expect(lines.join('\n')).not.toMatch(/hidden/)
    expect(lines.at(-1)).toMatch(/^prices: as of \d{4}-\d\d-\d\d$/)
  })

  it('takes any server by its URL, without a key', () => {
    const env = read({
      OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1',
      MODEL_SMALL: 'qwen3:8b',
      MODEL_STRONG: 'qwen3:32b',
      EMBEDDING_MODEL: 'nomic-embed-text',
    })
    expect(describeModels(env).label).toBe('qwen3:8b + qwen3:32b at 127.0.0.1:11434, nomic-embed-text')
    expect(describeModels(env).lines.at(-1)).toMatch(
      /counted as free, because their prices are unknown: qwen3:8b, qwen3:32b, nomic-embed-text/,
    )
  })

  it('sets a model, a tier or no model per skill', () => {
    const env = read({ OPENAI_API_KEY: 'k', SKILL_MODELS: 'answer=gpt-5, route=offline,checkClaims=small' })
    const { of, models } = chosenBy(env)
    expect([
      of('answer', 'strong'),
      of('route', 'small'),
      of('check', 'strong'),
      of('plan', 'small'),
      of('plan', 'strong'),
    ]).toEqual(['gpt-5', 'offline', 'gpt-4.1-mini', 'gpt-4.1-mini', 'gpt-4.1'])
    expect(models).toEqual(['gpt-4.1-mini', 'gpt-5', 'gpt-4.1'])
    expect(describeModels(env).lines).toEqual(
      expect.arrayContaining(['answer: gpt-5 at api.openai.com', 'route: offline', 'check: small']),
    )
  })

  it.each([
    ['OpenAI, with a key alone', { OPENAI_API_KEY: 'k' }, 'text-embedding-3-small at api.openai.com'],
    ['OpenAI, named', { OPENAI_API_KEY: 'k', EMBEDDING_MODEL: 'my-own' }, 'my-own at api.openai.com'],
    ['OpenAI, with none wanted', { OPENAI_API_KEY: 'k', EMBEDDING_MODEL: 'none' }, 'none, search by words only'],
    [
      'another server',
      { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1' },
      'built-in (all-MiniLM-L6-v2)',
    ],
    ['no server', {}, 'built-in (all-MiniLM-L6-v2)'],
    [
      'the built-in encoder beside OpenAI',
      { OPENAI_API_KEY: 'k', EMBEDDING_MODEL: 'built-in' },
      'built-in (all-MiniLM-L6-v2)',
    ],
    ['no server, with none wanted', { EMBEDDING_MODEL: 'none' }, 'none, search by words only'],
  ])('says at start what embeds: %s', (_, source, said) =>
    expect(describeModels(read(source)).lines).toContain(`embeddings: ${said}`),
  )

  it('embeds at another server where that is set', () => {
    const env = read({ EMBEDDING_MODEL: 'nomic-embed-text', EMBEDDING_BASE_URL: 'http://127.0.0.1:11434/v1' })
    expect(describeModels(env)).toMatchObject({
      label: 'offline, nomic-embed-text',
      lines: expect.arrayContaining(['embeddings: nomic-embed-text at 127.0.0.1:11434']),
    })
  })

  it('names the fallback server', () => {
    const env = read({
      OPENAI_API_KEY: 'k',
      FALLBACK_BASE_URL: 'https://api.mistral.ai/v1',
      FALLBACK_MODEL_STRONG: 'mistral-large-latest',
    })
    expect(describeModels(env).lines).toContain('fallback: mistral-large-latest at api.mistral.ai')
  })
})

describe('faults of the environment', () => {
  it('are reported all at once, with instructions', () => {
    const told = faults({
      MODEL_SMALL: 'gpt-5-mini',
      SKILL_MODELS: 'answr=gpt-5,plan=',
      FALLBACK_MODEL_SMALL: 'x',
      COHERE_BASE_URL: 'localhost:1',
      MODEL_TIMEOUT_MS: 'soon',
      EMBEDDING_DIMENSIONS: '0',
      PRICES_FILE: '/nowhere/prices.yaml',
    })
    for (const part of [
      'MODEL_SMALL: needs a server: set OPENAI_API_KEY',
      'SKILL_MODELS: has an unknown skill "answr"; the skills are route,',
      'SKILL_MODELS: has no value for plan: write plan=small',
      'FALLBACK_MODEL_SMALL: needs FALLBACK_BASE_URL',
      'COHERE_BASE_URL: write it as http',
      'MODEL_TIMEOUT_MS:',
      'EMBEDDING_DIMENSIONS:',
      'PRICES_FILE: PRICES_FILE /nowhere/prices.yaml cannot be read.',
    ])
      expect(told).toContain(part)
  })

  it.each([
    [{ OPENAI_API_VERSION: '2024-10-21', OPENAI_API_KEY: 'k' }, 'set OPENAI_BASE_URL to https://<resource>'],
    [
      { OPENAI_API_KEY: 'k', FALLBACK_BASE_URL: 'http://x' },
      'needs FALLBACK_MODEL_SMALL, FALLBACK_MODEL_STRONG or both',
    ],
    [{ SKILL_MODELS: 'answer=gpt-5' }, 'SKILL_MODELS: names models, but no server is configured'],
    [{ COHERE_BASE_URL: 'http://x' }, 'needs COHERE_API_KEY'],
    [
      { OPENAI_API_KEY: 'k', EMBEDDING_MODEL: 'none', EMBEDDING_DIMENSIONS: '8' },
      'EMBEDDING_DIMENSIONS: needs EMBEDDING_MODEL',
    ],
    [{ OPENAI_API_KEY: 'k', EMBEDDING_BASE_URL: 'http://x' }, 'EMBEDDING_BASE_URL: needs EMBEDDING_MODEL'],
    [{ EMBEDDING_MODEL: 'nomic-embed-text' }, 'EMBEDDING_MODEL: needs a server: set EMBEDDING_BASE_URL'],
    [{ OPENAI_API_KEY: 'k', OPENAI_REQUESTS_PER_MINUTE: '0' }, 'OPENAI_REQUESTS_PER_MINUTE: write a number per minute'],
  ])('%j', (source, said) => expect(faults(source)).toContain(said))

  it('of a price file are reported with their position', () => {
    expect(faults({ PRICES_FILE: file('asOf: soon\nmodels:\n  mine:\n    inptu: 3\n    output: -1\n') })).toMatch(
      /asOf: .*models\.mine\.output: .*models\.mine: .*inptu/,
    )
    expect(faults({ PRICES_FILE: file('a: [') })).toContain('is neither YAML nor JSON')
  })

  it('are not reported for a valid price file', () => {
    const { PRICES_FILE } = read({
      PRICES_FILE: file('{"asOf":"2026-11-01","models":{"gpt-4.1":{"input":3,"output":9},"mine":{"input":1}}}'),
    })
    expect(PRICES_FILE).toMatchObject({
      asOf: '2026-11-01',
      models: { 'gpt-4.1': { input: 3, output: 9 }, mine: { input: 1 }, 'gpt-4.1-mini': { input: 0.4 } },
    })
  })
})
