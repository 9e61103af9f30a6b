import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const node = (...words: string[]) =>
  promisify(execFile)(process.execPath, words, {
    env: { PATH: process.env.PATH ?? '', DATA_DIR: tmpdir(), REDIS_URL: 'redis://me:hush@127.0.0.1:1' },
  })
beforeAll(() => node(join(root, 'tools', 'bootstrap', 'main.mjs'), 'build'), 120_000)

const doctor = (...words: string[]) =>
  node(join(root, 'dist', 'doctor', 'main.mjs'), ...words).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: { code: number; stdout: string }) => error,
  )

it('the doctor ends with 1 for a fault, prints JSON where it is to, and no password', async () => {
  const [json, text, wrong] = await Promise.all([doctor('--json'), doctor(), doctor('--fix')])
  expect(json.code).toBe(1)
  expect(JSON.parse(json.stdout)).toMatchObject([{ check: 'redis', level: 'fault' }])
  expect(text.stdout).toMatch(
    /FAULT.*redis.*does not answer at redis:\/\/me:…@127\.0\.0\.1:1\.[^]*→ Check that Redis runs/,
  )
  expect(json.stdout + text.stdout).not.toContain('hush')
  expect(wrong.code).toBe(2)
})
