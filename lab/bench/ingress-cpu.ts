import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { startPrivateRedis } from '@plumbline/platform'
import { asDeployed, load, startBare, startGateway } from './ingress'
import { median, printTable, type Line } from './table'

const scales = { short: { warm: 1, rounds: 3, asks: 300 }, full: { warm: 10, rounds: 40, asks: 500 } }

type Server = Awaited<ReturnType<typeof startGateway>>
type Contender = {
  name: string
  start(redisUrl: string): Promise<Server>
  headers?: () => Record<string, string>
}
const contenders: Contender[] = [
  { name: 'bare Fastify + add', start: startBare },
  { name: 'ours, without keys', start: (url) => startGateway(url, {}) },
  { name: 'ours, key and quota', start: (url) => startGateway(url, asDeployed) },
  {
    name: 'ours, Idempotency-Key too',
    start: (url) => startGateway(url, asDeployed),
    headers: () => ({ 'idempotency-key': randomUUID() }),
  },
]

/** Returns the CPU time of a process in µs. Other counters are less precise, because they count ticks. */
const busyUs = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1_000

type Running = Contender & {
  gateway: number[]
  redis: number[]
  round(asks: number): Promise<void>
  stop(): Promise<void>
}

const run = async (contender: Contender): Promise<Running> => {
  const store = await startPrivateRedis()
  const server = await contender.start(store.url)
  const [gateway, redis]: [number[], number[]] = [[], []]
  return {
    ...contender,
    gateway,
    redis,
    round: async (asks) => {
      const before = [busyUs(server.pid), busyUs(store.pid)] as const
      await load(server.port, asks, contender.headers)
      gateway.push((busyUs(server.pid) - before[0]) / asks)
      redis.push((busyUs(store.pid) - before[1]) / asks)
    },
    stop: async () => {
      await server.stop()
      await store.stop()
    },
  }
}

const linesOf = ({ name, gateway, redis }: Running, bare: Running): Line[] => {
  // Compare figures of the same round, because other load on the machine then affects both servers.
  const share = median(gateway.map((us, i) => ((bare.gateway[i] ?? 0) + (bare.redis[i] ?? 0)) / (us + (redis[i] ?? 0))))
  return [
    { what: `${name}: gateway, of an ask`, figure: median(gateway), unit: ' µs' },
    { what: `${name}: Redis, of an ask`, figure: median(redis), unit: ' µs' },
    { what: `${name}: bare ÷ it, gateway and Redis`, figure: share, unit: '×' },
  ]
}

export const benchIngress = async (form: 'short' | 'full'): Promise<void> => {
  if (process.platform !== 'linux')
    throw new Error('The processor time of a thread is read from /proc: this needs Linux.')
  const { warm, rounds, asks } = scales[form]
  const running: Running[] = []
  try {
    for (const contender of contenders) running.push(await run(contender))
    for (let round = 0; round < warm + rounds; round++) for (const each of running) await each.round(asks)
  } finally {
    for (const { stop } of running) await stop()
  }
  const counted = running.map((each) => ({ ...each, gateway: each.gateway.slice(warm), redis: each.redis.slice(warm) }))
  const [bare] = counted
  if (!bare) return
  printTable(counted.flatMap((each) => linesOf(each, bare)))
}
