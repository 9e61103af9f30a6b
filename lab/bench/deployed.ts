import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { createClient } from '@plumbline/client'
import { stages } from '@plumbline/flow'
import { freePort, startPrivateRedis } from '@plumbline/platform'
import { startModelServer } from '@plumbline/testing/model-server/model-server'
import { startProcess, type Proc } from '@plumbline/testing/processes'
import { startQdrantServer } from '@plumbline/testing/qdrant-server/qdrant-server'
import { policy, scriptLighthouses } from './lighthouses'

const dist = join(import.meta.dirname, '..')
export const apps = ['gateway', ...stages, 'ingestor'] as const
export type App = (typeof apps)[number]

const inDeploy = (file: string): string => readFileSync(join(dist, '../deploy', file), 'utf8')
const nodeOptions = (): string => /NODE_OPTIONS=(\S+)/.exec(inDeploy('docker/Dockerfile'))?.[1] ?? ''

type Workload = {
  kind: string
  spec: { template: { spec: { containers: { name: string; resources: { limits: { memory: string } } }[] } } }
}
/** Returns the maximum heap of each app in MB: half of the memory limit of its container. */
const heapsMb = (): Map<string, number> => {
  const all = ['gateway', 'workers'].flatMap((file) => parseAllDocuments(inDeploy(`kubernetes/base/${file}.yaml`)))
  const workloads = all.map((one) => one.toJS() as Workload).filter(({ kind }) => kind === 'Deployment')
  return new Map(
    workloads
      .flatMap(({ spec }) => spec.template.spec.containers)
      .map(({ name, resources: { limits } }) => [name, mebibytes(limits.memory) / 2]),
  )
}
const mebibytes = (quantity: string): number => parseFloat(quantity) * (quantity.endsWith('Gi') ? 1_024 : 1)

const started = async (what: string, isUp: () => boolean | Promise<boolean>): Promise<void> => {
  const until = performance.now() + 60_000
  while (!(await isUp())) {
    if (performance.now() > until) throw new Error(`${what} did not start`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
const isUp = (url: string) => async (): Promise<boolean> =>
  (await fetch(`${url}/readyz`).catch(() => undefined))?.status === 200

const openDeployed = async (wanted: readonly App[]) => {
  const dir = await mkdtemp(join(tmpdir(), 'plumbline-deployed-'))
  await mkdir(join(dir, 'policies'))
  await writeFile(join(dir, 'policies', 'bench.json'), JSON.stringify(policy))
  const redis = await startPrivateRedis()
  const model = await startModelServer({ validate: false })
  const qdrant = await startQdrantServer({ validate: false })
  scriptLighthouses(model)
  const port = await freePort()
  const env = {
    NODE_ENV: 'production',
    NODE_OPTIONS: nodeOptions(),
    REDIS_URL: redis.url,
    QDRANT_URL: qdrant.url,
    DATA_DIR: dir,
    POLICIES_DIR: join(dir, 'policies'),
    HOST: '127.0.0.1',
    PORT: `${port}`,
    HEALTH_PORT: '0',
    OPENAI_BASE_URL: model.openaiUrl,
    OPENAI_API_KEY: 'a-key',
    EMBEDDING_MODEL: 'text-embedding-3-small',
  }
  const heaps = heapsMb()
  const start = (app: App): Proc =>
    startProcess(app, join(dist, app, 'main.mjs'), [], env, [`--max-old-space-size=${heaps.get(app)}`])
  const processes = wanted.map((app): [App, Proc] => [app, start(app)])
  const url = `http://127.0.0.1:${port}`
  const close = async (): Promise<void> => {
    await Promise.all(processes.map(([, one]) => one.kill('SIGKILL')))
    await Promise.all([redis.stop(), model.close(), qdrant.close()])
    await rm(dir, { recursive: true, force: true })
  }
  try {
    for (const [app, { output }] of processes)
      await started(app, app === 'gateway' ? isUp(url) : () => output.some((line) => line.includes('consuming')))
  } catch (error) {
    await close()
    throw error
  }
  return { url, client: createClient({ url }), redisUrl: redis.url, model, processes, close }
}
export type Deployed = Awaited<ReturnType<typeof openDeployed>>

export const asDeployed = async <T>(wanted: readonly App[], work: (deployed: Deployed) => Promise<T>): Promise<T> => {
  const deployed = await openDeployed(wanted)
  try {
    return await work(deployed)
  } finally {
    await deployed.close()
  }
}
