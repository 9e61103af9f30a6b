import type { StreamEvent } from '@plumbline/contracts'

export const frameOf = (name: string, data: object, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
export const frame = (event: StreamEvent, id?: string): string => frameOf(event.type, event, id)
export const beat = ': beat\n\n'

type Socket = {
  write(text: string): boolean
  once(event: 'drain' | 'close', listener: () => void): unknown
  off(event: 'drain' | 'close', listener: () => void): unknown
  destroyed: boolean
  destroy(): unknown
}

/** Writes one frame and waits until it is taken: nothing piles up here. A reader that takes too long is dropped. */
export const writer =
  (socket: Socket, slowMs: number) =>
  (text: string): Promise<boolean> => {
    if (socket.destroyed) return Promise.resolve(false)
    if (socket.write(text)) return Promise.resolve(true)
    return new Promise((resolve) => {
      const settle = (alive: boolean) => (): void => {
        clearTimeout(timer)
        socket.off('drain', drained)
        socket.off('close', closed)
        resolve(alive)
      }
      const drained = settle(true)
      const closed = settle(false)
      const timer = setTimeout(() => {
        socket.destroy()
        closed()
      }, slowMs)
      socket.once('drain', drained)
      socket.once('close', closed)
    })
  }
