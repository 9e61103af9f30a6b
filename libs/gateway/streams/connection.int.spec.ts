import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Connection, connectionOf } from './connection'

const begun = (raw: ServerResponse): Connection => {
  raw.writeHead(200, { connection: 'close' })
  raw.write('one ')
  return connectionOf(raw)
}

let answer: (request: IncomingMessage, raw: ServerResponse) => void
let clients: Socket[]
const server = createServer((request, raw) => answer(request, raw))
beforeEach(async () => {
  clients = []
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(async () => {
  clients.forEach((client) => client.destroy())
  server.close()
  await once(server, 'close')
})

/** Sends the text over a new connection, and records the response. */
const send = (text: string) => {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const heard = { socket, text: '' }
  socket.setEncoding('utf8').on('data', (piece: string) => (heard.text += piece))
  socket.write(text)
  clients.push(socket)
  return heard
}
const get = 'GET / HTTP/1.1\r\nhost: here\r\n\r\n'
/** Returns the server side of the next connection. */
const nextConnection = (): Promise<Connection> =>
  new Promise((resolve) => (answer = (_request, raw) => setImmediate(() => resolve(begun(raw)))))

describe('the connection of a stream', () => {
  it('sends each text as an HTTP chunk, and the last chunk at the end', async () => {
    answer = (_request, raw) =>
      setImmediate(() => {
        const connection = begun(raw)
        connection.write('zwei — ')
        connection.end('three')
      })
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    expect(await response.text()).toBe('one zwei — three')
  })

  it('can be taken while the request is being read', async () => {
    answer = (_request, raw) => begun(raw).end()
    const client = send(get)
    await once(client.socket, 'close')
    expect(client.text).toMatch(/one \r\n0\r\n\r\n$/)
  })

  it('emits `close` on the response at once', async () => {
    let closed = 0
    answer = (_request, raw) => {
      raw.once('close', () => (closed += 1))
      begun(raw)
    }
    const client = send(get)
    await once(client.socket, 'data')
    expect(closed).toBe(1)
  })

  it('keeps neither the request nor the response in memory', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    let left = 2
    const registry = new FinalizationRegistry(() => (left -= 1))
    const connections: Connection[] = []
    const take = (request: IncomingMessage, raw: ServerResponse): void => {
      registry.register(request, 'request')
      registry.register(raw, 'answer')
      connections.push(begun(raw))
    }
    answer = take
    await once(send(get).socket, 'data')
    await expect
      .poll(() => {
        collect()
        return left
      })
      .toBe(0)
    expect(connections[0]?.destroyed).toBe(false)
  })

  it('ignores further requests of its client', async () => {
    let asked = 0
    answer = (_request, raw) => {
      asked += 1
      begun(raw).write('two')
    }
    const client = send(get)
    await expect.poll(() => client.text).toContain('two')
    client.socket.write(get)
    client.socket.end()
    await once(client.socket, 'close')
    expect(asked).toBe(1)
  })

  it('closes with its client', async () => {
    const next = nextConnection()
    const client = send(get)
    const connection = await next
    const closed = new Promise<void>((resolve) => connection.once('close', resolve))
    client.socket.resetAndDestroy()
    await closed
    expect(connection.destroyed).toBe(true)
  })

  it.each([
    ['of a client without chunks', 'GET / HTTP/1.0\r\n\r\n', /\r\n\r\none two$/],
    ['of a client that wants the head only', 'HEAD / HTTP/1.1\r\nhost: here\r\n\r\n', /\r\n\r\n$/],
  ])('stays with the server, %s', async (_which, text, heard) => {
    answer = (_request, raw) => begun(raw).end('two')
    const client = send(text)
    await once(client.socket, 'close')
    expect(client.text).toMatch(heard)
  })

  it('stays with the server while an earlier response is not sent yet', async () => {
    const answers: ServerResponse[] = []
    answer = (_request, raw) => answers.push(raw)
    const client = send(get + get)
    await expect.poll(() => answers.length).toBe(2)
    const [first, second] = answers as [ServerResponse, ServerResponse]
    const connection = begun(second)
    first.end('first ')
    connection.end('two')
    await once(client.socket, 'close')
    expect(client.text).toMatch(/first .*one .*two/s)
  })
})
