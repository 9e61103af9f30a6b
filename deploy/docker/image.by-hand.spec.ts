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
  const env = {
    ...process.env,
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    npm_config_prefer_offline: 'true',
  }
  const run = (command: string, cwd: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const child = spawn('sh', ['-c', command.replaceAll('/data', join(work, 'data'))], {
        cwd,
        env,
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      let said = ''
      child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
      child.once('exit', (code) =>
        code === 0 ? resolve() : reject(new Error(`${command}: exit ${code}\n${said.slice(-2_000)}`)),
      )
    })

  it('build an image folder that holds no sources and starts each app', { timeout: 1_500_000 }, async () => {
    const context = join(work, 'context')
    for (const part of [
      'package.json',
      'package-lock.json',
      '.npmrc',
      'tsconfig.json',
      'tsconfig.base.json',
      'LICENSE',
      'tools/build',
      'libs',
      'apps',
    ])
      cpSync(join(root, part), join(context, part), {
        recursive: true,
        filter: (path) => !path.includes('node_modules'),
      })
    const [build, modules, image] = dockerfile.stages
    if (!build || !modules || !image) throw new Error('three stages expected')
    await runStage(build, { context, folderOf, values: {}, run })
    await runStage(modules, { context, folderOf, values: {}, run })
    for (const app of apps)
      await runStage({ ...image, name: `image-${app}` }, { context, folderOf, values: { APP: app }, run })

    expect(readdirSync(join(folderOf('image-gateway'), 'plumbline')).sort()).toEqual([
      'LICENSE',
      'dist',
      'node_modules',
      'package.json',
    ])
    for (const app of apps) await startsHealthy(app)
  })

  const startsHealthy = async (app: string): Promise<void> => {
    const port = await freePort()
    const health = await freePort()
    const child = spawn(process.execPath, ['--enable-source-maps', `dist/${app}/main.mjs`], {
      cwd: join(folderOf(`image-${app}`), 'plumbline'),
      env: {
        PATH: env.PATH,
        NODE_ENV: 'production',
        DATA_DIR: join(work, 'data'),
        HOST: '0.0.0.0',
        PORT: `${port}`,
        HEALTH_PORT: `${health}`,
        REDIS_URL: redis.url,
        API_KEYS: 'a-long-enough-secret:default:asker+reviewer',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
    const exit = new Promise<number | null>((resolve) => child.once('exit', resolve))
    const url = `http://127.0.0.1:${app === 'gateway' ? port : health}/livez`
    await expect
      .poll(
        () =>
          fetch(url).then(
            (answer) => answer.status,
            () => said.slice(-500),
          ),
        { timeout: 30_000, interval: 100 },
      )
      .toBe(200)
    child.kill('SIGTERM')
    expect(await exit, `${app} on SIGTERM: ${said.slice(-500)}`).toBe(0)
  }
})
