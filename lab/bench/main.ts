import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readWordsOrExit } from '@plumbline/commands/command.mjs'
import { bench } from '@plumbline/commands/rows/bench.mjs'
import { startPrivateRedis } from '@plumbline/platform'
import { benchAnswers } from './answers'
import { runChain } from './chain'
import { measureIngress, serveBare } from './ingress'
import { benchIngest } from './ingest'
import { benchIngress } from './ingress-cpu'
import { benchLanes } from './lanes'
import { runModelled, type Modelled } from './modelled'
import { runOurs, type OursMeasured } from './ours'
import { benchMemory } from './memory'
import { benchPdf } from './pdf'
import { contenders, serveContender } from './pdf-contenders'
import type { Measured, Mode } from './peers/workload'
import { startPrivatePostgres } from './postgres'
import { benchRetrieval } from './retrieval'
import { ingestBeside } from './retrieval-ingest'
import { atLeast, atMost, median, printTable, type Line } from './table'

const lab = join(import.meta.dirname, '../../lab')
const concurrency = 32
/** Enough slots per stage for 100 runs of three steps. No run then waits for a slot, as in the compared programs. */
const roomySlots = 320

const scales = {
  short: { rounds: 1, ours: 600, chain: 600, peer: 150, alone: 2, together: 100, ingress: 2_000, modelled: 2 },
  full: { rounds: 5, ours: 2_000, chain: 2_000, peer: 300, alone: 10, together: 300, ingress: 6_000, modelled: 12 },
}

const child = <T>(file: string, args: (string | number)[], env: Record<string, string> = {}): T => {
  const printed = execFileSync(process.execPath, [file, ...args.map(String)], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 1e8,
  })
  return JSON.parse(printed.trim().split('\n').at(-1) ?? '') as T
}
const self = process.argv[1] ?? ''

const withRedis = async <T>(work: (url: string) => T | Promise<T>): Promise<T> => {
  const redis = await startPrivateRedis()
  try {
    return await work(redis.url)
  } finally {
    await redis.stop()
  }
}

const ours = (mode: Mode, count: number, atOnce: number): Promise<OursMeasured> =>
  withRedis((url) => child<OursMeasured>(self, ['ours', url, mode, count, atOnce]))
const chain = (count: number): Promise<Measured> =>
  withRedis((url) => child<Measured>(self, ['chain', url, count, 100]))
const ingress = (who: 'ours' | 'bare', count: number) => withRedis((url) => measureIngress(who, url, count))
const langgraph = (
  saver: 'memory' | 'postgres',
  form: 'parallel' | 'sequential',
  mode: Mode,
  count: number,
  atOnce: number,
  url = '',
): Measured =>
  child<Measured>(join(lab, 'bench/peers/langgraph.mjs'), [saver, form, mode, count, atOnce], { POSTGRES_URL: url })

const installPeers = (): void => {
  if (existsSync(join(lab, 'node_modules/@langchain/langgraph'))) return
  console.log('Installing the peers of the benchmark …')
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: lab,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error('The peers could not be installed: run npm ci in lab and look at what it says.')
}

type Rounds = Record<
  'ours' | 'chain' | 'postgres' | 'postgresSequential' | 'memory' | 'ingressOurs' | 'ingressBare' | 'bytes',
  number[]
>
const noRounds = (): Rounds => ({
  ours: [],
  chain: [],
  postgres: [],
  postgresSequential: [],
  memory: [],
  ingressOurs: [],
  ingressBare: [],
  bytes: [],
})

