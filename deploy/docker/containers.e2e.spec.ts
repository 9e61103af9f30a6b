import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { stages } from '@plumbline/flow'
import { freePort, startPrivateRedis, type PrivateRedis } from '@plumbline/platform'
import { parseDockerfile, runStage } from './dockerfile'

const root = join(import.meta.dirname, '..', '..')
const apps = ['gateway', ...stages, 'ingestor']
type Service = {
  image?: string
  command?: string[]
  build?: { dockerfile: string; args: { APP: string } }
  environment?: Record<string, string>
  healthcheck?: { test: string[] }
  deploy?: { resources?: { limits?: { cpus?: string; memory?: string } } }
  volumes?: string[]
  profiles?: string[]
}
const compose = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as { services: Record<string, Service>; volumes: Record<string, unknown> }
const dockerfile = parseDockerfile(readFileSync(join(root, 'deploy/docker/Dockerfile'), 'utf8'))

describe('docker-compose.yml', () => {
  it('has every app as a service of its own, built by the one recipe', () => {
    const built = Object.entries(compose.services).filter(([, service]) => service.build)
    expect(built.map(([name]) => name).sort()).toEqual([...apps].sort())
    for (const [name, service] of built) {
      expect(service.build).toMatchObject({ dockerfile: 'deploy/docker/Dockerfile', args: { APP: name } })
      expect(service.environment?.REDIS_URL).toBe('redis://redis:6379')
      expect(service.volumes).toContain('index:/data')
    }
  })
  it('gives every service that runs by default a health check and limits', () => {
    for (const [name, service] of Object.entries(compose.services)) {
      expect(service.deploy?.resources?.limits, name).toMatchObject({ cpus: expect.any(String), memory: expect.any(String) })
      if (!service.profiles) expect(service.healthcheck?.test[0], name).toBe('CMD')
    }
  })
  it('runs a Redis that keeps what it acknowledged and never evicts', () => {
    expect(compose.services.redis?.command?.join(' ')).toContain('--appendonly yes')
    expect(compose.services.redis?.command?.join(' ')).toContain('--maxmemory-policy noeviction')
    for (const service of Object.values(compose.services))
      for (const volume of service.volumes ?? []) expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0])
  })
})

describe('the Dockerfile', () => {
  it('ends as another user than root, in stages, with the app as an argument', () => {
    const last = dockerfile.stages.at(-1)
    expect(dockerfile.stages.length).toBe(3)
    expect(last?.instructions.find(({ word }) => word === 'USER')?.rest).toBe('node')
    expect(last?.instructions.some(({ word, rest }) => word === 'ARG' && rest === 'APP')).toBe(true)
    expect(last?.instructions.some(({ word, rest }) => word === 'COPY' && /\blibs\b|\btools\b|package-lock/.test(rest))).toBe(false)
  })
  it('pins the runtime this project runs on', () => {
    const runtime = JSON.parse(readFileSync(join(root, 'tools/runtime/package.json'), 'utf8')) as { optionalDependencies: Record<string, string> }
    expect(new Set(Object.values(runtime.optionalDependencies))).toEqual(new Set([dockerfile.args.NODE_VERSION]))
  })
})

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
  })
  const folderOf = (stage: string): string => join(work, stage)
  const env = { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, HOME: process.env.HOME ?? tmpdir() }
  const run = (command: string, cwd: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const child = spawn('sh', ['-c', command.replaceAll('/data', join(work, 'data'))], { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] })
      let said = ''
      child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
      child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${command}: exit ${code}\n${said.slice(-2_000)}`))))
    })

  it('build an image folder that holds no sources and starts each app', { timeout: 300_000 }, async () => {
    const context = join(work, 'context')
    for (const part of ['package.json', 'package-lock.json', '.npmrc', 'tsconfig.json', 'tsconfig.base.json', 'LICENSE', 'tools/build', 'libs', 'apps'])
      cpSync(join(root, part), join(context, part), { recursive: true, filter: (path) => !path.includes('node_modules') })
    const [build, modules, image] = dockerfile.stages
    if (!build || !modules || !image) throw new Error('three stages expected')
    await runStage(build, { context, folderOf, values: {}, run })
    await runStage(modules, { context, folderOf, values: {}, run })
    for (const app of apps) await runStage({ ...image, name: `image-${app}` }, { context, folderOf, values: { APP: app }, run })

    expect(readdirSync(join(folderOf('image-gateway'), 'plumbline')).sort()).toEqual(['LICENSE', 'dist', 'node_modules', 'package.json'])
    for (const app of apps) await startsHealthy(app)
  })

  const startsHealthy = async (app: string): Promise<void> => {
    const port = await freePort()
    const health = await freePort()
    const child = spawn(process.execPath, ['--enable-source-maps', `dist/${app}/main.mjs`], {
      cwd: join(folderOf(`image-${app}`), 'plumbline'),
      env: { PATH: env.PATH, NODE_ENV: 'production', DATA_DIR: join(work, 'data'), HOST: '0.0.0.0', PORT: `${port}`, HEALTH_PORT: `${health}`, REDIS_URL: redis.url, API_KEYS: 'a-long-enough-secret:default:asker+reviewer' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
    const exit = new Promise<number | null>((resolve) => child.once('exit', resolve))
    const url = `http://127.0.0.1:${app === 'gateway' ? port : health}/livez`
    await expect.poll(() => fetch(url).then((answer) => answer.status, () => said.slice(-500)), { timeout: 30_000, interval: 100 }).toBe(200)
    child.kill('SIGTERM')
    expect(await exit, `${app} on SIGTERM: ${said.slice(-500)}`).toBe(0)
  }
})
