import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { collectDefaultMetrics, type Metric, Registry } from 'prom-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createClient } from '@plumbline/client'
import { createGateway, type Gateway, readGatewayEnv } from '@plumbline/gateway'
import { type Host, hostStages } from '@plumbline/hosting/host-stages'
import { ingestor } from '@plumbline/ingestor/ingestor'
import { startPrivateRedis, type PrivateRedis } from '@plumbline/platform'
import { silent } from '@plumbline/platform/log'
import { allStages } from '@plumbline/stages/all'
import { webhooks } from '@plumbline/webhooks/webhooks'

const page = join(import.meta.dirname, '..', '..', 'docs', 'reference', 'metrics.md')

type Told = { name: string; registry: Registry; url: string }
let redis: PrivateRedis
let dataDir: string
let hosts: Host[] = []
let gateway: Gateway
let told: Told[] = []
let receiver: Server
let receiverAt: string
beforeAll(async () => {
  redis = await startPrivateRedis()
  dataDir = await mkdtemp(join(tmpdir(), 'plumbline-metrics-'))
  receiver = createServer((_, response) => response.writeHead(204).end()).listen(0, '127.0.0.1')
  await new Promise((resolve) => receiver.once('listening', resolve))
  receiverAt = `127.0.0.1:${(receiver.address() as AddressInfo).port}`
  await mkdir(join(dataDir, 'handbook'))
  await writeFile(join(dataDir, 'handbook', 'mars.md'), '# Mars\n\nMars is red.')
  const env = {
    REDIS_URL: redis.url,
    DATA_DIR: dataDir,
    HEALTH_PORT: '0',
    LOG_LEVEL: 'error',
    ALLOW_PRIVATE_ADDRESSES: receiverAt,
    SOURCE_FOLDERS: dataDir,
  }
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const removePassages = () => Promise.resolve()
  gateway = await createGateway({ ...readGatewayEnv(env), port: 0, registry, removePassages })
  const workers = await hostStages({ app: 'workers', stages: Object.values(allStages), env, log: silent })
  hosts = [workers, await hostStages({ app: 'ingestor', stages: [ingestor, webhooks], env, log: silent })]
  told = [
    { name: 'gateway', registry, url: gateway.url },
    ...hosts.map((host, n) => ({
      name: n === 0 ? 'workers' : 'ingestor',
      registry: host.registry,
      url: `http://127.0.0.1:${host.healthPort}`,
    })),
  ]
})
afterAll(async () => {
  await gateway.close()
  for (const host of hosts) await host.close()
  await redis.stop()
  receiver.close()
  await rm(dataDir, { recursive: true, force: true })
})

type Known = { type: string; labels: string; help: string; by: string[] }
/** Labels appear in the text only after a count, so they are read from the metrics themselves. */
const known = async (): Promise<Map<string, Known>> => {
  const all = new Map<string, Known>()
  for (const { name: by, registry } of told)
    for (const { name, help, type } of await registry.getMetricsAsJSON()) {
      const { labelNames = [] } = registry.getSingleMetric(name) as Metric & { labelNames?: string[] }
      const before = all.get(name)
      const labels = labelNames.map((label) => `\`${label}\``).join(', ')
      if (before) before.by.push(by)
      else all.set(name, { type: String(type), labels, help, by: [by] })
    }
  return all
}

const rowsOf = (metrics: [string, Known][]): string[] => [
  '| metric | type | labels | told by | |',
  '|---|---|---|---|---|',
  ...metrics.map(
    ([name, { type, labels, help, by }]) =>
      `| \`${name}\` | ${type} | ${labels} | ${by.length === told.length ? 'all' : by.join(', ')} | ${help} |`,
  ),
]

