import { readFeatures } from '@plumbline/features/all'
import { execFile, spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBullMqJobQueue } from '@plumbline/adapters/bullmq/bullmq-job-queue'
import { connectFailFast, whenReady, type RedisClient } from '@plumbline/adapters/redis/client/client'
import { openRedisRunStore, type RedisRunStore } from '@plumbline/adapters/redis/runs/redis-run-store'
import { createClient, type Client } from '@plumbline/client'
import { advance, policies } from '@plumbline/flow'
import { standard } from '@plumbline/flow/policy/standard'
import {
  checked,
  claim,
  drafted,
  found,
  good,
  graded,
  planned,
  reportOf,
  toResearch,
  ungrounded,
} from '@plumbline/flow/spec/run-fixtures.spec'
import { createGateway, type Gateway } from '@plumbline/gateway'
import { freePort, startPrivateRedis, type PrivateRedis } from '@plumbline/platform'
import { dispatch, moveRun } from '@plumbline/worker/move'

const root = join(import.meta.dirname, '..', '..')
type Said = Parameters<typeof reportOf>[1]

let server: PrivateRedis
let redis: RedisClient
let store: RedisRunStore
let gateway: Gateway
let client: Client

beforeAll(async () => {
  await promisify(execFile)(process.execPath, [join(root, 'tools', 'bootstrap', 'main.mjs'), 'build'])
  policies['once-only'] = { ...standard, name: 'once-only', maxRegenerations: 0, maxAugments: 0 }
  policies['asker-decides'] = { ...policies['once-only'], name: 'asker-decides', decider: 'asker' }
  server = await startPrivateRedis()
  redis = connectFailFast(server.url)
  await whenReady(redis, 5_000)
  store = openRedisRunStore({ redis })
  gateway = await createGateway({
    features: readFeatures({}).features,
    redisUrl: server.url,
    port: 0,
    apiKeys: 'desk-key-1:default:asker+reviewer,asks-key-1:default:asker,runs-key-1:default:admin',
    removePassages: () => Promise.resolve(),
  })
  client = createClient({ url: gateway.url, key: 'desk-key-1' })
  await createClient({ url: gateway.url, key: 'runs-key-1' }).putCollection('planets', {
    description: 'The planets and their moons.',
  })
}, 120_000)
afterAll(async () => {
  await gateway.close()
  await store.close()
  redis.disconnect()
  await server.stop()
})

/** Sends the given reports as workers would: each as soon as its task is open. */
const report = async (runId: string, ...said: Said[]): Promise<void> => {
  const queue = openBullMqJobQueue({ connection: redis })
  for (const one of said) {
    const isOpen = async () => (await store.load(runId))?.run.open.some(({ id }) => id === one.taskId)
    while (!(await isOpen())) await wait(20)
    const moved = await moveRun(store, runId, (run) => advance(run, reportOf(run, one)))
    if (moved.kind === 'moved') await dispatch({ store, queue }, moved.before, moved.after)
  }
  await queue.close()
}
const toDraft: Said[] = [toResearch, planned('How heavy is Mars?'), found('1.1', ['p1']), graded('1.1', { p1: good })]
const cheese = 'Mars is made of cheese [1].'
const toPark: Said[] = [
  ...toDraft,
  drafted(1, cheese),
  ungrounded(1, claim('unsupported', { text: 'Mars is made of cheese.', reason: 'No passage says so.' })),
]

