import { readFeatures } from '@plumbline/features/all'
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { KeyList, KeyWithSecret } from '@plumbline/contracts'
import { createGateway, type Gateway } from '@plumbline/gateway'
import { startPrivateRedis, type PrivateRedis } from '@plumbline/platform'

const root = join(import.meta.dirname, '..', '..')

let redis: PrivateRedis
let dir: string
let gateway: Gateway | undefined
let key = ''
beforeAll(async () => {
  await run(join(root, 'tools', 'bootstrap', 'main.mjs'), 'build')
  redis = await startPrivateRedis()
  dir = await mkdtemp(join(tmpdir(), 'plumbline-keys-'))
}, 120_000)
afterAll(async () => {
  await gateway?.close()
  await redis.stop()
  await rm(dir, { recursive: true })
})

type Ran = { code: number | null; out: string; told: string }
const run = (script: string, ...words: string[]): Promise<Ran> =>
  new Promise((resolve) => {
    const env = { PATH: process.env.PATH ?? '', REDIS_URL: redis?.url, PLUMBLINE_URL: gateway?.url, PLUMBLINE_KEY: key }
    const child = spawn(process.execPath, [script, ...words], { env })
    const ran: Ran = { code: null, out: '', told: '' }
    child.stdout.on('data', (piece: Buffer) => (ran.out += piece.toString()))
    child.stderr.on('data', (piece: Buffer) => (ran.told += piece.toString()))
    child.once('close', (code) => resolve({ ...ran, code }))
  })
const cli = (...words: string[]): Promise<Ran> => run(join(root, 'dist', 'cli', 'main.mjs'), ...words)
const open = (): Promise<Gateway> =>
  createGateway({
    features: readFeatures({}).features,
    redisUrl: redis.url,
    host: '0.0.0.0',
    port: 0,
    dataDir: dir,
    removePassages: () => Promise.resolve(),
  })

it(
  'a deployment begins without a key in its settings, and its keys are managed from the terminal',
  { timeout: 300_000 },
  async () => {
    await expect(open()).rejects.toThrow('npm run plumbline -- keys first')
    const first = await cli('keys', 'first', '--tenant', 'acme')
    expect([first.code, first.out]).toEqual([0, expect.stringMatching(/^pl_[0-9a-f]{64}\n$/)])
    expect(first.told).toContain('shown only once')
    const again = await cli('keys', 'first', '--tenant', 'acme')
    expect([again.code, again.out, again.told]).toEqual([1, '', expect.stringContaining('add --force')])
    expect((await cli('keys', 'first', '--tenant', 'acme', '--force')).code).toBe(0)
    expect((await cli('keys', 'first')).code).toBe(2)

    const opened = await open()
    gateway = { ...opened, url: opened.url.replace('0.0.0.0', '127.0.0.1') }
    expect(await cli('keys', 'list')).toMatchObject({ code: 1, told: expect.stringContaining('PLUMBLINE_KEY') })
    key = first.out.trim()
    const made = await cli(
      'keys',
      'create',
      'The help page',
      '--role',
      'asker',
      '--access',
      'staff',
      '--expires',
      '90d',
      '--json',
    )
    const { id, ...shown } = JSON.parse(made.out) as KeyWithSecret
    expect(shown).toMatchObject({ name: 'The help page', roles: ['asker'], access: ['staff'], tenant: 'acme' })
    expect(Date.parse(shown.expiresAt ?? '') - Date.now()).toBeGreaterThan(89 * 86_400_000)
    const rotated = await cli('keys', 'rotate', id, '--grace', '24h')
    expect([rotated.code, rotated.told]).toEqual([0, expect.stringContaining('The old secret is valid until')])
    expect((await cli('keys', 'revoke', id)).out).toBe(`${id} is revoked\n`)
    expect((await cli('keys', 'list')).out).toMatch(/The help page\n.*asker :staff · never used · revoked \d{4}/)
    const { items } = JSON.parse((await cli('keys', 'list', '--json')).out) as KeyList
    expect(items.map(({ status }) => status).sort()).toEqual(['active', 'active', 'revoked'])
    expect(await cli('keys', 'create', 'x', '--role', 'boss')).toMatchObject({
      code: 2,
      told: expect.stringContaining('--role'),
    })
    expect(await cli('keys', 'revoke', 'key-000000000000')).toMatchObject({
      code: 1,
      told: expect.stringContaining('no such valid key'),
    })

    expect((await cli('audit', 'list', '--action', 'key')).out).toMatch(
      /key\.revoked .*\n.*key\.rotated .*\n.*key\.created .*\n(.*first-run\n){2}$/,
    )
    expect(await cli('audit', 'verify')).toMatchObject({
      code: 0,
      out: expect.stringContaining('complete and unchanged: 5 entries from its first entry on'),
    })
    const file = join(dir, 'audit.jsonl')
    await writeFile(file, (await cli('audit', 'export')).out)
    expect((await cli('audit', 'verify', file)).code).toBe(0)
    const exported = await readFile(file, 'utf8')
    const [, hash = ''] = /with the hash ([0-9a-f]{64})/.exec((await cli('audit', 'verify', file)).out) ?? []
    expect((await cli('audit', 'verify', file, '--expect', hash.toUpperCase())).code).toBe(0)
    await writeFile(file, exported.replace(/[^\n]+\n$/, ''))
    expect((await cli('audit', 'verify', file)).code).toBe(0)
    expect(await cli('audit', 'verify', file, '--expect', hash)).toMatchObject({
      code: 5,
      out: expect.stringContaining('the end of the log was removed'),
    })
    for (const wrong of [
      ['verify', file, '--expect', 'abc'],
      ['list', '--expect', hash],
    ])
      expect(await cli('audit', ...wrong)).toMatchObject({ code: 2, told: expect.stringContaining('--expect') })
    await writeFile(file, exported)
    await writeFile(file, (await readFile(file, 'utf8')).replace('key.rotated', 'key.created'))
    expect(await cli('audit', 'verify', file)).toMatchObject({
      code: 5,
      out: expect.stringMatching(/^Line 5, entry 4: its hash/),
    })
    expect((await cli('audit', 'verify', join(dir, 'none'))).code).toBe(1)
    for (const name of ['keys', 'audit']) expect((await cli(name, '--help')).out).toContain('Exit codes')
  },
)
