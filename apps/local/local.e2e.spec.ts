import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient, type Client } from '@plumbline/client'
import type { RunView, StreamEvent } from '@plumbline/contracts'
import { stages } from '@plumbline/flow'
import { freePort } from '@plumbline/platform'
import { notedGateway } from '@plumbline/platform/gateway-file'
import { readSample } from './sample'
import { build, start, type Started } from './spec/start'

let dir: string
let port: number
let local: Started
let client: Client
let firstAnswer: RunView

const begin = (args: string[] = [], env: Record<string, string> = {}): Started =>
  start('local', args, { DATA_DIR: dir, PORT: `${port}`, ...env })
const ask = (question: string, collection?: string): Promise<RunView> =>
  client.ask({ question, ...(collection && { collection }) }, { waitSeconds: 20 })
const story = async (runId: string): Promise<StreamEvent[]> => {
  const events: StreamEvent[] = []
  for await (const event of client.events(runId, { audience: 'desk' })) events.push(event)
  return events
}
const quoted = (run: RunView): string => run.answer?.quotes?.map(({ text }) => text).join('\n') ?? ''

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

beforeAll(async () => {
  await build()
  dir = mkdtempSync(join(tmpdir(), 'plumbline-e2e-'))
  port = await freePort()
  client = createClient({ url: `http://127.0.0.1:${port}` })
  local = begin()
  const until = Date.now() + 60_000
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isReady()) && Date.now() < until) await wait(10)
  firstAnswer = await ask('What is the mass of Jupiter?')
  await local.says('Plumbline is ready', 60_000)
}, 120_000)
afterAll(async () => {
  await local.ends('SIGTERM')
  rmSync(dir, { recursive: true, force: true })
})

describe('a question about the sample collection', () => {
  it('is answered with the places that come closest, each with its document', async () => {
    const run = await ask('Who estimated how much working memory holds?')
    expect(run).toMatchObject({ status: 'answered', reason: 'answered.quoted', skills: 'offline' })
    expect(quoted(run)).toContain('George A. Miller')
    expect(run.answer?.quotes?.map(({ title }) => title)).toContain('Agent memory: a short explainer')
    expect(run.grounding).toBeUndefined()
  })

  it('that is compound is researched in parallel steps', async () => {
    const run = await ask('What is the mass of Jupiter and how long does sensory memory last?')
    expect(quoted(run)).toContain('1,898')
    expect(quoted(run)).toContain('few seconds')
    const events = await story(run.id)
    const opened = events.flatMap((event, at) => (event.type === 'step-opened' ? [at] : []))
    const firstFound = events.findIndex(({ type }) => type === 'researched')
    expect(opened.filter((at) => at < firstFound).length).toBeGreaterThanOrEqual(2)
  })

  it('that names a cell of a table is answered with it, checked, and with its row', async () => {
    const run = await ask('What is the mass of Jupiter?')
    expect(run).toMatchObject({ status: 'answered', reason: 'answered.checked', answer: { kind: 'written' } })
    expect(run.answer?.text).toContain('1,898')
    expect(quoted(run)).toContain('1,898')
  })

  it('is never declined, asked back or said to be answered nowhere', async () => {
    for (const question of ['Which company built the camera of Mariner 4?', 'How long does it last?']) {
      const run = await ask(question)
      expect(run).toMatchObject({ status: 'answered', reason: 'answered.quoted', route: { to: 'research' } })
      expect(quoted(run)).not.toBe('')
    }
  })

  it('gets the same answer twice', async () => {
    const question = 'How many moons did Saturn have in 2019 and in 2023?'
    const [first, second] = [await ask(question), await ask(question)]
    expect(first.answer).toEqual(second.answer)
    for (const figure of ['82', '146']) expect(quoted(first)).toContain(figure)
  })
})

describe('a first visit', () => {
  it('that asks as soon as the gateway is ready gets its answer', () => {
    expect(firstAnswer).toMatchObject({ status: 'answered', reason: 'answered.checked' })
    expect(firstAnswer.answer?.text).toContain('1,898')
  })

  it('finds the manuals in a collection of their own, and no chapter of them beside the planets', async () => {
    const { items } = await client.collections()
    expect(items.map(({ name, documents }) => [name, documents])).toEqual([
      ['plumbline-docs', readSample(join(import.meta.dirname, '..', '..')).manuals.documents.length],
      ['sample', 2],
    ])
    for (const question of [
      'Who discovered Titan?',
      'why is mars red',
      'how many people live on mars',
      'who found neptune',
    ]) {
      const run = await ask(question)
      expect(new Set(run.answer?.citations.map(({ collection }) => collection))).toEqual(new Set(['sample']))
    }
    const told = await ask('Which command brings a folder of papers into a collection?', 'plumbline-docs')
    expect(quoted(told)).toContain('npm run ingest -- ./papers')
  })

  it('finds a held answer to decide, three questions to try, and the app', async () => {
    const { items } = await client.reviews()
    expect(items).toMatchObject([{ reason: 'parked.contradicted', collections: ['sample'], score: 0.5 }])
    const { claims, draft, evidence } = await client.review(items[0]!.runId)
    expect(claims.map(({ verdict }) => verdict)).toEqual(['supported', 'contradicted'])
    expect(draft.text).toContain('14 known moons')
    expect(evidence.map(({ text }) => text).join('\n')).toMatch(/\| Mars \| 2 \| 2 \| 2 \| 2 \|/)
    expect(evidence.map(({ text }) => text).join('\n')).toContain('24.7')
    expect((await client.run(items[0]!.runId)).answer).toBeUndefined()
    expect((await client.collection('sample')).questions).toHaveLength(3)
    const page = await fetch(`http://127.0.0.1:${port}/`)
    expect([page.status, page.headers.get('content-security-policy')]).toEqual([
      200,
      expect.stringContaining("script-src 'self'"),
    ])
  })
})

