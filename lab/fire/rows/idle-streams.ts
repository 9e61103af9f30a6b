import { connect, type Socket } from 'node:net'
import { createClient } from '@plumbline/client'
import { openFilesLimit } from '@plumbline/platform/open-files'
import { residentMb, watchMemory } from '@plumbline/testing/processes'
import { seconds, type Row } from '../row'
import { pause, until } from '../wait'
import { inWorld, type World } from '../world'

const tenants = ['big', 'small']
const keyOf = (n: number): string => `key-of-${tenants[n % tenants.length]}`
const env = { API_KEYS: tenants.map((tenant) => `key-of-${tenant}:${tenant}:asker+admin`).join(',') }
const together = 50

const inTurn = async <T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> => {
  const done: T[] = []
  for (let n = 0; n < count; n += together)
    done.push(...(await Promise.all(Array.from({ length: Math.min(together, count - n) }, (_, at) => work(n + at)))))
  return done
}

type Stream = { socket: Socket; heard: number; isOver: boolean }

/** Discards the data, so that the client needs little memory beside the measured gateway. */
const listen = (port: number, path: string, key: string): Promise<Stream> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const stream: Stream = { socket, heard: 0, isOver: false }
    const head = [
      `GET ${path} HTTP/1.1`,
      'host: 127.0.0.1',
      `authorization: Bearer ${key}`,
      'accept: text/event-stream',
    ]
    socket.write([...head, 'cache-control: no-cache', '', ''].join('\r\n'))
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      const text = chunk.toString()
      stream.heard += text.includes(': beat') ? 1 : 0
      stream.isOver ||= text.includes('cancelled')
      if (text.includes('event: asked')) resolve(stream)
      else if (/^HTTP\/1.1 [45]/.test(text)) reject(new Error(text))
    })
  })

const openMany = async ({ url, gateway }: World, count: number) => {
  const port = Number(new URL(url).port)
  const ask = async (n: number): Promise<string> =>
    (await createClient({ url, key: keyOf(n) }).ask({ question: `What does document ${n} say?` })).id
  const ids = await inTurn(count, ask)
  // Wait, so that the memory used by the questions is not counted as memory of the streams.
  await pause(2_000)
  const before = residentMb(gateway.pid)
  const memory = watchMemory(gateway.pid)
  const from = performance.now()
  const streams = await inTurn(count, (n) => listen(port, `/v1/runs/${ids[n]}/events`, keyOf(n)))
  return { ids, streams, openedMs: performance.now() - from, added: () => memory.stop() - before }
}

/** `mostMb` limits the gateway's memory growth, a part of which does not depend on the number of streams. */
const sizes = { full: { count: 10_000, mostMb: 150 }, short: { count: 2_000, mostMb: 50 } }

export const L14: Row = {
  id: 'L14',
  promise:
    '10,000 idle event streams of as many runs add ≤ 150 MB to one gateway; each hears a beat, and what happens to its run within 2 s',
  run: (scale) => {
    const { count, mostMb } = sizes[scale]
    if (openFilesLimit() < count * 1.4) throw new Error(`${count} streams need ulimit -n ${count * 1.4}`)
    return inWorld({ workers: 0, env }, async (world) => {
      const { ids, streams, openedMs, added } = await openMany(world, count)
      const full = scale === 'full'
      if (full) await until('each hears a beat', () => streams.every(({ heard }) => heard > 0), 40_000)
      else await pause(3_000)
      const chosen = [0, Math.floor(count / 2), count - 1]
      const told: number[] = []
      for (const n of chosen) {
        await createClient({ url: world.url, key: keyOf(n) }).cancel(ids[n] ?? '')
        told.push(await until('the end is told', () => streams[n]?.isOver === true, 10_000))
      }
      const more = added()
      streams.forEach(({ socket }) => socket.destroy())
      return {
        holds: more <= mostMb && Math.max(...told) <= 2_000,
        figures: {
          streams: streams.length,
          'opened in': seconds(openedMs),
          'memory added': `${more.toFixed(0)} MB, ${((more * 1_024) / count).toFixed(1)} KB each`,
          'an end is told in': seconds(Math.max(...told)),
          ...(full && { 'heard a beat': streams.filter(({ heard }) => heard > 0).length }),
        },
      }
    })
  },
}
