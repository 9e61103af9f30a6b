import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Starts a server on this machine. It keeps idle connections for a long time, because a client might reuse a connection
 * that the server has just closed.
 */
export const onLoopback = async (server: Server): Promise<{ url: string; close(): Promise<void> }> => {
  server.keepAliveTimeout = 300_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
