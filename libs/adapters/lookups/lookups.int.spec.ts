import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lookupContract } from '@plumbline/ports/lookup.contract'
import { openLookups } from './open-lookups'
import { readLookups } from './lookups-file'

const never = new AbortController().signal
const harbour = { name: 'harbour', description: 'A harbour.', values: ['Aldwick', 'New Corvey'] }
const shared = {
  description: 'Ships in a harbour.',
  tenants: ['default'],
  collections: ['harbours'],
  params: [harbour],
}
const ships = [
  { name: 'Nora', tonnes: 400 },
  { name: 'Ida | Lund', tonnes: 120 },
]

let folder: string
let server: Server
let base: string
const paths: string[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lookups-'))
  const db = new DatabaseSync(join(folder, 'ships.sqlite'))
  db.exec('CREATE TABLE ships (name TEXT, tonnes INTEGER, harbour TEXT); CREATE TABLE many (n INTEGER)')
  for (const { name, tonnes } of ships) db.prepare('INSERT INTO ships VALUES (?, ?, ?)').run(name, tonnes, 'Aldwick')
  for (let n = 0; n < 9; n += 1) db.prepare('INSERT INTO many VALUES (?)').run(n)
  db.close()
  server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://here')
    paths.push(`${request.headers['x-key'] ?? ''} ${request.url}`)
    const json = (value: unknown) => response.setHeader('content-type', 'application/json').end(JSON.stringify(value))
    if (url.pathname === '/ships/Aldwick') json({ data: { items: ships } })
    else if (url.pathname === '/ships/New%20Corvey') json({ data: { items: [] } })
    else if (url.pathname === '/text')
      response.setHeader('content-type', 'text/plain').end(`  Storm\nwarning ${'x'.repeat(9_000)}`)
    else if (url.pathname === '/moved') response.writeHead(302, { location: '/ships/Aldwick' }).end()
    else if (url.pathname === '/large') json({ data: { items: [{ name: 'x'.repeat(600_000) }] } })
    else if (url.pathname === '/wrong') json({ data: 'none' })
    else if (url.pathname === '/down') response.writeHead(503).end()
    else if (url.pathname !== '/silent') response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await rm(folder, { recursive: true })
})

const declare = async (...lookups: unknown[]): Promise<string> => {
  const file = join(folder, `lookups-${Math.random().toString(36).slice(2)}.yaml`)
  await writeFile(file, JSON.stringify({ lookups }))
  return file
}
const open = async (lookup: Record<string, unknown>, env: Record<string, string> = { FLEET_KEY: 'secret' }) =>
  (await openLookups(readLookups(await declare({ name: 'ships', ...shared, ...lookup }), env)))[0]!
const sql = (query: string, more: Record<string, unknown> = {}) =>
  open({ kind: 'sql', file: 'ships.sqlite', query, ...more })
const http = (path: string, more: Record<string, unknown> = {}) =>
  open({ kind: 'http', url: `${base}${path}`, rows: 'data.items', ...more })
const fault = async (lookup: Record<string, unknown>): Promise<string> =>
  open(lookup).then(
    () => '',
    (error: Error) => error.message,
  )

lookupContract('sql', () => sql('SELECT name, tonnes FROM ships WHERE harbour = :harbour ORDER BY tonnes DESC'))
lookupContract('http', () => http('/ships/{harbour}'))

describe('sql lookups', () => {
  const bare = { params: [] }
  it('bring no more rows than they may', async () =>
    expect(await (await sql('SELECT n FROM many', { ...bare, maxRows: 4 })).look({}, never)).toMatchObject({
      rows: [['0'], ['1'], ['2'], ['3']],
      cut: true,
    }))

  it('end with their time, however long the query would run', async () => {
    const endless = await sql(
      'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c',
      { ...bare, timeoutMs: 400 },
    )
    await expect(endless.look({}, never)).rejects.toMatchObject({ code: 'lookup.too-slow', retry: 'later' })
  })

  it.each([
    ['DELETE FROM ships', /one SELECT/],
    ['SELECT 1; DROP TABLE ships', /one SELECT/],
    ['WITH x AS (SELECT 1) DELETE FROM ships', /not authorized|prohibited/],
    ['SELECT * FROM nowhere', /no such table/],
    ["SELECT load_extension('x')", /not authorized|no such function/],
  ])('cannot be: %s', async (query, said) =>
    expect(await fault({ kind: 'sql', file: 'ships.sqlite', query, params: [] })).toMatch(said),
  )

  it('say when their file is not there', async () =>
    expect(await fault({ kind: 'sql', file: 'nowhere.sqlite', query: 'SELECT 1', params: [] })).toMatch(
      /ships cannot be used: unable to open/,
    ))
})

