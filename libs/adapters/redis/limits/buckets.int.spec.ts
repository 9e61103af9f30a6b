import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort, silent, startPrivateRedis } from '@plumbline/platform'
import { openRedisBuckets } from './buckets'
import { connectFailFast, connectWaiting } from '../client/client'
import type { RedisClient } from '../client/client'
import { admission, type Got } from '../spec/bucket-taker'
import { ownRedis } from '../spec/own-redis.spec'

const root = join(import.meta.dirname, '..', '..', '..', '..')
const ours = /^(\.|\/|\0|@plumbline\/|@oxc-project\/runtime)/
/** Bundles Lua scripts as text, as the build does. */
const lua = {
  name: 'lua',
  load: (id: string) =>
    id.endsWith('.lua')
      ? { code: `export default ${JSON.stringify(readFileSync(id, 'utf8'))}`, moduleType: 'js' as const }
      : null,
}
const name = 'api.openai.com:gpt-4.1'

const { redis, url } = await ownRedis()

const bundled = async (): Promise<string> => {
  const bundle = await rolldown({
    input: fileURLToPath(new URL('../spec/bucket-taker.ts', import.meta.url)),
    cwd: root,
    platform: 'node',
    tsconfig: join(root, 'tsconfig.json'),
    external: (id) => !ours.test(id),
    plugins: [lua],
  })
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false })
  await bundle.close()
  return `${output[0].code}\nawait takeSlots(process.argv.slice(-6))\n`
}

/** Returns the slots that one process took. */
const takerProcess = async (code: string, args: string[]): Promise<Got> => {
  const child = spawn(process.execPath, ['--input-type=module', '-', ...args], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(code)
  const [printed] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return JSON.parse(printed) as Got
}

describe.concurrent('four processes that share the buckets of one provider', () => {
  let code: string
  beforeAll(async () => {
    code = await bundled()
  })

  // Each case has its own Redis, so that the cases can run at the same time.
  it.each([
    { what: 'requests', minuteMs: 2_000, forMs: 4_500, requests: 200, tokens: 0 },
    { what: 'tokens', minuteMs: 2_000, forMs: 4_500, requests: 0, tokens: 20_000 },
    { what: 'requests of a real minute', minuteMs: 60_000, forMs: 3_000, requests: 500, tokens: 0 },
  ])('get no more than 1 % above the limit: $what', async ({ minuteMs, forMs, requests, tokens }) => {
    const own = await startPrivateRedis()
    const { each, highest, total } = await admission({ url: own.url, minuteMs, requests, tokens, forMs }, (args) =>
      takerProcess(code, args),
    ).finally(() => own.stop())
    expect(each.every((got) => got.length > 0)).toBe(true)
    if (requests > 0) expect(highest.requests).toBeLessThanOrEqual(requests * 1.01)
    if (tokens > 0) expect(highest.tokens).toBeLessThanOrEqual(tokens * 1.01)
    const minutes = Math.floor(forMs / minuteMs) || 1
    expect(total).toBeGreaterThan(minutes * 0.9)
  })
})

describe('buckets', () => {
  const open = (minuteMs = 60_000) => openRedisBuckets({ redis, log: silent, minuteMs })

  it('count what was used, not what was reserved', async () => {
    const buckets = open()
    const taken = await buckets.take(name, { tokens: 1_000 }, 900)
    expect(taken.kind).toBe('taken')
    expect(await buckets.take(name, { tokens: 1_000 }, 200)).toMatchObject({ kind: 'wait' })
    if (taken.kind === 'taken') await buckets.settle(name, taken.slot, 700 - 900)
    expect(await buckets.take(name, { tokens: 1_000 }, 200)).toMatchObject({ kind: 'taken' })
  })

  it('let a call that is larger than the limit through if it is the only call', async () => {
    const buckets = open(3_000)
    expect(await buckets.take(name, { tokens: 1_000 }, 5_000)).toMatchObject({ kind: 'taken' })
    const second = await buckets.take(name, { tokens: 1_000 }, 5_000)
    expect(second).toMatchObject({ kind: 'wait' })
    await expect.poll(() => buckets.take(name, { tokens: 1_000 }, 5_000)).toMatchObject({ kind: 'taken' })
  })

  it('return the time to wait, after which the call is allowed', async () => {
    const buckets = open(3_000)
    const from = Date.now()
    await buckets.take(name, { requests: 1 }, 1)
    const taken = await buckets.take(name, { requests: 1 }, 1)
    expect(taken.kind).toBe('wait')
    const ms = taken.kind === 'wait' ? taken.ms : 0
    expect(Date.now() + ms).toBeGreaterThan(from + 2_900)
    await new Promise((resolve) => setTimeout(resolve, ms + 2))
    expect(await buckets.take(name, { requests: 1 }, 1)).toMatchObject({ kind: 'taken' })
  })

  it('pause every process, and end the pause in time', async () => {
    const client = connectedTo(url)
    await client.ping()
    const until = Date.now() + 4_000
    await open().pause(name, until)
    await open().pause(name, until - 200)
    const other = await openRedisBuckets({ redis: client, log: silent }).take(name, {}, 1)
    expect(other.kind).toBe('wait')
    await expect.poll(() => open().take(name, {}, 1)).toMatchObject({ kind: 'taken' })
    expect(Date.now()).toBeGreaterThanOrEqual(until - 1)
  })

  it('leave nothing behind', async () => {
    await open(400).take(name, { requests: 5 }, 1)
    await open(400).pause(name, Date.now() + 600)
    await expect.poll(() => redis.dbsize()).toBe(0)
  })

  it('allow calls if Redis does not answer, and log a warning', async () => {
    const lines: string[] = []
    const gone = connectFailFast(`redis://127.0.0.1:${await freePort()}`)
    const buckets = openRedisBuckets({
      redis: gone,
      log: { warn: (...args: unknown[]) => void lines.push(String(args.at(-1))) },
    })
    expect(await buckets.take(name, { requests: 1 }, 1)).toEqual({ kind: 'taken', slot: '' })
    await buckets.pause(name, Date.now() + 1_000)
    await buckets.settle(name, '', 5)
    expect(lines).toHaveLength(2)
    gone.disconnect()
  })
})

const others: RedisClient[] = []
const connectedTo = (url: string): RedisClient => {
  const client = connectWaiting(url)
  others.push(client)
  return client
}
afterAll(() => others.forEach((client) => client.disconnect()))
