import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

const listening = (server: Server): Promise<number> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)))

/** Cuts the connection that receives byte number `bytes`, counted over all connections. */
export const openCuttingProxy = async (port: number, bytes: number) => {
  const open = new Set<Socket>()
  let left = bytes
  const pass =
    (inside: Socket, outside: Socket) =>
    (chunk: Buffer): void => {
      if (left < 0 || chunk.length < left) {
        left -= left < 0 ? 0 : chunk.length
        outside.write(chunk)
        return
      }
      outside.write(chunk.subarray(0, left), () => outside.destroy())
      left = -1
      inside.destroy()
    }
  const server = createServer((outside) => {
    const inside = connect(port, '127.0.0.1')
    for (const socket of [inside, outside]) {
      open.add(socket)
      socket.on('error', () => undefined).once('close', () => open.delete(socket))
    }
    inside.on('data', pass(inside, outside)).once('close', () => outside.destroy())
    outside.on('data', (chunk) => inside.write(chunk)).once('close', () => inside.destroy())
  })
  const at = await listening(server)
  const close = (): void => {
    server.close()
    open.forEach((socket) => socket.destroy())
  }
  return { url: `http://127.0.0.1:${at}`, cut: () => left < 0, close }
}