describe('http lookups', () => {
  const bare = { params: [] }
  it('encode values, and send headers from the environment', async () => {
    await (
      await http('/ships/{harbour}?for={harbour}', { headers: { 'x-key': '$FLEET_KEY' } })
    ).look({ harbour: 'New Corvey' }, never)
    expect(paths.at(-1)).toBe('secret /ships/New%20Corvey?for=New%20Corvey')
  })

  it('send what a file holds that the environment names', async () => {
    const file = join(folder, 'fleet-key')
    await writeFile(file, 'from-a-file\n')
    const declared = { kind: 'http', url: `${base}/text`, headers: { 'x-key': '$FLEET_KEY' }, ...bare }
    await (await open(declared, { FLEET_KEY_FILE: file })).look({}, never)
    expect(paths.at(-1)).toBe('from-a-file /text')
    await expect(open(declared, { FLEET_KEY_FILE: file, FLEET_KEY: 'x' })).rejects.toThrow('is also set by')
  })

  it('bring plain text, cut', async () => {
    const looked = await (await http('/text', bare)).look({}, never)
    expect(looked).toMatchObject({ kind: 'text', text: expect.stringMatching(/^Storm warning x+$/) as string })
    expect(looked.kind === 'text' && looked.text.length).toBe(4_000)
  })

  it('go up no path', async () => {
    const lookup = await http('/ships/{harbour}', { params: [{ name: 'harbour', description: 'Any.', pattern: '.*' }] })
    await expect(lookup.look({ harbour: '..' }, never)).rejects.toMatchObject({ code: 'lookup.bad-value' })
    await expect(lookup.look({ harbour: '../text' }, never)).rejects.toMatchObject({ code: 'lookup.refused' })
    expect(paths.at(-1)).toBe(' /ships/..%2Ftext')
  })

  it.each([
    ['/moved', 'lookup.unreachable', 'later'],
    ['/large', 'lookup.too-large', 'never'],
    ['/wrong', 'lookup.malformed', 'never'],
    ['/down', 'lookup.refused', 'later'],
    ['/nowhere', 'lookup.refused', 'never'],
    ['/silent', 'lookup.too-slow', 'later'],
  ])('fail with a word: %s', async (path, code, retry) => {
    await expect((await http(path, { ...bare, timeoutMs: 300 })).look({}, never)).rejects.toMatchObject({ code, retry })
  })
})

describe('the file', () => {
  it.each<[string, Record<string, unknown>, RegExp]>([
    ['a host with a gap', { kind: 'http', url: 'https://{harbour}.example.org/' }, /in the path or the query only/],
    [
      'credentials in the address',
      { kind: 'http', url: 'https://a:b@example.org/{harbour}' },
      /in the path or the query only/,
    ],
    ['another protocol', { kind: 'http', url: 'file:///etc/{harbour}' }, /in the path or the query only/],
    [
      'a gap without a parameter',
      { kind: 'http', url: 'https://example.org/{harbour}/{ship}' },
      /“ship” is used, but no parameter/,
    ],
    ['a parameter without a gap', { kind: 'http', url: 'https://example.org/' }, /“harbour” is not used/],
    [
      'a parameter that takes anything',
      { kind: 'http', url: 'https://example.org/{harbour}', params: [{ name: 'harbour', description: 'x' }] },
      /give a pattern or values/,
    ],
    [
      'a pattern that is none',
      {
        kind: 'http',
        url: 'https://example.org/{harbour}',
        params: [{ name: 'harbour', description: 'x', pattern: '(' }],
      },
      /not a valid regular expression/,
    ],
    ['no tenant', { kind: 'http', url: 'https://example.org/{harbour}', tenants: [] }, /name the tenants/],
    ['a field nobody knows', { kind: 'http', url: 'https://example.org/{harbour}', method: 'POST' }, /method/],
    [
      'a variable that is not set',
      { kind: 'http', url: 'https://example.org/{harbour}', headers: { 'x-key': '$NOBODY' } },
      /\$NOBODY, which is not set in the environment/,
    ],
  ])('has no %s', async (_, lookup, said) => expect(await fault(lookup)).toMatch(said))

  it('names each lookup once', async () => {
    const one = { name: 'a', ...shared, kind: 'http', url: 'https://example.org/{harbour}' }
    const file = await declare(one, one)
    expect(() => readLookups(file)).toThrow(/“a” is the name of two lookups: rename one of them/)
  })

  it('is there', () => expect(() => readLookups('/nowhere/lookups.yaml')).toThrow(/cannot be read/))
})
