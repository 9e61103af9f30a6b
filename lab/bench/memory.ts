import { mkdirSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { availableParallelism, totalmem } from 'node:os'
import { Redis } from 'ioredis'
import { cpuMsOf, residentTreeMb, watchMemory } from '@plumbline/testing/processes'
import { type App, apps, asDeployed, type Deployed } from './deployed'
import { addLighthouses, answerAsModelsDo, question, retryWhenBusy } from './lighthouses'
import { filesOf, requestPages, uploadFiles } from './memory-files'

const scales = {
  short: { runs: 40, streams: 100, csvBytes: 500_000, pdfPages: 40, smallFiles: 20, looks: 4 },
  full: { runs: 500, streams: 1_000, csvBytes: 10_000_000, pdfPages: 1_500, smallFiles: 200, looks: 40 },
}
type Scale = (typeof scales)['full']
/** More runs than the workers process at the same time, so that every slot is in use. */
const runsAtOnce = 64
const restMs = 5_000
/** Filler text that brings passages to a typical length. */
const ordinary =
  'It stands where the ships of the district pass by night, and whoever keeps it writes down what was seen. '.repeat(12)

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

type Figures = Partial<Record<App, { mb: number; cpuMs: number }>>
const watched = async ({ processes }: Deployed, work: () => Promise<unknown>): Promise<Figures> => {
  const watches = processes.map(([app, { pid }]) => {
    const memory = watchMemory(pid, residentTreeMb)
    const before = cpuMsOf(pid)
    return () => [app, { mb: Math.round(memory.stop()), cpuMs: Math.round(cpuMsOf(pid) - before) }] as const
  })
  await work()
  return Object.fromEntries(watches.map((stop) => stop()))
}

const usedBytes = async (redis: Redis): Promise<number> =>
  Number(/used_memory_dataset:(\d+)/.exec(await redis.info('memory'))?.[1])
const bytesByKind = async (redis: Redis): Promise<Record<string, number>> => {
  const sums: Record<string, number> = {}
  for await (const keys of redis.scanStream({ count: 1_000 }) as AsyncIterable<string[]>)
    for (const key of keys) {
      const [kind = ''] = key.split(':')
      sums[kind] = (sums[kind] ?? 0) + Number(await redis.memory('USAGE', key))
    }
  return sums
}

const runMany = async ({ client }: Deployed, count: number): Promise<void> => {
  let next = 0
  const asker = async (): Promise<void> => {
    while (next < count) {
      const asked = { question: `${question} For report ${next++}.`, collection: 'lights', policy: 'bench' }
      const run = await retryWhenBusy(() => client.ask(asked, { waitSeconds: 60 }))
      const { reason } = run.reason === undefined ? await retryWhenBusy(() => client.untilEnded(run.id)) : run
      if (reason !== 'answered.checked') throw new Error(`a run ended as ${reason}`)
    }
  }
  await Promise.all(Array.from({ length: runsAtOnce }, asker))
}

const underRuns = (runs: number) =>
  asDeployed(apps, async (deployed) => {
    const redis = new Redis(deployed.redisUrl)
    try {
      const idle = await watched(deployed, () => pause(restMs))
      const connections = ((await redis.client('LIST')) as string).trim().split('\n').length - 1
      await addLighthouses(deployed.client, ordinary)
      answerAsModelsDo(deployed.model)
      await runMany(deployed, 10)
      const [bytes, calls, from] = [await usedBytes(redis), deployed.model.requests.length, performance.now()]
      const figures = await watched(deployed, () => runMany(deployed, runs))
      const seconds = (performance.now() - from) / 1_000
      return {
        idle,
        runs: figures,
        told: {
          'runs/s': runs / seconds,
          'model calls a run': (deployed.model.requests.length - calls) / runs,
          'Redis bytes a run': Math.round(((await usedBytes(redis)) - bytes) / runs),
          'Redis bytes by kind of key': await bytesByKind(redis),
          'connections to Redis': connections,
        },
      }
    } finally {
      redis.disconnect()
    }
  })

const listen = (url: string): Promise<void> =>
  new Promise((resolve, reject) => {
    get(url, { agent: false, headers: { accept: 'text/event-stream' } }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`a stream was answered ${answer.statusCode}`))
      answer.on('error', () => undefined)
      answer.once('data', () => resolve()).resume()
    }).on('error', reject)
  })

const underStreams = (count: number) =>
  asDeployed(['gateway'], (deployed) =>
    watched(deployed, async () => {
      for (let n = 0; n < count; n++) {
        const { id } = await retryWhenBusy(() => deployed.client.ask({ question }))
        await listen(`${deployed.url}/v1/runs/${id}/events`)
      }
      await pause(restMs)
    }),
  )

const underFiles = (scale: Scale) =>
  asDeployed(['gateway', 'ingestor'], async (deployed) => {
    const { client, url } = deployed
    const small = await watched(deployed, () => uploadFiles(client, filesOf.small(scale.smallFiles)))
    const csvs = await watched(deployed, () => uploadFiles(client, filesOf.csvs(scale.csvBytes)))
    let ids: string[] = []
    const pdfs = await watched(deployed, async () => (ids = await uploadFiles(client, filesOf.pdfs(scale.pdfPages))))
    const pages = await watched(deployed, () => requestPages(url, ids[0] ?? '', scale.looks))
    return { small, csvs, pdfs, pages }
  })

/** Measures the memory of the apps. The memory limits of the containers are based on the results. */
export const benchMemory = async (form: 'short' | 'full'): Promise<void> => {
  const scale = scales[form]
  console.log('Runs …')
  const { told, ...runs } = await underRuns(scale.runs)
  console.log('Streams …')
  const streams = await underStreams(scale.streams)
  console.log('Files …')
  const phases: Record<string, Figures> = { ...runs, streams, ...(await underFiles(scale)) }
  const table = apps.map((app) => {
    const held = Object.entries(phases).flatMap(([phase, of]) => (of[app] ? [[phase, of[app].mb] as const] : []))
    return {
      app,
      ...Object.fromEntries(held),
      most: Math.max(...held.map(([, mb]) => mb)),
      'CPU ms a run': Math.round((phases['runs']?.[app]?.cpuMs ?? Number.NaN) / scale.runs),
    }
  })
  console.table(table)
  console.log(told)
  mkdirSync('.data', { recursive: true })
  const machine = `${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GB`
  writeFileSync('.data/bench-memory.json', JSON.stringify({ form, machine, ...scale, phases, told }, null, 2))
  console.log(`MB, with the processes that an app starts; ${form} form, ${machine}. Figures: .data/bench-memory.json`)
}
