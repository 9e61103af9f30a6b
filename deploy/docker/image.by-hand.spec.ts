import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { stages } from '@plumbline/flow'
import { freePort, startPrivateRedis, type PrivateRedis } from '@plumbline/platform'
import { parseDockerfile, runStage } from './dockerfile'

const root = join(import.meta.dirname, '..', '..')
const apps = ['gateway', ...stages, 'ingestor']
const dockerfile = parseDockerfile(readFileSync(join(root, 'deploy/docker/Dockerfile'), 'utf8'))

const context = [
  'package.json',
  'package-lock.json',
  '.npmrc',
  'tsconfig.json',
  'tsconfig.base.json',
  'LICENSE',
  'tools/build',
  'libs',
  'apps',
]
const inEveryImage = ['LICENSE', 'dist', 'health.mjs', 'node_modules', 'package.json', 'sbom.cdx.json', 'start.mjs']
/** Packages for parsing that only some apps need, and packages for developers only. */
const parsers = ['@llamaindex', 'jsdom', 'media-captions']
const developersOnly = ['typescript', 'vitest', 'vite', 'react', 'eslint', 'nx', 'prettier']
const opensFiles = ['gateway', 'ingestor']

type Ended = { code: number | null; said: string }
const runNode = (args: string[], options: { cwd: string; env: Record<string, string> }) => {
  const child = spawn(process.execPath, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-2_000)))
  const ended = new Promise<Ended>((resolve) => child.once('exit', (code) => resolve({ code, said })))
  return { child, ended }
}

describe('the same steps by hand, from a clean folder', () => {
  let work: string
  let redis: PrivateRedis
  beforeAll(async () => {
    work = mkdtempSync(join(tmpdir(), 'plumbline-image-'))
    redis = await startPrivateRedis()
  })
  afterAll(async () => {
    await redis.stop()
    rmSync(work, { recursive: true, force: true })
  }, 300_000)
  // The stage that picks an app's files continues in the build's folder.
  const folderOf = (stage: string): string => join(work, stage === 'app' ? 'build' : stage)
  const PATH = `${dirname(process.execPath)}:${process.env.PATH}`
  const run = (command: string, cwd: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const env = { ...process.env, PATH, npm_config_prefer_offline: 'true' }
      const child = spawn('sh', ['-c', command], { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] })
      let said = ''
      child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
      child.once('exit', (code) =>
        code === 0 ? resolve() : reject(new Error(`${command}: exit ${code}\n${said.slice(-2_000)}`)),
      )
    })

  it(
    'make an image of what each app needs and nothing more, and each starts from it',
    { timeout: 1_500_000 },
    async () => {
      for (const part of context)
        cpSync(join(root, part), join(work, 'context', part), {
          recursive: true,
          filter: (path) => !path.includes('node_modules'),
        })
      const [build, app, image] = dockerfile.stages
      if (!build || !app || !image) throw new Error('three stages expected')
      const where = { context: join(work, 'context'), folderOf, run }
      await runStage(build, { ...where, values: {} })
      for (const name of apps) {
        const values = { APP: name }
        await runStage(app, { ...where, values })
        await runStage({ ...image, name: `image-${name}` }, { ...where, values })
        rmSync(join(folderOf('app'), 'plumbline/image'), { recursive: true })
        const folder = join(folderOf(`image-${name}`), 'plumbline')
        holdsWhatItNeeds(name, folder)
        const before = readdirSync(folder, { recursive: true }).length
        await startsHealthy(name, folder)
        expect(readdirSync(folder, { recursive: true }).length, `${name} writes beside its data`).toBe(before)
        rmSync(folder, { recursive: true })
      }
    },
  )

  const holdsWhatItNeeds = (app: string, folder: string): void => {
    expect(readdirSync(folder).sort()).toEqual(inEveryImage)
    const modules = readdirSync(join(folder, 'node_modules'))
    const held = (names: string[]) => names.filter((name) => modules.includes(name))
    expect({ app, developersOnly: held(developersOnly) }).toEqual({ app, developersOnly: [] })
    expect({ app, parsers: held(parsers) }).toEqual({ app, parsers: opensFiles.includes(app) ? parsers : [] })
    const { components } = JSON.parse(readFileSync(join(folder, 'sbom.cdx.json'), 'utf8')) as {
      components: { name: string; version: string; hashes: unknown[] }[]
    }
    expect(components).toContainEqual(expect.objectContaining({ name: 'bullmq', hashes: [expect.anything()] }))
    expect(components.length).toBeGreaterThanOrEqual(modules.filter((name) => !/^[.@]/.test(name)).length)
  }

  const startsHealthy = async (app: string, cwd: string): Promise<void> => {
    const env = {
      // No shell, and nothing else of this machine.
      PATH: dirname(process.execPath),
      NODE_ENV: 'production',
      DATA_DIR: join(work, 'data'),
      HOST: '0.0.0.0',
      PORT: `${await freePort()}`,
      HEALTH_PORT: `${await freePort()}`,
      REDIS_URL: redis.url,
      API_KEYS: 'a-long-enough-secret:default:asker+reviewer',
    }
    const { child, ended } = runNode(['--enable-source-maps', 'start.mjs'], { cwd, env })
    const health = async () => (await runNode(['health.mjs'], { cwd, env }).ended).code
    await expect.poll(async () => child.exitCode ?? (await health()), { timeout: 30_000, interval: 100 }).toBe(0)
    expect(child.exitCode, app).toBeNull()
    child.kill('SIGTERM')
    expect({ app, ...(await ended) }).toMatchObject({ app, code: 0 })
    expect(await health()).toBe(1)
  }
})
