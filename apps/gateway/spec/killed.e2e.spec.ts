import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createClient } from '@plumbline/client'
import { evidenceIn, onceOnly, openHouse, post, toAnswer, toPark, withPolicy, type House } from './house.spec'

const root = join(import.meta.dirname, '..', '..', '..')
let house: House
withPolicy('once-only', onceOnly)
beforeAll(async () => {
  await promisify(execFile)(process.execPath, [join(root, 'tools', 'bootstrap', 'main.mjs'), 'build'])
  house = await openHouse()
}, 120_000)
afterAll(() => house.close())

/** Starts another gateway on the same Redis, in a separate process. */
const startGateway = async (): Promise<{ url: string; child: ChildProcess }> => {
  const env = { PATH: process.env.PATH ?? '', REDIS_URL: house.server.url, DATA_DIR: house.dataDir, PORT: '0' }
  const child = spawn(process.execPath, [join(root, 'dist', 'gateway', 'main.mjs')], { env })
  let told = ''
  child.stdout.on('data', (chunk: Buffer) => (told += chunk.toString()))
  const urlOf = () => /"url":"(http[^"]+)"/.exec(told)?.[1]
  await expect.poll(urlOf, { timeout: 20_000 }).toBeDefined()
  return { url: urlOf() ?? '', child }
}

it('decisions that wait count once and in time although the gateway that took them is killed', async () => {
  const { url, child } = await startGateway()
  const taker = createClient({ url })
  const decided = await Promise.all(
    Array.from({ length: 20 }, async (_, n) => {
      const { id } = await house.client.ask({ question: 'What is Mars made of?', policy: 'once-only' })
      await house.report(id, ...toPark())
      const undoMs = 4_000 + 100 * n
      await taker.decide(id, { taskId: 'review.1', decisionId: 'd1', action: 'approve', undoMs })
      const task = (await house.store.load(id))?.run.open[0]
      return { id, at: (task?.kind === 'review' && task.pending?.at) || 0 }
    }),
  )
  // Kill the gateway when half of the decisions are due. Until then, both gateways apply due decisions.
  const middle = decided[10]?.at ?? 0
  await expect.poll(() => house.store.now(), { interval: 5, timeout: 20_000 }).toBeGreaterThanOrEqual(middle)
  child.kill('SIGKILL')
  const late: number[] = []
  for (const { id, at } of decided) {
    await expect.poll(async () => (await house.store.load(id))?.run.status).toBe('answered')
    const ledger = await house.store.ledger(id, null, 100)
    const counted = ledger.filter(({ event }) => event.type === 'decided' || event.type === 'ended')
    expect(counted.map(({ event }) => event.type)).toEqual(['decided', 'ended'])
    late.push(Number(counted[0]?.id.split('-')[0]) - at)
  }
  expect(Math.min(...late)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...late)).toBeLessThan(3_000)
}, 60_000)

it('a gateway that is stopped tells its streams to come back, and nothing of a stream is lost', async () => {
  const { url, child } = await startGateway()
  const question = 'How heavy is Mars?'
  const { id } = await house.client.ask({ question })
  await house.report(id, ...evidenceIn)
  const { id: document } = await house.client.addDocument({ title: 'Mars', text: 'Red.' })
  const streams = await Promise.all([
    fetch(`${url}/v1/runs/${id}/events`),
    fetch(`${url}/v1/documents/${document}/events`),
    fetch(`${url}/v1/live?desk=true`),
    post(url, '/v1/runs', { question }, { accept: 'text/event-stream' }),
    post(url, '/v1/chat/completions', {
      model: 'plumbline',
      stream: true,
      messages: [{ role: 'user', content: question }],
    }),
  ])
  const texts = streams.map((response) => response.text())
  await expect.poll(async () => /plumbline_streams 5/.test(await (await fetch(`${url}/metrics`)).text())).toBe(true)

  const ended = once(child, 'exit')
  const from = performance.now()
  child.kill('SIGTERM')
  const [completion = '', ...own] = (await Promise.all(texts)).toReversed()
  const [run = ''] = own.toReversed()
  for (const text of own) {
    const [, ms] = /retry: (\d+)\n: this gateway is stopping; connect again with Last-Event-ID\n\n$/.exec(text) ?? []
    expect(Number(ms)).toBeGreaterThanOrEqual(500)
  }
  expect(completion).toContain('data: [DONE]')
  expect(await ended).toEqual([0, null])
  expect(performance.now() - from).toBeLessThan(5_000)

  const ids = (text: string) => [...text.matchAll(/^id: (\S+)$/gm)].map(([, at]) => at)
  await house.report(id, ...toAnswer().slice(evidenceIn.length))
  const rest = await fetch(`${house.url}/v1/runs/${id}/events`, { headers: { 'last-event-id': ids(run).at(-1) ?? '' } })
  const whole = await (await fetch(`${house.url}/v1/runs/${id}/events`)).text()
  expect([...ids(run), ...ids(await rest.text())]).toEqual(ids(whole))
}, 60_000)