const measureRounds = async (scale: (typeof scales)['full'], postgresUrl: string | undefined): Promise<Rounds> => {
  const rounds = noRounds()
  for (let round = 1; round <= scale.rounds; round++) {
    console.log(`Round ${round} of ${scale.rounds} …`)
    const mine = await ours('zero', scale.ours, 100)
    rounds.ours.push(mine.runsPerSecond)
    rounds.bytes.push(mine.bytesPerRun)
    rounds.chain.push((await chain(scale.chain)).runsPerSecond)
    rounds.memory.push(langgraph('memory', 'parallel', 'zero', scale.peer, 100).runsPerSecond)
    if (postgresUrl) {
      rounds.postgres.push(langgraph('postgres', 'parallel', 'zero', scale.peer, 100, postgresUrl).runsPerSecond)
      rounds.postgresSequential.push(
        langgraph('postgres', 'sequential', 'zero', scale.peer, 100, postgresUrl).runsPerSecond,
      )
    }
    rounds.ingressOurs.push((await ingress('ours', scale.ingress)).asksPerSecond)
    rounds.ingressBare.push((await ingress('bare', scale.ingress)).asksPerSecond)
  }
  return rounds
}

const throughput = (rounds: Rounds): Line[] => {
  const rate = median(rounds.ours)
  const best = Math.max(median(rounds.postgres), median(rounds.postgresSequential))
  return [
    { what: 'P1 runs/s: ours', figure: rate, unit: '/s' },
    { what: 'P1 runs/s: bare BullMQ chain, as many jobs', figure: median(rounds.chain), unit: '/s' },
    { what: 'P1 runs/s: LangGraph.js, Postgres, parallel', figure: median(rounds.postgres), unit: '/s' },
    { what: 'P1 runs/s: LangGraph.js, Postgres, sequential', figure: median(rounds.postgresSequential), unit: '/s' },
    { what: 'P1 runs/s: LangGraph.js, in memory (not durable)', figure: median(rounds.memory), unit: '/s' },
    { what: 'P1 ours ÷ LangGraph.js with Postgres (its better form)', figure: rate / best, unit: '×', ...atLeast(3) },
    {
      what: 'P1 ours ÷ LangGraph.js in memory (not durable)',
      figure: rate / median(rounds.memory),
      unit: '×',
      ...atLeast(1),
    },
    { what: 'P1 ours ÷ bare chain', figure: rate / median(rounds.chain), unit: '×', ...atLeast(0.6) },
    { what: 'Redis bytes per retained run of P1', figure: median(rounds.bytes), unit: ' B', ...atMost(25_000) },
    { what: 'Ingress: asks/s, ours', figure: median(rounds.ingressOurs), unit: '/s' },
    { what: 'Ingress: asks/s, bare Fastify + add', figure: median(rounds.ingressBare), unit: '/s' },
    {
      what: 'Ingress: ours ÷ bare',
      figure: median(rounds.ingressOurs) / median(rounds.ingressBare),
      unit: '×',
      ...atLeast(0.4),
    },
    { what: 'Ingress: ours ÷ P1 runs/s', figure: median(rounds.ingressOurs) / rate, unit: '×', ...atLeast(5) },
  ]
}

const latency = async (scale: (typeof scales)['full']): Promise<Line[]> => {
  console.log('Latency at realistic model times …')
  const alone = await ours('realistic', scale.alone, 1)
  const together = await ours('realistic', scale.together, 100)
  const peer = langgraph('memory', 'parallel', 'realistic', scale.together, 100)
  return [
    { what: 'P2 p50 ÷ critical path, 1 run at once', figure: alone.p50, unit: '×', ...atMost(1.02) },
    { what: 'P2 p99 ÷ critical path, 1 run at once', figure: alone.p99, unit: '×', ...atMost(1.1) },
    { what: 'P2 p50 ÷ critical path, 100 at once', figure: together.p50, unit: '×', ...atMost(1.02) },
    { what: 'P2 p99 ÷ critical path, 100 at once', figure: together.p99, unit: '×', ...atMost(1.1) },
    { what: 'P2 p50 ÷ critical path, 100 at once: LangGraph.js in memory', figure: peer.p50, unit: '×' },
    { what: 'P2 p99 ÷ critical path, 100 at once: LangGraph.js in memory', figure: peer.p99, unit: '×' },
  ]
}

