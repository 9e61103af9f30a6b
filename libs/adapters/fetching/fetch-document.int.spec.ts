import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allowing } from './allowed'
import { fetchDocument } from './fetch-document'

let server: Server
let host: string
let dir: string
let asked: string[] = []
const never = new AbortController().signal

const bomb = gzipSync(Buffer.alloc(50_000_000))
const answers: Record<string, RequestListener> = {
  '/guide.html': (_, response) => response.writeHead(200, { 'content-type': 'text/HTML; charset=utf-8' }).end('<p>Hello'),
  '/plain': (_, response) => response.writeHead(200, { 'content-disposition': 'attachment; filename="../../re port.pdf"' }).end('x'),
  '/star': (_, response) => response.writeHead(200, { 'content-disposition': "attachment; filename=a.pdf; filename*=UTF-8''%C3%9Cbersicht.pdf" }).end('x'),
  '/gzip': (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('packed')),
  '/deflate': (_, response) => response.writeHead(200, { 'content-encoding': 'deflate' }).end(deflateSync('packed')),
  '/br': (_, response) => response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync('packed')),
  '/bomb': (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
  '/damaged': (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip at all'),
  '/twice': (_, response) => response.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end(gzipSync(gzipSync('x'))),
  '/long': (_, response) => response.writeHead(200, { 'content-length': '2000000' }).end(),
  '/endless': (_, response) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write(Buffer.alloc(100_000)), 1)
    response.on('close', () => clearInterval(timer))
  },
  '/slow': (_, response) => void response.writeHead(200).write('x'),
  '/moved': (_, response) => response.writeHead(302, { location: '/guide.html' }).end(),
  '/round': (_, response) => response.writeHead(301, { location: '/round' }).end(),
  '/404': (_, response) => response.writeHead(404).end(),
  '/403': (_, response) => response.writeHead(403).end(),
  '/503': (_, response) => response.writeHead(503, { 'retry-after': '60' }).end(),
  '/cut': (_, response) => {
    response.writeHead(200, { 'content-length': '1000' }).write('x')
    setTimeout(() => response.destroy(), 20)
  },
}

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'fetching-'))
  server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.cookie ?? ''}${request.headers.authorization ?? ''}`)
    answers[request.url ?? '']?.(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await rm(dir, { recursive: true })
})
const fetched = (path: string, options: { signal?: AbortSignal; timeoutMs?: number; maxBytes?: number } = {}) =>
  fetchDocument(`http://${host}${path}`, { signal: never, dir, maxBytes: 1_000_000, guard: { allowed: allowing([host]) }, ...options })

describe('a document at an address', () => {
  it('is brought to a file, with what its server says of it', async () => {
    const document = await fetched('/guide.html')
    expect(document).toMatchObject({ name: 'guide.html', mediaType: 'text/html', bytes: 8, url: `http://${host}/guide.html` })
    expect(await readFile(document.path, 'utf8')).toBe('<p>Hello')
    await document.remove()
    expect(existsSync(document.path)).toBe(false)
  })

  it.each([['/plain', 're port.pdf'], ['/star', 'Übersicht.pdf']])('is called what %s says, and never as a path', async (path, name) => {
    const document = await fetched(path)
    expect(document.name).toBe(name)
    await document.remove()
  })

  it.each(['/gzip', '/deflate', '/br'])('is unpacked: %s', async (path) => {
    const document = await fetched(path)
    expect(await readFile(document.path, 'utf8')).toBe('packed')
    await document.remove()
  })

  it('is followed where it has moved', async () => {
    asked = []
    const document = await fetched('/moved')
    expect([document.url, document.name, asked]).toEqual([`http://${host}/guide.html`, 'guide.html', ['/moved ', '/guide.html ']])
    await document.remove()
  })

  it.each([
    ['/bomb', 'too-large'], ['/long', 'too-large'], ['/endless', 'too-large'], ['/damaged', 'unreadable'], ['/twice', 'unreadable'],
    ['/round', 'unreachable'], ['/404', 'unreachable'], ['/403', 'unreachable'],
  ])('is refused in words: %s', async (path, reason) => {
    await expect(fetched(path)).rejects.toMatchObject({ reason, retry: 'never', words: expect.stringMatching(/^\S.*\.$/) as string })
  })

  it('is to be asked for again where its server is down, slow or breaks off', async () => {
    await expect(fetched('/503')).rejects.toMatchObject({ code: 'fetch.unavailable', retry: 'later', notBefore: expect.any(Number) as number })
    await expect(fetched('/slow', { timeoutMs: 200 })).rejects.toMatchObject({ code: 'fetch.too-slow', retry: 'later' })
    await expect(fetched('/cut')).rejects.toMatchObject({ code: 'fetch.unreachable', retry: 'later' })
    const nobody = fetchDocument('http://127.0.0.1:1/', { signal: never, dir, guard: { allowed: allowing(['127.0.0.1:1']) } })
    await expect(nobody).rejects.toMatchObject({ code: 'fetch.unreachable', retry: 'later' })
  })

  it('is given up when nobody wants it any more, and leaves no file behind', async () => {
    const stop = new AbortController()
    const slow = fetched('/slow', { signal: stop.signal })
    setTimeout(() => stop.abort(new Error('not wanted')), 50)
    await expect(slow).rejects.toThrow('not wanted')
    expect(await readdir(dir)).toEqual([])
  })
})