const drawn = async (): Promise<string> => {
  const all = [...(await known())].sort(([one], [other]) => (one < other ? -1 : 1))
  const ours = (name: string): boolean => name.startsWith('plumbline_')
  return [
    '# Metrics',
    '',
    'Made by `npm test -- apps/local/metrics -u` of what the processes tell under `/metrics`; a test fails when it is out of date. Do not edit.',
    '',
    'A gateway answers `/metrics` to a key with the role `operator`, a worker on `HEALTH_PORT` ([Health](../run/processes.md#health)). No label holds an id or what somebody wrote. `tenant` names as many tenants as a',
    'process met first, 200 of them, and calls the others `*`. What to look at, and what to do: [Alerts](../run/troubleshooting.md#alerts).',
    '',
    ...rowsOf(all.filter(([name]) => ours(name))),
    '',
    '## Of every Node process',
    '',
    ...rowsOf(all.filter(([name]) => !ours(name))),
    '',
  ].join('\n')
}

it('docs/reference/metrics.md lists every metric with its labels', async () => {
  await expect(await drawn()).toMatchFileSnapshot(page)
})

it('every process tells just those that are listed for it, with no other labels', async () => {
  const listed = await known()
  for (const { name: by, url } of told) {
    const text = await (await fetch(`${url}/metrics`)).text()
    const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => `${name} ${type}`)
    const its = [...listed].flatMap(([name, metric]) => (metric.by.includes(by) ? [`${name} ${metric.type}`] : []))
    expect(types.sort()).toEqual(its.sort())
    for (const [, series = '', labels = ''] of text.matchAll(/^(plumbline_\w+)\{(.*)\} \S+$/gm)) {
      const metric = listed.get(series) ?? listed.get(series.replace(/_(?:bucket|sum|count)$/, ''))
      for (const [, label = ''] of labels.matchAll(/(\w+)="/g))
        if (label !== 'le') expect([series, metric?.labels]).toEqual([series, expect.stringContaining(`\`${label}\``)])
    }
  }
})

const textOf = async (of: string): Promise<string> =>
  (await fetch(`${told.find(({ name }) => name === of)?.url}/metrics`)).text()

it(
  'documents, sources and webhooks are counted by those who bring them in and send them out',
  { timeout: 120_000 },
  async () => {
    const client = createClient({ url: gateway.url })
    await client.putWebhook('all', { url: `http://${receiverAt}/`, events: ['document.indexed'] })
    const text = 'The moon is grey.'
    const { id } = await client.addDocument({ title: 'Moon', text })
    await client.putSource('handbook', {
      settings: { kind: 'folder', path: join(dataDir, 'handbook') },
      collection: 'default',
      schedule: { by: 'interval', minutes: 5 },
    })
    // The reader starts from its sources here, which takes its time on a machine that does much else.
    await expect.poll(async () => (await client.document(id)).status, { timeout: 90_000 }).toBe('indexed')
    const has = (line: RegExp) => expect.poll(() => textOf('ingestor'), { timeout: 60_000 }).toMatch(line)
    await has(/^plumbline_document_seconds_count\{outcome="indexed"\} 2$/m)
    await has(/^plumbline_document_seconds_count\{outcome="failed"\} 0$/m)
    await has(/^plumbline_source_files_total\{became="added"\} 1$/m)
    await has(/^plumbline_source_run_seconds_count\{outcome="done"\} 1$/m)
    await has(/^plumbline_webhook_tries_total\{outcome="delivered"\} 2$/m)
    const counted = await textOf('ingestor')
    const ofFormat = (metric: string): number =>
      [...counted.matchAll(new RegExp(`^${metric}\\{format="\\w+"\\} (\\d+)$`, 'gm'))].reduce(
        (sum, [, n]) => sum + Number(n),
        0,
      )
    expect(ofFormat('plumbline_documents_read_total')).toBe(2)
    expect(ofFormat('plumbline_document_bytes_total')).toBeGreaterThan(text.length)
    await expect.poll(async () => (await client.scaler('ingest')).drainPerSecond).toBeGreaterThan(0)
    await expect.poll(async () => (await client.scaler('webhook')).drainPerSecond).toBeGreaterThan(0)
  },
)
