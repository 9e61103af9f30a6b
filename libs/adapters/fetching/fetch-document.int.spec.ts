import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allowedTargets } from './target'
import { fetchDocument, type FetchedDocument } from './fetch-document'

let server: Server
let host: string
let asked: string[] = []
const never = new AbortController().signal

/** Returns a header value in UTF-8 instead of Latin-1, as some servers send it. */
const utf8 = (header: string): string => Buffer.from(header).toString('latin1')
const packed = brotliCompressSync('packed')
const bomb = gzipSync(Buffer.alloc(50_000_000))
const answers: Record<string, RequestListener> = {
  '/guide.html': (_, response) =>
    response.writeHead(200, { 'content-type': 'text/HTML; charset=utf-8' }).end('<p>Hello'),
  '/plain': (_, response) =>
    response.writeHead(200, { 'content-disposition': 'attachment; filename="../../re port.pdf"' }).end('x'),
  '/utf8': (_, response) =>
    response.writeHead(200, { 'content-disposition': utf8('attachment; filename="Übersicht 中.pdf"') }).end('x'),
  '/latin1': (_, response) =>
    response.writeHead(200, { 'content-disposition': 'attachment; filename="Übersicht.pdf"' }).end('x'),
  '/star': (_, response) =>
    response
      .writeHead(200, { 'content-disposition': "attachment; filename=a.pdf; filename*=UTF-8''%C3%9Cbersicht.pdf" })
      .end('x'),
  '/gzip': (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('packed')),
  '/deflate': (_, response) => response.writeHead(200, { 'content-encoding': 'deflate' }).end(deflateSync('packed')),
  '/br': (_, response) => response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync('packed')),
  '/bomb': (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
  '/damaged': (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip at all'),
  '/damaged.br': (_, response) =>
    response.writeHead(200, { 'content-encoding': 'br' }).end(Buffer.from(packed).fill(0xff, 1, 5)),
  '/no-server': (request) => void request.socket.end('SSH-2.0-OpenSSH_9.6\r\n'),
  '/odd': (_, response) => response.writeHead(200, { 'content-encoding': 'constructor' }).end('x'),
  '/twice': (_, response) => response.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end(gzipSync(gzipSync('x'))),
  '/long': (_, response) => response.writeHead(200, { 'content-length': '2000000' }).end(),
  '/endless': (_, response) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write(Buffer.alloc(100_000)), 1)
    response.on('close', () => clearInterval(timer))
  },
  '/slow': (_, response) => void response.writeHead(200).write('x'),
  '/moved': (_, response) => response.writeHead(302, { location: '/guide.html' }).end(),
  '/moved-far': (_, response) => response.writeHead(302, { location: utf8('/übersicht') }).end(),
  '/%C3%BCbersicht': (_, response) => response.end('x'),
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
  server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.cookie ?? ''}${request.headers.authorization ?? ''}`)
    answers[request.url ?? '']?.(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
type Read = Omit<FetchedDocument, 'content' | 'close'> & { text: string }
const read = async (address: string, options: Partial<Parameters<typeof fetchDocument>[1]> = {}): Promise<Read> => {
  const { content, close, ...about } = await fetchDocument(address, {
    signal: never,
    maxBytes: 1_000_000,
    guard: { allowed: allowedTargets([host]) },
    ...options,
  })
  try {
    return { ...about, text: await text(content) }
  } finally {
    await close()
  }
}
const fetched = (path: string, options = {}): Promise<Read> => read(`http://${host}${path}`, options)

describe('a document at an address', () => {
  it('is fetched with the name and the type that its server states', async () => {
    const from = Date.now()
    const document = await fetched('/guide.html')
    expect(document).toEqual({
      name: 'guide.html',
      mediaType: 'text/html',
      text: '<p>Hello',
      url: `http://${host}/guide.html`,
      fetchedAt: expect.any(Number) as number,
    })
    expect(document.fetchedAt).toBeGreaterThanOrEqual(from)
  })

  it.each([
    ['/plain', 're port.pdf'],
    ['/star', 'Übersicht.pdf'],
    ['/utf8', 'Übersicht 中.pdf'],
    ['/latin1', 'Übersicht.pdf'],
  ])('is called what %s says, and never as a path', async (path, name) => {
    expect(await fetched(path)).toMatchObject({ name })
  })

  it.each(['/gzip', '/deflate', '/br'])('is unpacked: %s', async (path) => {
    expect(await fetched(path)).toMatchObject({ text: 'packed' })
  })

  it.each([
    ['/moved', '/guide.html', 'guide.html'],
    ['/moved-far', '/%C3%BCbersicht', 'übersicht'],
  ])('is followed where it has moved: %s', async (path, to, name) => {
    asked = []
    expect(await fetched(path)).toMatchObject({ url: `http://${host}${to}`, name })
    expect(asked).toEqual([`${path} `, `${to} `])
  })

  it.each([
    ['/bomb', 'too-large'],
    ['/long', 'too-large'],
    ['/endless', 'too-large'],
    ['/damaged', 'unreadable'],
    ['/damaged.br', 'unreadable'],
    ['/twice', 'unreadable'],
    ['/odd', 'unreadable'],
    ['/round', 'unreachable'],
    ['/404', 'unreachable'],
    ['/403', 'unreachable'],
    ['/no-server', 'unreachable'],
  ])('is refused in words: %s', async (path, reason) => {
    await expect(fetched(path)).rejects.toMatchObject({
      reason,
      retry: 'never',
      words: expect.stringMatching(/^\S.*\.$/) as string,
    })
  })

  it('can be retried if its server is down, slow or breaks off', async () => {
    await expect(fetched('/503')).rejects.toMatchObject({
      code: 'fetch.unavailable',
      retry: 'later',
      notBefore: expect.any(Number) as number,
    })
    await expect(fetched('/slow', { timeoutMs: 200 })).rejects.toMatchObject({ code: 'fetch.too-slow', retry: 'later' })
    await expect(fetched('/cut')).rejects.toMatchObject({ code: 'fetch.unreachable', retry: 'later' })
    const nobody = read('http://127.0.0.1:1/', { guard: { allowed: allowedTargets(['127.0.0.1:1']) } })
    await expect(nobody).rejects.toMatchObject({ code: 'fetch.unreachable', retry: 'later' })
  })

  it('fails at its time limit if no name server answers', async () => {
    const guard = { resolve: () => new Promise<never>(() => undefined) }
    await expect(read('http://public.example/', { guard, timeoutMs: 100 })).rejects.toMatchObject({
      code: 'fetch.too-slow',
      retry: 'later',
    })
    await expect(
      read('http://public.example/', { guard, signal: AbortSignal.abort(new Error('not wanted')) }),
    ).rejects.toThrow('not wanted')
  })

  it('stops when its caller aborts', async () => {
    const stop = new AbortController()
    const slow = fetched('/slow', { signal: stop.signal })
    setTimeout(() => stop.abort(new Error('not wanted')), 50)
    await expect(slow).rejects.toThrow('not wanted')
  })
})
