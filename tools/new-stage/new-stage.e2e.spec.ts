import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort, startPrivateRedis, type PrivateRedis } from '@plumbline/platform'

const root = join(import.meta.dirname, '..', '..')
let copy: string
let redis: PrivateRedis

const node = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8' })
  return { status, said: stdout + stderr }
}
const types = () => node('node_modules/typescript-native/bin/tsc', '--noEmit', '-p', 'tsconfig.json')
const change = (file: string, from: string | RegExp, to: string): void => {
  const path = join(copy, file)
  const before = readFileSync(path, 'utf8')
  const after = before.replace(from, to)
  expect(after, `${file} has no place for ${to}`).not.toBe(before)
  writeFileSync(path, after)
}

beforeAll(async () => {
  copy = mkdtempSync(join(tmpdir(), 'plumbline-new-stage-'))
  // Leave out test code that lists every stage, because it would have to be changed for the new stage.
  const harness = /node_modules|\.(spec|contract)\.ts$|\/spec$|apps\/e2e$|tools\/draw-flow$/
  for (const part of ['libs', 'apps', 'tools', 'package.json', 'tsconfig.json', 'tsconfig.base.json'])
    cpSync(join(root, part), join(copy, part), { recursive: true, filter: (path) => !harness.test(path) })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  redis = await startPrivateRedis()
})
afterAll(async () => {
  await redis.stop()
  rmSync(copy, { recursive: true, force: true })
})

describe('one more stage', { timeout: 300_000 }, () => {
  it('rejects invalid names and the name of an existing stage', () => {
    expect(node('tools/new-stage/main.mjs', 'Translator', 'translate')).toMatchObject({
      status: 2,
      said: expect.stringContaining('lower-case'),
    })
    expect(node('tools/new-stage/main.mjs', 'planner', 'plan')).toMatchObject({
      status: 2,
      said: expect.stringContaining('already'),
    })
    expect(node('tools/new-stage/main.mjs', 'translator', 'translate', 'reply')).toMatchObject({
      status: 2,
      said: expect.stringContaining('reply is one word too many'),
    })
  })

  it('costs its two folders, a row, a transition and its limits; then it compiles, builds and runs', async () => {
    expect(node('tools/new-stage/main.mjs', 'translator', 'translate').status).toBe(0)
    const missing = types()
    expect(missing.status).not.toBe(0)
    expect(missing.said).toContain('libs/stages/translator/translator.stage.ts')

    change(
      'libs/flow/schema/task-table.ts',
      '  reply: {',
      "  translate: { stage: 'translator', outcomes: { done: z.object({ text: z.string() }) } },\n  reply: {",
    )
    change(
      'libs/flow/schema/task-table.ts',
      "'generator', 'grader'] as const",
      "'generator', 'grader', 'translator'] as const",
    )
    change(
      'libs/flow/schema/task.ts',
      "  z.object({ ...taskFields, kind: z.literal('plan') }),",
      "  z.object({ ...taskFields, kind: z.literal('plan') }),\n  z.object({ ...taskFields, kind: z.literal('translate') }),",
    )
    const places = types().said
    for (const place of ['libs/flow/machine/advance.ts', 'libs/worker/handler.ts']) expect(places).toContain(place)

    change('libs/flow/machine/advance.ts', '  plan,\n', '  plan,\n  translate: (move) => move,\n')
    change(
      'libs/worker/handler.ts',
      '  grader: {',
      '  translator: { concurrency: 4, attempts: 3, backoffMs: 1_000, timeoutMs: 30_000 },\n  grader: {',
    )
    for (const file of ['advance', 'evidence'])
      change(`libs/flow/machine/${file}.ts`, "    case 'admit':", "    case 'translate':\n    case 'admit':")
    expect(types()).toEqual({ status: 0, said: '' })

    expect(node('tools/build/main.mjs').status).toBe(0)
    await startsHealthy()
  })

  const startsHealthy = async (): Promise<void> => {
    const port = await freePort()
    const child = spawn(process.execPath, ['dist/translator/main.mjs'], {
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
