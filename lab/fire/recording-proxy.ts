import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'

/** Matches one message in the bytes that Redis sends to a subscriber. The groups are channel and payload. */
const message = /[*>]3\r\n\$7\r\nmessage\r\n\$\d+\r\n(.*)\r\n\$\d+\r\n(.*)\r\n/g

/** Records all bytes that Redis sends to the subscriber connections of one process. */
export const openRecordingProxy = async () => {
  const open = new Set<Socket>()
  const heard: string[][] = []
  let redisPort = 0
  const server = createServer((process) => {
    const redis = connect(redisPort, '127.0.0.1')
    let received: string[] | undefined
    for (const socket of [process, redis]) {
      open.add(socket)
      socket.on('error', () => undefined).once('close', () => open.delete(socket))
    }
    process.on('data', (chunk: Buffer) => {
      if (!received && /\r\np?subscribe\r\n/i.test(chunk.toString('latin1'))) heard.push((received = []))
      redis.write(chunk)
    })
    redis.on('data', (chunk: Buffer) => {
      received?.push(chunk.toString('latin1'))
      process.write(chunk)
    })
    process.once('close', () => redis.destroy())
    redis.once('close', () => process.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    /** Returns the proxy URL that the process uses instead of the Redis URL. */
    to: (redisUrl: string): string => {
      redisPort = Number(new URL(redisUrl).port)
      return `redis://127.0.0.1:${(server.address() as AddressInfo).port}`
    },
    subscribers: () => heard.length,
    messages: (): { channel: string; payload: string }[] =>
      heard.flatMap((received) =>
        [...received.join('').matchAll(message)].map(([, channel = '', payload = '']) => ({ channel, payload })),
      ),
    close: (): void => {
      server.close()
      open.forEach((socket) => socket.destroy())
    },
  }
}
export type RecordingProxy = Awaited<ReturnType<typeof openRecordingProxy>>