describe('a start', () => {
  it('beside another one says where that one runs; with other data it names the taken port', async () => {
    const other = mkdtempSync(join(tmpdir(), 'plumbline-e2e-'))
    const [same, taken] = [begin(), begin([], { DATA_DIR: other })]
    expect(await Promise.all([same.ends(), taken.ends()])).toEqual([1, 1])
    expect(same.output()).toContain(`already runs from this folder: http://127.0.0.1:${port} (process ${local.pid})`)
    expect(taken.output()).toContain(`Port ${port} on 127.0.0.1 is taken by process ${local.pid}: `)
    expect(taken.output()).toContain(`(kill ${local.pid})`)
    expect(taken.output()).toContain(`PORT=${port + 1} npm start`)
    expect(taken.output()).not.toMatch(/\n\s+at /)
    rmSync(other, { recursive: true })
  })

  it('without a Redis, with wrong words or with wrong settings says what to do, without a stack', async () => {
    const tries: [string[], Record<string, string>, string, code?: number][] = [
      [[], { PATH: '/nowhere' }, 'apt-get install redis-server'],
      [[], { REDIS_URL: `redis://127.0.0.1:${await freePort()}` }, 'No Redis answers at REDIS_URL'],
      [['--process'], {}, 'start has no option "--process".\nIts options are --processes, --help.', 2],
      [[], { PORT: 'eighty', LANES: 'Main!' }, 'The environment has 2 errors'],
    ]
    const fails = async ([args, env, words, code = 1]: (typeof tries)[number]): Promise<void> => {
      const other = mkdtempSync(join(tmpdir(), 'plumbline-e2e-'))
      const failing = begin(args, { DATA_DIR: other, PORT: `${await freePort()}`, ...env })
      expect(await failing.ends()).toBe(code)
      expect(failing.output()).toContain(words)
      expect(failing.output()).not.toMatch(/\n\s+at /)
      rmSync(other, { recursive: true })
    }
    await Promise.all(tries.map(fails))
  })

  it('stops on Ctrl-C and leaves nothing running; the next one takes seconds and keeps the data', async () => {
    const { id } = await ask('How long does short-term memory last?')
    const redis = Number(readFileSync(join(dir, 'redis', 'port'), 'utf8'))
    expect(notedGateway(dir)).toBe(`http://127.0.0.1:${port}`)
    expect(await local.ends('SIGINT')).toBe(0)
    expect(existsSync(join(dir, 'gateway.json'))).toBe(false)
    await expect(fetch(`http://127.0.0.1:${redis}`)).rejects.toThrow()
    local = begin()
    await local.says('Plumbline is ready', 45_000)
    expect(local.output()).toContain('The sample collection is available')
    expect(await client.run(id)).toMatchObject({ id, status: 'answered' })
    expect(await ask('How long does short-term memory last?')).toMatchObject({ status: 'answered' })
  })

  it('after a crash takes its Redis over, with the data', async () => {
    const { id } = await ask('How long does short-term memory last?')
    await local.ends('SIGKILL')
    local = begin(['--processes'])
    await local.says('Plumbline is ready', 60_000)
    expect(await client.run(id)).toMatchObject({ id, status: 'answered' })
  })

  it('with --processes runs each app by itself, brings a dead one back, and leaves nothing running when it is killed or stopped', async () => {
    const pids = (app: string) =>
      [...local.output().matchAll(new RegExp(`\\[${app}\\] +runs as process (\\d+)`, 'g'))].map(([, pid]) =>
        Number(pid),
      )
    const apps = ['gateway', ...stages, 'ingestor']
    for (const app of apps) expect(pids(app)).toHaveLength(1)
    process.kill(pids('grader')[0]!, 'SIGKILL')
    expect(await ask('How long does short-term memory last?')).toMatchObject({ status: 'answered' })
    expect(local.output()).toContain('[grader]     was ended by SIGKILL; starting it again in 0.5 s')
    const all = apps.flatMap(pids)
    expect(all).toHaveLength(apps.length + 1)
    await local.ends('SIGKILL')
    // The apps may need DRAIN_MS and about 5 s more to stop.
    const until = Date.now() + 30_000
    while (all.some(isAlive) && Date.now() < until) await wait(50)
    expect(all.filter(isAlive)).toEqual([])
    local = begin(['--processes'])
    await local.says('Plumbline is ready', 60_000)
    expect(await local.ends('SIGTERM')).toBe(0)
    expect(apps.flatMap(pids).filter(isAlive)).toEqual([])
  }, 120_000)
})
