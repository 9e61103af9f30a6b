import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort, startPrivateRedis, type PrivateRedis } from '@plumbline/platform'

const root = join(import.meta.dirname, '..', '..')
const parts = ['libs', 'apps', 'lab', 'deploy', 'tools']
let copy: string
let redis: PrivateRedis

const node = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8' })
  return { status, said: stdout + stderr }
}
const newStage = (...words: string[]) => node('tools/new-stage/main.mjs', ...words)

beforeAll(async () => {
  copy = mkdtempSync(join(tmpdir(), 'plumbline-new-stage-'))
  const files = readdirSync(root, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []))
  for (const part of [...parts, ...files])
    cpSync(join(root, part), join(copy, part), {
      recursive: true,
      filter: (path) => !/node_modules|lab\/eval\/docs$/.test(path),
    })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  redis = await startPrivateRedis()
})
afterAll(async () => {
  await redis.stop()
  rmSync(copy, { recursive: true, force: true })
})

describe('one more stage', { timeout: 300_000 }, () => {
  it('rejects invalid names and the name of an existing stage or task', () => {
    const isRejected = (words: string[], why: string): void =>
      expect(newStage(...words)).toMatchObject({ status: 2, said: expect.stringContaining(why) })
    isRejected(['Translator', 'translate'], 'lower-case')
    isRejected(['planner', 'plan'], 'planner already')
    isRejected(['translator', 'plan'], 'plan already')
    isRejected(['translator', 'translate', 'reply'], 'reply is one word too many')
  })

  it('writes nothing if a file that it changes no longer has the place', () => {
    const evidence = join(copy, 'libs/flow/machine/evidence.ts')
    const before = readFileSync(evidence, 'utf8')
    writeFileSync(evidence, before.replace("case 'admit':", "case 'admitted':"))
    expect(newStage('translator', 'translate')).toMatchObject({
      status: 1,
      said: expect.stringMatching(/^libs\/flow\/machine\/evidence.ts has 0 instead of 1 places.* nothing was written/),
    })
    writeFileSync(evidence, before)
    expect(readdirSync(join(copy, 'apps'))).toEqual(readdirSync(join(root, 'apps')))
  })

  it('writes two stages that compile, build and start', async () => {
    const written = [newStage('translator', 'translate'), newStage('fact-checker', 'check-facts')]
    expect(written.map(({ status }) => status)).toEqual([0, 0])
    const specs = [...(written[0]?.said.matchAll(/^changed (.*\.spec\.ts)$/gm) ?? [])].map(([, file]) => file)
    expect(specs).not.toEqual([])
    // The compiler checks only those specs that the command changes.
    const otherSpecs = ['unit', 'int', 'e2e', 'browser'].map((kind) => `**/*.${kind}.spec.ts`)
    const exclude = ['**/node_modules', 'apps/dashboard', ...otherSpecs]
    const config = { extends: './tsconfig.json', exclude, files: specs }
    writeFileSync(join(copy, 'tsconfig.copy.json'), JSON.stringify(config))
    const types = node('node_modules/typescript-native/bin/tsc', '--noEmit', '-p', 'tsconfig.copy.json')
    expect(types).toEqual({ status: 0, said: '' })

    const entries = ['translator', 'fact-checker'].map((app) => [`${app}/main`, join('apps', app, 'main.ts')])
    const build = `await (await import('./tools/build/bundle.mjs')).bundle(${JSON.stringify(Object.fromEntries(entries))}, 'chunks')`
    expect(node('--input-type=module', '-e', build)).toEqual({ status: 0, said: '' })
    await Promise.all(['translator', 'fact-checker'].map(startsHealthy))
  })

  const startsHealthy = async (app: string): Promise<void> => {
    const port = await freePort()
    const child = spawn(process.execPath, [join('dist', app, 'main.mjs')], {
      cwd: copy,
      env: { PATH: process.env.PATH, REDIS_URL: redis.url, HEALTH_PORT: `${port}`, DATA_DIR: join(copy, '.data') },
      stdio: 'ignore',
    })
    const exit = new Promise((resolve) => child.once('exit', resolve))
    await expect
      .poll(
        () =>
          fetch(`http://127.0.0.1:${port}/readyz`).then(
            ({ status }) => status,
            () => 0,
          ),
        { timeout: 120_000, interval: 100 },
      )
      .toBe(200)
    child.kill('SIGTERM')
    expect(await exit).toBe(0)
  }
})
