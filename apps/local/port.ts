import { createServer } from 'node:net'
import { Fault } from './fault'

const reasons: Record<string, (host: string, port: number) => string> = {
  EADDRINUSE: (host, port) =>
    `Port ${port} on ${host} is taken by another program.\nStop that program, or choose another port: PORT=${port === 65_535 ? 3_000 : port + 1} npm start`,
  EACCES: (_, port) =>
    `Port ${port} may not be used without more rights.\nChoose a port above 1023: PORT=3000 npm start`,
  EADDRNOTAVAIL: (host) => `HOST=${host} is not an address of this machine.\nLeave HOST out to listen on 127.0.0.1.`,
}

/** Looked at before anything is started, so that a taken port costs no time and leaves nothing behind. */
export const portIsFree = (host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => {
      const say = reasons[error.code ?? '']
      reject(say ? new Fault(say(host, port)) : error)
    })
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve()))
  })
