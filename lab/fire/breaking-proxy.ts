import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export const openBreakingProxy = async () => {
  const pairs = new Set<[Socket, Socket]>()
  let port = 0
  let isHeld = false
  const hold = (pair: [Socket, Socket]): void => pair.forEach((socket) => socket.pause())
  const server = createServer((outside) => {
    const inside = connect(port, '127.0.0.1')
    const pair: [Socket, Socket] = [outside, inside]
    pairs.add(pair)
    for (const [from, to] of [pair, [inside, outside]] as const) {
      from.on('error', () => undefined)
      from.on('data', (chunk: Buffer) => to.write(chunk))
      from.once('close', () => (pairs.delete(pair), to.destroy()))
    }
    if (isHeld) hold(pair)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = (): void => pairs.forEach((pair) => pair.forEach((socket) => socket.destroy()))
  return {
    /** Returns the proxy URL that a process uses instead of the Redis URL. */
    to: (redisUrl: string): string => {
      port = Number(new URL(redisUrl).port)
      return `redis://127.0.0.1:${(server.address() as AddressInfo).port}`
    },
    cut,
    /** Stops passing data. The returned function lets data pass again. */
    blackhole: (): (() => void) => {
      isHeld = true
      pairs.forEach(hold)
      return () => {
        isHeld = false
        pairs.forEach((pair) => pair.forEach((socket) => socket.resume()))
      }
    },
    close: (): void => {
      server.close()
      cut()
    },
  }
}