const onModels = async (count: number): Promise<Line[]> => {
  console.log('Runs of four parallel steps on a model server …')
  const { calls, overPath, gradingOverOne, passages, wall, path } = await withRedis((url) =>
    child<Modelled>(self, ['modelled', url, count]),
  )
  return [
    { what: 'P2 on models: calls of a run of 4 parallel steps', figure: calls, unit: '' },
    { what: 'P2 on models: p50 of a run of 4 parallel steps', figure: wall, unit: ' ms' },
    { what: 'P2 on models: p50 of its critical path', figure: path, unit: ' ms' },
    { what: 'P2 on models: p50 ÷ critical path', figure: overPath, unit: '×', ...atMost(1.02) },
    {
      what: `P2 on models: grading ${passages} passages ÷ its call`,
      figure: gradingOverOne,
      unit: '×',
      ...atMost(1.1),
    },
  ]
}

const orchestrate = async (form: 'short' | 'full'): Promise<void> => {
  installPeers()
  const postgres = await startPrivatePostgres()
  if (!postgres) console.log('No PostgreSQL here: its rows are left out. Install the package postgresql to have them.')
  const rounds = await measureRounds(scales[form], postgres?.url).finally(() => postgres?.stop())
  const lines = [...throughput(rounds), ...(await latency(scales[form])), ...(await onModels(scales[form].modelled))]
  const broken = printTable(lines)
  mkdirSync('.data', { recursive: true })
  writeFileSync('.data/bench.json', JSON.stringify({ form, rounds, lines }, null, 2))
  console.log(
    `\n${broken === 0 ? 'Every bound holds' : `${broken} bounds do not hold`} (${form} form, median of ${scales[form].rounds}). Figures: .data/bench.json`,
  )
  // The short form only shows that every compared program runs. Only the full form fails if a figure breaks its bound.
  if (broken > 0 && form === 'full') process.exitCode = 1
}

const runChild = async (name: string, url: string, rest: string[]): Promise<boolean> => {
  switch (name) {
    case 'bare':
      await serveBare(url)
      return true
    case 'modelled':
      console.log(JSON.stringify(await runModelled(url, Number(rest[0]))))
      return true
    case 'retrieval-ingest':
      await ingestBeside(url, Number(rest[0]))
      return true
    case 'pdf-contender': {
      const who = contenders.find((one) => one === url)
      if (who) await serveContender(who, rest[0] ?? '')
      return true
    }
    case 'chain':
      console.log(JSON.stringify(await runChain(url, Number(rest[0]), Number(rest[1]), concurrency)))
      return true
    case 'ours': {
      const [mode, count, atOnce] = rest
      const slots = mode === 'zero' ? concurrency : roomySlots
      const scale = { mode: mode as Mode, count: Number(count), atOnce: Number(atOnce), concurrency: slots }
      console.log(JSON.stringify(await runOurs(url, scale)))
      return true
    }
    default:
      return false
  }
}

const measureNamed = async (words: string[]): Promise<void> => {
  const { values, positionals } = readWordsOrExit(bench, words)
  const form = values.short ? 'short' : 'full'
  const [name, runs] = positionals
  switch (name) {
    case 'retrieval':
      return benchRetrieval(form)
    case 'ingress':
      return benchIngress(form)
    case 'ingest':
      return benchIngest(form)
    case 'answers':
      installPeers()
      return withRedis((redisUrl) => benchAnswers(redisUrl, form, values))
    case 'lanes':
      return benchLanes(form, runs === undefined ? undefined : Number(runs))
    case 'memory':
      return benchMemory(form)
    case 'pdf':
      return benchPdf(form)
    default:
      return orchestrate(form)
  }
}

const [name = '', url = '', ...rest] = process.argv.slice(2)
if (!(await runChild(name, url, rest))) await measureNamed(process.argv.slice(2))
