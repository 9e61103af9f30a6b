import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { spawn } from 'node:child_process'
import { createClient, type Client } from '@plumbline/client'
import { builtInEmbedders } from '@plumbline/encoder/built-in-embedder'
import { freePort, startPrivateRedis } from '@plumbline/platform'
import { cpuMsOf, startProcess, type Proc } from '@plumbline/testing/processes'
import { ingestByScript } from './ingest-script'
import { retryWhenBusy } from './lighthouses'
import { atLeast, atMost, type Line, median, printTable } from './table'

const scales = { short: { documents: 200, asks: 10 }, full: { documents: 2_000, asks: 60 } }
const dist = join(import.meta.dirname, '..')

const vocabulary =
  'the yield of this plot was measured by the surveyors of the district in the season before a ship came to port with grain and iron'.split(
    ' ',
  )
const sentence = (n: number): string =>
  `${Array.from({ length: 12 }, (_, at) => vocabulary[(n * 7 + at * (5 + (n % 11))) % vocabulary.length]).join(' ')} ${n}.`
const documentOf = (n: number): string => {
  const part = (from: number): string => [0, 1, 2, 3].map((at) => sentence(n * 8 + from + at)).join(' ')
  return `# Report ${n}\n\n## Yield\n\n${part(0)}\n\n## Trade\n\n${part(4)}\n`
}

const writeDocuments = (folder: string, count: number, from: number): void => {
  mkdirSync(folder)
  for (let n = from; n < from + count; n += 1)
    writeFileSync(join(folder, `report-${n}.${n % 4 === 0 ? 'txt' : 'md'}`), documentOf(n))
}

type System = { client: Client; url: string; system: Proc }

const startSystem = async (dir: string, redisUrl: string, embedding: 'built-in' | 'none'): Promise<System> => {
  const port = await freePort()
  const own = { NODE_ENV: 'production', REDIS_URL: redisUrl, DATA_DIR: dir, HOST: '127.0.0.1', PORT: `${port}` }
  const env = { ...own, EMBEDDING_MODEL: embedding }
  const system = startProcess('local', join(dist, 'local/main.mjs'), [], env)
  const url = `http://127.0.0.1:${port}`
  const client = createClient({ url })
  const until = performance.now() + 60_000
  while (!system.output.some((line) => line.includes(url))) {
    if (!system.alive() || performance.now() > until)
      throw new Error(`the system did not start: ${system.output.join('\n')}`)
    await wait(50)
  }
  return { client, url, system }
}

type Took = { seconds: number; cpuMs: number }
const bringFolder = async (folder: string, url: string, system: Proc): Promise<Took> => {
  const [cpu, began] = [cpuMsOf(system.pid), performance.now()]
  const args = [join(dist, 'cli/main.mjs'), 'ingest', folder, '--collection', 'reports', '--url', url, '--json']
  const child = spawn(process.execPath, args, { stdio: 'ignore' })
  const [code] = (await once(child, 'exit')) as [number]
  if (code !== 0) throw new Error(`the ingest ended with ${code}`)
  return { seconds: (performance.now() - began) / 1_000, cpuMs: cpuMsOf(system.pid) - cpu }
}

const allVectors = async ({ client }: System): Promise<void> => {
  for (let missing = 1; missing > 0; await wait(500)) {
    missing = 0
    for (let cursor: string | undefined; ;) {
      const page = await client.documents({ collection: 'reports', limit: 100, ...(cursor && { cursor }) })
      missing += page.items.filter(({ vectors }) => vectors !== undefined).length
      cursor = page.next ?? undefined
      if (!cursor || missing > 0) break
    }
  }
}

const encoderSeconds = async (documents: number): Promise<number> => {
  const { documents: encoder } = builtInEmbedders()
  const sample = Array.from({ length: 60 }, (_, n) => documentOf(n))
  const { signal } = new AbortController()
  await encoder.embed(sample.slice(0, 5), signal)
  const began = performance.now()
  await encoder.embed(sample, signal)
  return (documents * (performance.now() - began)) / sample.length / 1_000
}

const rateByWords = async (dir: string, documents: number, redisUrl: string): Promise<number> => {
  const folder = join(dir, 'words')
  writeDocuments(folder, documents, 5 * documents)
  const { url, system } = await startSystem(join(dir, 'words-data'), redisUrl, 'none')
  try {
    console.log(`${documents} documents without the encoder …`)
    return documents / (await bringFolder(folder, url, system)).seconds
  } finally {
    await system.kill('SIGTERM')
  }
}

