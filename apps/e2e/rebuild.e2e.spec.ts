import { execFile, spawn } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { openPassageIndex } from '@plumbline/hosting/passage-index'
import { startQdrantServer, type QdrantServer } from '@plumbline/testing/qdrant-server/qdrant-server'

const root = join(import.meta.dirname, '..', '..')
const never = new AbortController().signal

beforeAll(() => promisify(execFile)(process.execPath, [join(root, 'tools', 'bootstrap', 'main.mjs'), 'build']), 120_000)

const rebuild = (env: Record<string, string>): Promise<{ code: number | null; told: string }> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, 'dist', 'ingestor', 'main.mjs'), 'rebuild'], {
      env: { PATH: process.env.PATH ?? '', ...env },
    })
    let told = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (told += chunk.toString()))
    child.once('exit', (code) => resolve({ code, told }))
  })

const withDocument = async (server: QdrantServer): Promise<void> => {
  const index = await openPassageIndex({
    DATA_DIR: '',
    QDRANT_URL: server.url,
    QDRANT_PREFIX: 'plumbline',
    QDRANT_QUANTISATION: 'none',
  })
  const passage = {
    id: 'p',
    documentId: 'd',
    collection: 'main',
    title: 'Mars',
    text: 'Mars is red.',
    headingPath: [],
    position: 0,
  }
  await index.write(
    't',
    { id: 'd', collection: 'main', version: '1', metadata: {}, access: [], space: 'one' },
    [{ passage, vector: Float32Array.of(1, 0) }],
    never,
  )
}

describe('rebuild, as an operator calls it', () => {
  it('brings new options to what a Qdrant server holds, and says so', async () => {
    const server = await startQdrantServer()
    await withDocument(server)
    const { code, told } = await rebuild({ QDRANT_URL: server.url, QDRANT_QUANTISATION: 'binary' })
    expect(told).toBe('1 of 1 documents\nThe rebuild is complete: all passages use the current index options.\n')
    expect(code).toBe(0)
    const spaces = [...server.store.collections].filter(([name]) => name.includes('.space.'))
    expect(spaces.map(([, { settings, points }]) => [settings.quantization_config, points.size])).toEqual([
      [{ binary: { memory: 'pinned' } }, 1],
    ])
    await server.close()
  })

  it.each([
    ['the embedded index', {}, 'Set QDRANT_URL'],
    ['a server that is not there', { QDRANT_URL: 'http://127.0.0.1:9' }, '127.0.0.1:9'],
    ['options that are none', { QDRANT_URL: 'http://127.0.0.1:9', QDRANT_QUANTISATION: 'much' }, 'QDRANT_QUANTISATION'],
  ])('says what to do about %s', async (_, env, why) => {
    const { code, told } = await rebuild(env)
    expect(told).toContain('The rebuild is incomplete. Collections that were not rebuilt work as before.')
    expect(told).toContain(why)
    expect(told).not.toMatch(/^\s+at /m)
    expect(code).toBe(1)
  })
})
