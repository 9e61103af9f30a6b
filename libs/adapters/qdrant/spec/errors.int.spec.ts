import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onlyMethod } from '@plumbline/ports/passage-index/passage-index'
import { AppError } from '@plumbline/platform'
import { EnvError } from '@plumbline/platform/env'
import { startQdrantServer, type Fate, type QdrantServer } from '@plumbline/testing/qdrant-server/qdrant-server'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openQdrantPassageIndex, type QdrantPassageIndex } from '../qdrant-passage-index'
import { along, documentOf, never, passagesOf, scope } from './kit'

let server: QdrantServer
beforeAll(async () => void (server = await startQdrantServer()))
afterEach(() => server.reset())
afterAll(() => server.close())

const open = (): Promise<QdrantPassageIndex> => openQdrantPassageIndex({ url: server.url })
const query = { text: 'slate', vector: { space: 'one', values: along(1) } }
const calls: Record<string, (index: QdrantPassageIndex, signal: AbortSignal) => Promise<unknown>> = {
  search: (index, signal) => index.search(scope, query, onlyMethod('similarity', { k: 3 }), signal),
  write: (index, signal) => index.write('t', documentOf('d'), passagesOf('d', 'new', 3), signal),
  remove: (index, signal) => index.remove('t', 'd', signal),
  passages: (index, signal) => index.passages(scope, 'd', null, signal),
  count: (index, signal) => index.count(scope, signal),
  rebuild: (index, signal) => index.rebuild(signal),
}

describe.each(Object.entries(calls))('%s', (_, call) => {
  it.each<[string, Fate, 'later' | 'never', RegExp]>([
    ['a server that breaks', { status: 500, error: 'Service internal error' }, 'later', /500: Service internal error/],
    ['one that is overloaded', { status: 503, error: 'Unavailable' }, 'later', /503/],
    ['one that wants less', { status: 429, error: 'Rate limited', headers: { 'retry-after': '2' } }, 'later', /./],
    [
      'one that refuses',
      { status: 400, error: 'Wrong input: of some kind' },
      'never',
      /400: Wrong input: of some kind/,
    ],
    ['one that does not know us', { status: 403, error: 'Forbidden' }, 'never', /403/],
    ['a connection that breaks', 'broken', 'later', /./],
  ])('tells of %s', async (_name, fate, retry, words) => {
    const index = await open()
    await index.write('t', documentOf('d'), passagesOf('d', 'old', 3), never)
    server.watch(() => fate)
    const error = await call(index, never).then(
      () => null,
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(AppError)
    expect(error).toMatchObject({ code: 'index.failed', retry })
    expect(String((error as AppError).cause)).toMatch(words)
  })

  it('stops at once on its signal: before a call, and while the server is unresponsive', async () => {
    const index = await open()
    await index.write('t', documentOf('d'), passagesOf('d', 'old', 3), never)
    const stop = new AbortController()
    const silent = new Promise<void>((resolve) => server.watch(() => (resolve(), new Promise(() => undefined))))
    const waiting = call(index, stop.signal)
    await silent
    stop.abort(new Error('stop'))
    await expect(waiting).rejects.toThrow('stop')
    const asked = server.requests.length
    await expect(call(index, stop.signal)).rejects.toThrow('stop')
    expect(server.requests).toHaveLength(asked)
  })
})

describe('opening', () => {
  it('reports an unreachable address as a wrong setting', async () => {
    await expect(openQdrantPassageIndex({ url: 'http://127.0.0.1:2' })).rejects.toThrow(EnvError)
    await expect(openQdrantPassageIndex({ url: 'http://127.0.0.1:2' })).rejects.toThrow(
      'Qdrant at http://127.0.0.1:2 cannot be used: connect ECONNREFUSED 127.0.0.1:2. Check that Qdrant runs, and that QDRANT_URL and QDRANT_API_KEY are correct.',
    )
  })
  it('reports the reason even if the host name has several addresses', async () => {
    await expect(openQdrantPassageIndex({ url: 'http://localhost:2' })).rejects.toThrow(
      /^Qdrant at http:\/\/localhost:2 cannot be used: .*ECONNREFUSED/,
    )
  })
  it.each([
    ['https://127.0.0.2:443', 443],
    ['http://127.0.0.2:80/under', 80],
    ['http://a:1@127.0.0.2', 6_333],
    ['https://127.0.0.2/', 6_333],
  ])('goes to the port that is named, or to that of Qdrant: %s', async (url, port) => {
    await expect(openQdrantPassageIndex({ url })).rejects.toThrow(`connect ECONNREFUSED 127.0.0.2:${port}.`)
  })
  it('says when the server is too old', async () => {
    const old = await startQdrantServer({ version: '1.16.3' })
    await expect(openQdrantPassageIndex({ url: old.url })).rejects.toThrow(
      /has version 1\.16\.3; this index needs 1\.19 or newer/,
    )
    await old.close()
  })
  it('sends the API key, and reports a rejected key', async () => {
    const locked = await startQdrantServer({ apiKey: 'secret' })
    const index = await openQdrantPassageIndex({ url: locked.url, apiKey: 'secret' })
    expect(await index.count(scope, never)).toBe(0)
    expect(locked.requests.every(({ authorized }) => authorized)).toBe(true)
    const stranger = await openQdrantPassageIndex({ url: locked.url })
    await expect(stranger.count(scope, never)).rejects.toMatchObject({ retry: 'never', cause: { status: 401 } })
    await locked.close()
  })
  it('reports a server that is not Qdrant', async () => {
    const other = createServer((_, response) => response.end('<html>hello</html>')).listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    await expect(
      openQdrantPassageIndex({ url: `http://127.0.0.1:${(other.address() as AddressInfo).port}` }),
    ).rejects.toThrow(/has version unknown/)
    other.close()
    other.closeAllConnections()
  })
  it('rejects a prefix that could clash with another prefix', async () => {
    await expect(openQdrantPassageIndex({ url: server.url, prefix: 'a.space.b' })).rejects.toThrow(
      /Use up to 60 letters/,
    )
  })
  it('works behind a path, and stops on its signal', async () => {
    await expect(openQdrantPassageIndex({ url: `${server.url}/behind/here/` })).rejects.toThrow(/cannot be used/)
    expect(server.requests.at(-1)?.path).toBe('/behind/here/')
    const stop = new AbortController()
    stop.abort(new Error('stop'))
    await expect(openQdrantPassageIndex({ url: server.url, signal: stop.signal })).rejects.toThrow('stop')
  })
})