const planets = ['Mercury', 'Venus', 'Mars', 'Jupiter', 'Saturn', 'Uranus', 'Neptune']
/** Each `n` gives a different question, so that no cached answer is used. */
const ask = async (client: Client, n: number): Promise<number> => {
  const began = performance.now()
  const question = `How many moons did ${planets[n % planets.length]} have in 2023, for note ${n}?`
  const run = await retryWhenBusy(() => client.ask({ question, collection: 'sample' }, { waitSeconds: 60 }))
  if (run.reason === undefined) throw new Error(`a run did not end: ${run.status}`)
  return performance.now() - began
}

const measure = async (dir: string, scale: (typeof scales)['full'], redisUrl: string): Promise<Line[]> => {
  const { documents } = scale
  const byWords = await rateByWords(dir, documents, `${redisUrl}/1`)
  const folders = ['warm', 'alone', 'beside'].map((name) => join(dir, name))
  const [warm = '', alone = '', beside = ''] = folders
  for (const [at, folder] of folders.entries()) writeDocuments(folder, at === 0 ? 50 : documents, at * documents)
  const started = await startSystem(join(dir, 'data'), redisUrl, 'built-in')
  const { client, url, system } = started
  try {
    await bringFolder(warm, url, system)
    await allVectors(started)
    console.log(`${documents} documents alone …`)
    const began = performance.now()
    const took = await bringFolder(alone, url, system)
    await allVectors(started)
    const vectorSeconds = (performance.now() - began) / 1_000
    const scriptMs = ingestByScript(alone, join(dir, 'script.sqlite'))
    console.log('Questions alone …')
    const quiet: number[] = []
    for (let n = 0; n < scale.asks; n += 1) quiet.push(await ask(client, n))
    console.log(`${documents} documents beside questions …`)
    const busy: number[] = []
    let ended = false
    const bringing = bringFolder(beside, url, system).finally(() => void (ended = true))
    // Wait until the ingestion of the first documents has begun.
    await wait(500)
    for (let n = 0; !ended && n < scale.asks; n += 1) busy.push(await ask(client, 1_000 + n))
    const together = await bringing
    const encoding = await encoderSeconds(documents)
    const [rate, script] = [documents / took.seconds, documents / (scriptMs / 1_000)]
    return [
      { what: 'P5 documents/s: ours', figure: rate, unit: '/s' },
      { what: 'P5 documents/s: a script that reads, hashes, splits and indexes', figure: script, unit: '/s' },
      { what: 'P5 ours ÷ script', figure: (100 * rate) / script, unit: ' %', ...atLeast(2.5) },
      { what: 'P5 found by words: with ÷ without the encoder', figure: rate / byWords, unit: '×', ...atLeast(0.9) },
      {
        what: 'P5 vectors of all documents ÷ the encoder’s own time',
        figure: vectorSeconds / encoding,
        unit: '×',
        ...atMost(2),
      },
      { what: 'CPU of a document', figure: took.cpuMs / documents, unit: ' ms' },
      { what: 'Documents/s beside questions', figure: documents / together.seconds, unit: '/s' },
      { what: 'P5 ask alone, p50', figure: median(quiet), unit: ' ms' },
      { what: 'P5 ask beside the ingest, p50', figure: median(busy), unit: ' ms' },
      { what: 'P5 ask beside ÷ alone', figure: median(busy) / median(quiet), unit: '×', ...atMost(1.5) },
    ]
  } finally {
    await system.kill('SIGTERM')
  }
}

export const benchIngest = async (form: 'short' | 'full'): Promise<void> => {
  const dir = mkdtempSync(join(tmpdir(), 'plumbline-ingest-'))
  const redis = await startPrivateRedis()
  try {
    const lines = await measure(dir, scales[form], redis.url)
    const broken = printTable(lines)
    mkdirSync('.data', { recursive: true })
    writeFileSync('.data/bench-ingest.json', JSON.stringify({ form, ...scales[form], lines }, null, 2))
    console.log(
      `\n${broken === 0 ? 'Every bound holds' : `${broken} bounds do not hold`} (${form} form). Figures: .data/bench-ingest.json`,
    )
    if (broken > 0 && form === 'full') process.exitCode = 1
  } finally {
    await redis.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}
