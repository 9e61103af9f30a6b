import { createServer, type Server, type ServerResponse } from 'node:http'
import type { Registry } from 'prom-client'

export type Health = { live(): boolean; ready(): string[]; registry: Registry }
export type HealthServer = { port: number; close(): Promise<void> }

const say = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const answer = async ({ live, ready, registry }: Health, path: string, response: ServerResponse): Promise<void> => {
  switch (path) {
    case '/livez': {
      const well = live()
      return say(response, well ? 200 : 503, { live: well })
    }
    case '/readyz': {
      const lacking = ready()
      return say(response, lacking.length === 0 ? 200 : 503, { ready: lacking.length === 0, lacking })
    }
    case '/metrics': {
      response.writeHead(200, { 'content-type': registry.contentType }).end(await registry.metrics())
      return
    }
    default:
      return say(response, 404, { paths: ['/livez', '/readyz', '/metrics'] })
  }
}

const listening = (server: Server, host: string, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new Error(`HEALTH_PORT ${port} is in use. Set a free port, or 0 for any free port`)
          : error,
      )
    })
    server.listen(port, host, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    })
  })

export const openHealthServer = async (health: Health, host: string, port: number): Promise<HealthServer> => {
  const server = createServer((request, response) => {
    answer(health, (request.url ?? '').split('?')[0] ?? '', response).catch(() => response.destroy())
  })
  const at = await listening(server, host, port)
  return {
    port: at,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