const ask = (args: string[], env: Record<string, string> = {}) => {
  const child = spawn(process.execPath, [join(root, 'dist', 'cli', 'main.mjs'), 'ask', '--url', gateway.url, ...args], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', PLUMBLINE_KEY: 'desk-key-1', DATA_DIR: server.dir, ...env },
    stdio: 'pipe',
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const says = async (words: string): Promise<void> => {
    for (const until = Date.now() + 45_000; !output.includes(words); await wait(20))
      if (Date.now() > until) throw new Error(`It did not say "${words}":\n${output}`)
  }
  return {
    output: () => output,
    says,
    ended,
    type: (line: string) => void child.stdin.write(`${line}\n`),
    close: () => void child.stdin.end(),
    interrupt: () => void child.kill('SIGINT'),
  }
}
const newest = async (question: string): Promise<string> => {
  for (;;) {
    const run = (await client.runs({ limit: 20 })).items.find((item) => item.question === question)
    if (run) return run.id
    await wait(20)
  }
}

describe('one question', () => {
  it('streams what happens and ends with the cited answer', async () => {
    const terminal = ask(['How heavy is Mars now?'])
    await report(
      await newest('How heavy is Mars now?'),
      ...toDraft,
      drafted(1, 'Mars weighs 6.4e23 kg [1].'),
      checked(1),
    )
    expect(await terminal.ended).toBe(0)
    const told = terminal.output()
    for (const words of [
      'research in the documents: planets',
      '1 passage',
      'in Title p1',
      '1 of 1 relevant',
      '1 of 1 claim supported',
      'Mars weighs 6.4e23 kg [1].',
      '[1] Title p1',
    ])
      expect(told).toContain(words)
    expect(told.indexOf('checking')).toBeLessThan(told.indexOf('Mars weighs'))
    expect(told).not.toContain('\x1b')
  })

  it('with --trace has a line for each decision, with queries, grades and reasons', async () => {
    const terminal = ask(['--trace', 'How heavy is Mars, traced?'])
    await report(await newest('How heavy is Mars, traced?'), ...toDraft, drafted(1), checked(1))
    expect(await terminal.ended).toBe(0)
    for (const line of [
      /route +research in planets — About planets\./,
      /search +step 1\.1 "query 1\.1"/,
      /grade +step 1\.1 relevant high 0\.90 p1 Title p1 — It says so\./,
      /claim +draft 1 supported fact "A supported claim\." — Compared\. \[p1\]/,
      /end +answered \(answered\.checked\)/,
    ])
      expect(terminal.output()).toMatch(line)
  })

  it('is cancelled by Ctrl-C', async () => {
    const terminal = ask(['How heavy is Mars, if anybody waits?'])
    const id = await newest('How heavy is Mars, if anybody waits?')
    await report(id, toResearch)
    await terminal.says('research in the documents')
    terminal.interrupt()
    expect(await terminal.ended).toBe(130)
    expect(await client.run(id)).toMatchObject({ status: 'cancelled' })
  })
})

describe('a parked run', () => {
  const park = async (question: string, args: string[] = [], env: Record<string, string> = {}) => {
    const terminal = ask(['--policy', 'once-only', ...args, question], env)
    const id = await newest(question)
    await report(id, ...toPark)
    await terminal.says('> ')
    return { terminal, id }
  }

  it('shows the marked draft and its reasons, and is written again on y', async () => {
    const { terminal, id } = await park('What is Mars made of?')
    expect(terminal.output()).toContain('1 claim not supported')
    expect(terminal.output()).toContain('✗1 Mars is made of cheese.')
    expect(terminal.output()).toContain('No passage says so.')
    terminal.type('y')
    await report(id, drafted(2, 'Mars is made of rock [1].'), checked(2))
    expect(await terminal.ended).toBe(0)
    expect(terminal.output()).toContain('Mars is made of rock [1].')
  })

  it('passes the guidance on', async () => {
    const { terminal, id } = await park('What is Mars made of, with guidance?')
    terminal.type('nonsense')
    await terminal.says('Type one of these letters')
    terminal.type('g say what rock')
    await report(id, drafted(2, 'Mars is made of basalt [1].'), checked(2))
    expect(await terminal.ended).toBe(0)
    expect(
      (await store.ledger(id, null, 100)).map(({ event }) => event).find(({ type }) => type === 'decided'),
    ).toMatchObject({ action: 'retry', guidance: 'say what rock', by: expect.stringMatching(/^key-/) })
  })

  it('is released by a, and ended by n', async () => {
    const approved = await park('What is Mars made of, approved?')
    approved.terminal.type('a')
    expect(await approved.terminal.ended).toBe(0)
    expect(approved.terminal.output()).toContain(`\n${cheese}\n`)
    const ended = await park('What is Mars made of, ended?')
    ended.terminal.type('n')
    expect(await ended.terminal.ended).toBe(1)
    expect(await client.run(ended.id)).toMatchObject({ status: 'rejected' })
  })

  it('left alone stays parked, and is come back to by its id', async () => {
    const { terminal, id } = await park('What is Mars made of, later?')
    terminal.close()
    expect(await terminal.ended).toBe(3)
    expect(terminal.output()).toContain(`npm run ask -- --run ${id}`)
    const again = ask(['--run', id])
    await again.says('> ')
    again.type('n')
    expect(await again.ended).toBe(1)
  })

  it('shows an asker nothing of the draft', async () => {
    const terminal = ask(['--policy', 'once-only', 'What is Mars made of, asker?'], { PLUMBLINE_KEY: 'asks-key-1' })
    await report(await newest('What is Mars made of, asker?'), ...toPark)
    expect(await terminal.ended).toBe(3)
    expect(terminal.output()).toContain('A reviewer will decide about this draft.')
    expect(terminal.output()).not.toMatch(/cheese|Title p1|Text of p1/)
  })

  it('lets an asker who decides try again or end, without release', async () => {
    const terminal = ask(['--policy', 'asker-decides', 'What is Mars made of, mine?'], { PLUMBLINE_KEY: 'asks-key-1' })
    const id = await newest('What is Mars made of, mine?')
    await report(id, ...toPark)
    await terminal.says('> ')
    expect(terminal.output()).not.toMatch(/cheese|approve/)
    terminal.type('y')
    await report(id, drafted(2, 'Mars is made of rock [1].'), checked(2))
    expect(await terminal.ended).toBe(0)
    expect(terminal.output()).toContain('Mars is made of rock [1].')
  })
})

describe('a conversation', () => {
  it('keeps one thread, survives a refused question, and ends with -q', async () => {
    const terminal = ask(['--collection', 'nowhere'])
    await terminal.says('? ')
    terminal.type('Is anybody there?')
    await terminal.says('nowhere')
    terminal.type('-q')
    expect(await terminal.ended).toBe(0)
    const talk = ask([])
    for (const question of ['How heavy is Mars, first?', 'How heavy is Mars, second?']) {
      talk.type(question)
      await report(await newest(question), ...toDraft, drafted(1), checked(1))
    }
    talk.type('-q')
    expect(await talk.ended).toBe(0)
    const threads = await Promise.all(
      (await client.runs({ limit: 2 })).items.map(async ({ id }) => (await client.run(id)).threadId),
    )
    expect(threads[0]).toMatch(/^cli-/)
    expect(threads[1]).toBe(threads[0])
  })
})

describe('what goes wrong', () => {
  it('is answered with instructions', async () => {
    const tries: [string[], Record<string, string>, string][] = [
      [['--url', `http://127.0.0.1:${await freePort()}`, 'hi'], {}, 'npm start'],
      [['hi'], { PLUMBLINE_KEY: 'not-a-key-at-all' }, '--key'],
      [['--policy', 'nope', 'hi'], {}, 'no policy nope'],
      [['--run', 'r1'], {}, 'no such run'],
      [['  '], {}, 'Pass a question'],
      [['--frob'], {}, '--collection'],
    ]
    for (const [args, env, words] of tries) {
      const terminal = ask(args, env)
      expect([1, 2]).toContain(await terminal.ended)
      expect(terminal.output()).toContain(words)
      expect(terminal.output()).not.toMatch(/\n\s+at /)
    }
  })
})
