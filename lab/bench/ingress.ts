import { Agent, request } from 'node:http'
import { createInterface } from 'node:readline'
import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { Queue } from 'bullmq'
import fastify from 'fastify'
import { Redis } from 'ioredis'
import { freePort } from '@plumbline/platform'

const body = JSON.stringify({
  question: 'How is the energy of the building read in three cases?',
  metadata: { source: 'bench' },
})

const key = 'a-key-of-bench'
export const asDeployed = { API_KEYS: `${key}:bench:asker`, TENANT_ASKS_PER_MINUTE: 'bench=10000000' }

export const serveBare = async (redisUrl: string): Promise<void> => {
  const connection = new Redis(redisUrl, { maxRetriesPerRequest: null, enableAutoPipelining: true })
  const queue = new Queue('asks', { connection, prefix: 'bare:{main}' })
  const app = fastify()
  app.post<{ Body: { question: string } }>('/v1/runs', async (asked, reply) => {
    const { id } = await queue.add('ask', asked.body, { removeOnComplete: true, removeOnFail: true })
    return reply.code(202).send({ id, status: 'queued', question: asked.body.question })
  })
  const port = await freePort()
  await app.listen({ port, host: '127.0.0.1' })
  console.log(`listening ${port}`)
}

type Server = { port: number; pid: number; stop(): Promise<void> }
const started = (child: ChildProcess, port: number): Server => ({
  port,
  pid: child.pid ?? 0,
  stop: async () => {
    const exit = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await exit
  },
})

export const startBare = async (redisUrl: string): Promise<Server> => {
  const child = spawn(process.execPath, [process.argv[1] ?? '', 'bare', redisUrl], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: child.stdout })) {
    const port = /^listening (\d+)/.exec(line)?.[1]
    if (port) return started(child, Number(port))
  }
  throw new Error('the bare server did not start')
}

export const startGateway = async (redisUrl: string, settings: Record<string, string>): Promise<Server> => {
  const port = await freePort()
  const own = { REDIS_URL: redisUrl, PORT: `${port}`, HOST: '127.0.0.1', LOG_LEVEL: 'error' }
  const env = { ...process.env, ...settings, ...own }
  const child = spawn(process.execPath, [join(import.meta.dirname, '../gateway/main.mjs')], { stdio: 'inherit', env })
  for (let tries = 0; tries < 300; tries++) {
    const up = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    )
    if (up) return started(child, port)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('the gateway did not start')
}

const post = (agent: Agent, port: number, more: Record<string, string>): Promise<number> =>
  new Promise((resolve, reject) => {
    const call = request(
      {
        agent,
        port,
        host: '127.0.0.1',
        path: '/v1/runs',
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'x-api-key': key,
          ...more,
        },
      },
      (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode ?? 0))
      },
    )
    call.once('error', reject).end(body)
  })

const connections = 50
export const load = async (
  port: number,
  count: number,
  headers: () => Record<string, string> = () => ({}),
): Promise<number> => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  let sent = 0
  const lane = async (): Promise<void> => {
    while (sent < count) {
      sent++
      const status = await post(agent, port, headers())
      if (status !== 202) throw new Error(`an ask was answered ${status}`)
    }
  }
  const from = performance.now()
  await Promise.all(Array.from({ length: connections }, lane))
  agent.destroy()
  return count / ((performance.now() - from) / 1_000)
}

export const measureIngress = async (
  who: 'ours' | 'bare',
  redisUrl: string,
  count: number,
): Promise<{ asksPerSecond: number }> => {
  const server = await (who === 'ours' ? startGateway(redisUrl, asDeployed) : startBare(redisUrl))
  await load(server.port, count)
  const asksPerSecond = await load(server.port, count)
  await server.stop()
  return { asksPerSecond }
}
