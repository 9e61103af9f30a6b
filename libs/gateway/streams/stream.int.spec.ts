import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { silent } from '@plumbline/platform'
import { fastify } from 'fastify'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Metrics } from '../ops/metrics.service'
import type { Common, DocumentPorts, ReviewPorts, RunPorts } from '../ports'
import { bounds } from '../settings'
import { openHub } from './hub'
import { Streams, writer } from './stream'

let server: Server
const accepted: ((socket: Socket) => void)[] = []
beforeAll(async () => {
  server = createServer((socket) => accepted.shift()?.(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => void server.close())

const pair = async (): Promise<{ ours: Socket; reader: Socket }> => {
  const ours = new Promise<Socket>((resolve) => accepted.push(resolve))
  const reader = connect((server.address() as AddressInfo).port, '127.0.0.1').pause()
  return { ours: await ours, reader }
}
const frame = 'x'.repeat(100_000)

describe('a writer', () => {
  it('disconnects a reader that receives nothing, and stores at most one frame for that reader', async () => {
    const { ours, reader } = await pair()
    const write = writer(ours, 200)
    let taken = 0
    while (await write(frame)) taken += 1
    expect(ours.destroyed).toBe(true)
    expect(ours.writableLength).toBeLessThanOrEqual(2 * frame.length)
    expect(taken).toBeGreaterThan(0)
    expect(await write(frame)).toBe(false)
    reader.destroy()
  })

  it('waits for a slow reader and continues', async () => {
    const { ours, reader } = await pair()
    const write = writer(ours, 5_000)
    let read = 0
    setTimeout(() => reader.on('data', (chunk) => (read += chunk.length)).resume(), 300)
    for (let n = 0; n < 100; n += 1) expect(await write(frame)).toBe(true)
    await expect.poll(() => read).toBe(100 * frame.length)
    reader.destroy()
    ours.destroy()
  })

  it('ends with a reader that goes away', async () => {
    const { ours, reader } = await pair()
    const write = writer(ours, 5_000)
    setTimeout(() => reader.destroy(), 100)
    ours.on('error', () => undefined)
    while (await write(frame));
    expect(ours.destroyed).toBe(true)
  })
})

describe('a gateway that stops', () => {
  it('does not wait for a reader that receives nothing', async () => {
    const hub = openHub({
      subscribe: async () => async () => undefined,
      onReconnect: () => () => undefined,
      log: silent,
    })
    const common = { registry: new Registry(), log: silent } as unknown as Common
    const hubs = { runHub: hub, documentHub: hub, deskHub: hub } as unknown as RunPorts & ReviewPorts & DocumentPorts
    const streams = new Streams(new Metrics(common), common, hubs, hubs, hubs)
    const { promise: full, resolve: isFull } = Promise.withResolvers<void>()
    const app = fastify({ forceCloseConnections: true })
    app.get('/', (request, reply) =>
      streams.answer('tenant', request, reply, async ({ write }) => {
        for (let taking = write(frame); ; taking = write(frame)) {
          const waited = await Promise.race([taking, new Promise((resolve) => setTimeout(resolve, 200, 'waits'))])
          if (waited === 'waits') isFull()
          if (!(await taking)) return
        }
      }),
    )
    await app.listen({ port: 0, host: '127.0.0.1' })
    const reader = connect((app.server.address() as AddressInfo).port, '127.0.0.1').pause()
    reader.write('GET / HTTP/1.1\r\nhost: here\r\n\r\n')
    await full
    const from = performance.now()
    await streams.beforeApplicationShutdown()
    await app.close()
    expect(performance.now() - from).toBeLessThan(bounds.slowReaderMs - bounds.farewellMs)
    reader.destroy()
  })
})
