import { mkdirSync, writeFileSync } from 'node:fs'
import { Redis } from 'ioredis'
import { startPrivateCluster } from '@plumbline/platform'
import { hostOurs, openAsker } from './ours'
import { measure } from './peers/workload'

const names = ['one', 'two', 'three', 'four']
const atOnce = 100
const concurrency = 32
const mode = 'zero' as const
const counts = { short: 300, full: 10_000 }

type Node = { commands: number; cpuSeconds: number; bytes: number; clients: number }
const look = async (redis: Redis): Promise<Node> => {
  const info = await redis.info()
  const figure = (name: string): number => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1])
  return {
    commands: figure('total_commands_processed'),
    cpuSeconds: figure('used_cpu_user') + figure('used_cpu_sys'),
    bytes: figure('used_memory_dataset'),
    clients: figure('connected_clients'),
  }
}

const shares = (figures: number[]): string => {
  const all = figures.reduce((sum, each) => sum + each, 0)
  return figures.map((each) => `${Math.round((100 * each) / all)} %`).join(' · ')
}
const sum = (figures: number[]): number => figures.reduce((all, each) => all + each, 0)

const withCluster = async <T>(work: (url: string, nodes: Redis[]) => Promise<T>): Promise<T> => {
  const cluster = await startPrivateCluster()
  const nodes = cluster.nodes.map(({ url }) => new Redis(url))
  try {
    return await work(cluster.url, nodes)
  } finally {
    for (const node of nodes) node.disconnect()
    await cluster.stop()
  }
}

const onLanes = (count: number, lanes: string[]) =>
  withCluster(async (redisUrl, nodes) => {
    const host = await hostOurs({ redisUrl, mode, concurrency, lanes })
    const ours = await openAsker(redisUrl)
    const byLane = new Map(lanes.map((lane) => [lane, 0]))
    const before = await Promise.all(nodes.map(look))
    const measured = await measure({
      count,
      atOnce,
      mode,
      runOne: async (n) => {
        const { lane } = await ours.runOne(n, lanes)
        byLane.set(lane, (byLane.get(lane) ?? 0) + 1)
      },
    })
    const after = await Promise.all(nodes.map(look))
    await ours.close()
    await host.close()
    const grown = (field: keyof Node): number[] => after.map((node, i) => node[field] - (before[i]?.[field] ?? 0))
    return {
      lanes: lanes.length,
      runs: count,
      'runs/s': Math.round(measured.runsPerSecond),
      'runs by lane': [...byLane.values()].join(' · '),
      'commands by node': shares(grown('commands')),
      'processor time by node': shares(grown('cpuSeconds')),
      'data by node': shares(grown('bytes')),
      'MB a thousand runs': Number((sum(grown('bytes')) / 1_048_576 / (count / 1_000)).toFixed(1)),
      connections: sum(after.map(({ clients }) => clients)) - nodes.length,
    }
  })

/** Changes from one lane (a group of queues) to four and back. Counts runs that ended twice or never. */
const whileChanging = (count: number) =>
  withCluster(async (redisUrl) => {
    const [first = 'one'] = names
    const place = { redisUrl, mode, concurrency }
    const few = await hostOurs({ ...place, lanes: [first] })
    const ours = await openAsker(redisUrl)
    let lanes = [first]
    const change = async (): Promise<{ close(): Promise<void> }> => {
      const many = await hostOurs({ ...place, lanes: names })
      lanes = names
      await few.close()
      return many
    }
    let changed: ReturnType<typeof change> | undefined
    const ended: string[] = []
    await measure({
      count,
      atOnce,
      mode,
      runOne: async (n) => {
        if (n === Math.floor(count / 4)) changed = change()
        if (n === Math.floor((count * 3) / 4)) lanes = [first]
        ended.push((await ours.runOne(n, lanes)).id)
      },
    })
    const doubled = []
    for (const id of ended) {
      const events = await ours.store.ledger(id, null, 1_000)
      if (events.filter(({ event }) => event.type === 'ended').length !== 1) doubled.push(id)
    }
    await ours.close()
    await (await changed)?.close()
    return { runs: count, ended: new Set(ended).size, doubled: doubled.length }
  })

export const benchLanes = async (form: 'short' | 'full', given = counts[form]): Promise<void> => {
  const table = []
  for (const used of [1, 2, 4]) table.push(await onLanes(given, names.slice(0, used)))
  const changed = await whileChanging(given)
  console.table(table)
  console.log('1 lane → 4 → 1 under load:', changed)
  mkdirSync('.data', { recursive: true })
  writeFileSync('.data/bench-lanes.json', JSON.stringify({ form, table, changed }, null, 2))
  if (changed.ended !== changed.runs || changed.doubled > 0) process.exitCode = 1
}
