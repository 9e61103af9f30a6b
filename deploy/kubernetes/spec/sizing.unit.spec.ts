import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { describe, expect, it } from 'vitest'
import { stages } from '@plumbline/flow'
import { renderChart, type Manifest } from './render-chart'

const root = join(import.meta.dirname, '..', '..', '..')
const page = (name: string): string => readFileSync(join(root, 'docs', 'run', `${name}.md`), 'utf8')
const apps = ['gateway', ...stages, 'ingestor']

type Amounts = Record<'requests' | 'limits', { memory: string; cpu?: string }>
type Deployment = Manifest & {
  metadata: { name: string }
  spec: { template: { spec: { containers: { name: string; resources: Amounts }[] } } }
}
const manifests = renderChart({})
const containers = (manifests as Deployment[])
  .filter(({ kind }) => kind === 'Deployment')
  .flatMap(({ spec }) => spec.template.spec.containers)
const mebibytes = (quantity: string): number => parseFloat(quantity) * (/Gi?$/.test(quantity) ? 1_024 : 1)

/** Returns memory of each app from the page, idle and at most, in MB. */
const measured = (): Map<string, { idle: number; most: number }> => {
  const [, table = ''] = /## Memory and processor([^]*?)\n## /.exec(page('sizing')) ?? []
  const [head = [], , ...rows] = table
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
  const at = (row: string[], name: string): number => Number(row[head.indexOf(name)])
  return new Map(rows.map((row) => [row[0] ?? '', { idle: at(row, 'idle'), most: at(row, 'maximum') }]))
}

describe('limits of a container', () => {
  it('are documented for every app on the page of sizing', () => {
    expect([...measured().keys()]).toEqual(apps)
    for (const [app, { idle, most }] of measured()) expect([app, idle > 50, most >= idle]).toEqual([app, true, true])
  })

  it('is half as much again as an app was seen to take, and it asks for what it takes idle', () => {
    for (const { name, resources } of containers) {
      const { idle, most } = measured().get(name) ?? { idle: NaN, most: NaN }
      expect(mebibytes(resources.limits.memory), `the limit of ${name}`).toBeGreaterThanOrEqual(1.5 * most)
      expect(mebibytes(resources.requests.memory), `the request of ${name}`).toBeGreaterThanOrEqual(idle)
    }
  })

  it('is the same in docker-compose.yml', () => {
    const { services } = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
      services: Record<string, { deploy: { resources: { limits: { memory: string } } } }>
    }
    const inCompose = containers.map(({ name }) => [name, services[name]?.deploy.resources.limits.memory])
    const inChart = containers.map(({ name, resources }) => [name, resources.limits.memory.replace(/i$/, '')])
    expect(inCompose.map(([name, memory]) => [name, mebibytes(memory ?? '')])).toEqual(
      inChart.map(([name, memory]) => [name, mebibytes(memory ?? '')]),
    )
  })
})

describe('the commands of the drills', () => {
  const drills = page('drills')
  const all = (pattern: RegExp): string[] => [...drills.matchAll(pattern)].map(([, name = '']) => name)

  it('name what the chart makes', () => {
    const names = new Set(manifests.map(({ metadata }) => metadata.name))
    const deployments = all(/(?:deploy|svc)\/(plumbline-[a-z]+)/g)
    const pods = all(/\b(plumbline-[a-z]+)-0\b/g)
    expect([...deployments, ...pods].filter((name) => !names.has(name))).toEqual([])
    expect(Math.min(deployments.length, pods.length)).toBeGreaterThan(0)
    for (const app of all(/component=([a-z]+)/g)) expect(apps).toContain(app)
    for (const list of all(/APPS='([a-z ]+)'/g)) expect(list.split(' ').sort()).toEqual([...apps].sort())
  })
})
