import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { collectDefaultMetrics, type Metric, Registry } from 'prom-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createGateway, type Gateway } from '@plumbline/gateway'
import { type Host, hostStages } from '@plumbline/hosting/host-stages'
import { ingestor } from '@plumbline/ingestor/ingestor'
import { startPrivateRedis, type PrivateRedis } from '@plumbline/platform'
import { silent } from '@plumbline/platform/log'
import { allStages } from '@plumbline/stages/all'
import { webhooks } from '@plumbline/webhooks/webhooks'

const page = join(import.meta.dirname, '..', '..', 'docs', 'metrics.md')

type Told = { name: string; registry: Registry; url: string }
let redis: PrivateRedis
let dataDir: string
let hosts: Host[] = []
let gateway: Gateway
let told: Told[] = []
beforeAll(async () => {
  redis = await startPrivateRedis()
  dataDir = await mkdtemp(join(tmpdir(), 'plumbline-metrics-'))
  const env = { REDIS_URL: redis.url, DATA_DIR: dataDir, HEALTH_PORT: '0', LOG_LEVEL: 'error' }
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const removePassages = () => Promise.resolve()
  gateway = await createGateway({ redisUrl: redis.url, port: 0, dataDir, registry, removePassages })
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
  await rm(dataDir, { recursive: true, force: true })
})

type Known = { type: string; labels: string; help: string; by: string[] }
/** Labels stand in the text only where something was counted, so they are read from the metrics themselves. */
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
    'A gateway answers `/metrics` to a key with the role `operator`, a worker on `HEALTH_PORT` ([Health](operations.md#health)). No label holds an id or what somebody wrote. `tenant` names as many tenants as a',
    'process met first, 200 of them, and calls the others `*`. What to look at, and what to do: [Alerts](operations.md#alerts).',
    '',
    ...rowsOf(all.filter(([name]) => ours(name))),
    '',
    '## Of every Node process',
    '',
    ...rowsOf(all.filter(([name]) => !ours(name))),
    '',
  ].join('\n')
}

it('docs/metrics.md lists every metric with its labels', async () => {
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
