import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lookupContract } from '@plumbline/ports/lookup.contract'
import { allowedTargets } from '../fetching/target'
import { openLookups } from './open-lookups'
import { readLookupCards, readLookups } from './lookups-file'

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
const bodies: string[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lookups-'))
  const db = new DatabaseSync(join(folder, 'ships.sqlite'))
  db.exec('CREATE TABLE ships (name TEXT, tonnes INTEGER, harbour TEXT); CREATE TABLE many (n INTEGER)')
  for (const { name, tonnes } of ships) db.prepare('INSERT INTO ships VALUES (?, ?, ?)').run(name, tonnes, 'Aldwick')
  for (let n = 0; n < 9; n += 1) db.prepare('INSERT INTO many VALUES (?)').run(n)
  db.close()
  server = createServer((request, response) => {
    if (request.method === 'POST')
      return void text(request).then((body) => {
        bodies.push(`${request.headers['content-type']} ${body}`)
        const items = body.includes('Aldwick') ? ships : []
        response.setHeader('content-type', 'application/json').end(JSON.stringify({ data: { items } }))
      })
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
const ports = { guard: { allowed: allowedTargets(['127.0.0.1']) }, log: { warn: () => undefined } }
const open = async (lookup: Record<string, unknown>, env: Record<string, string> = { FLEET_KEY: 'secret' }) =>
  (await openLookups(readLookups(await declare({ name: 'ships', ...shared, ...lookup }), env), ports))[0]!
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
lookupContract('http post', () => http('/search', { body: { where: { harbour: '{harbour}' } } }))

describe('sql lookups', () => {
  const bare = { params: [] }
  it('return no more rows than their limit', async () =>
    expect(await (await sql('SELECT n FROM many', { ...bare, maxRows: 4 })).look({}, never)).toMatchObject({
      rows: [['0'], ['1'], ['2'], ['3']],
      cut: true,
    }))

  it('return no more bytes than their limit', async () => {
    const large = await sql('SELECT hex(zeroblob(100000)) FROM many', bare)
    await expect(large.look({}, never)).rejects.toMatchObject({
      code: 'lookup.failed',
      cause: { message: 'the result has more than 500000 bytes' },
    })
  })

  it('bind a number as a number', async () => {
    const params = [{ name: 'least', description: 'The least tonnes.', type: 'integer' }]
    const lookup = await sql('SELECT name, typeof(:least) AS type FROM ships WHERE tonnes > :least', { params })
    expect(await lookup.look({ least: '200' }, never)).toMatchObject({ rows: [['Nora', 'real']] })
  })

  it('end at their time limit, however long the query would run', async () => {
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

  it('report a missing file', async () =>
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

  it('send the content of a file that the environment names', async () => {
    const file = join(folder, 'fleet-key')
    await writeFile(file, 'from-a-file\n')
    const declared = { kind: 'http', url: `${base}/text`, headers: { 'x-key': '$FLEET_KEY' }, ...bare }
    await (await open(declared, { FLEET_KEY_FILE: file })).look({}, never)
    expect(paths.at(-1)).toBe('from-a-file /text')
    await expect(open(declared, { FLEET_KEY_FILE: file, FLEET_KEY: 'x' })).rejects.toThrow('is also set by')
  })

  it('return plain text, shortened to the limit', async () => {
    const looked = await (await http('/text', bare)).look({}, never)
    expect(looked).toMatchObject({ kind: 'text', text: expect.stringMatching(/^Storm warning x+$/) as string })
    expect(looked.kind === 'text' && looked.text.length).toBe(4_000)
  })

  it('reject values that lead to a parent folder', async () => {
    const lookup = await http('/ships/{harbour}', { params: [{ name: 'harbour', description: 'Any.', pattern: '.*' }] })
    await expect(lookup.look({ harbour: '..' }, never)).rejects.toMatchObject({ code: 'lookup.bad-value' })
    await expect(lookup.look({ harbour: '../text' }, never)).rejects.toMatchObject({ code: 'lookup.refused' })
    expect(paths.at(-1)).toBe(' /ships/..%2Ftext')
  })

  it.each([
    ['/moved', 'lookup.refused', 'never'],
    ['/large', 'lookup.too-large', 'never'],
    ['/wrong', 'lookup.malformed', 'never'],
    ['/down', 'lookup.refused', 'later'],
    ['/nowhere', 'lookup.refused', 'never'],
    ['/silent', 'lookup.too-slow', 'later'],
  ])('fail with a word: %s', async (path, code, retry) => {
    await expect(
      (await http(path, { ...bare, ...(path === '/silent' && { timeoutMs: 300 }) })).look({}, never),
    ).rejects.toMatchObject({ code, retry })
  })
})

describe('http lookups with a body', () => {
  const params = [
    { name: 'ship', description: 'Its name.', pattern: '.{1,40}' },
    { name: 'tonnes', description: 'The least tonnes.', type: 'number' },
    { name: 'since', description: 'The first day.', type: 'date' },
  ]
  const body = { q: '{ ships }', where: [{ name: '{ship}', tonnes: '{tonnes}' }], since: '{since}', limit: 20 }

  it('post values as JSON of their type, and change nothing else of the template', async () => {
    const values = { ship: 'Nora", "admin": true, "x": "{since}', tonnes: '120.5', since: '2026-02-28' }
    await (await http('/search', { params, body })).look(values, never)
    const [type, sent] = [bodies.at(-1)?.split(' ')[0], bodies.at(-1)?.replace(/^\S+ /, '')]
    expect(type).toBe('application/json')
    expect(JSON.parse(sent ?? '')).toEqual({
      q: '{ ships }',
      where: [{ name: values.ship, tonnes: 120.5 }],
      since: '2026-02-28',
      limit: 20,
    })
  })

  it.each([
    ['tonnes', 'many'],
    ['tonnes', '1e9'],
    ['since', '2026-02-30'],
    ['since', 'May'],
  ])('reject a value that has not its type: %s %s', async (name, value) => {
    const values = { ship: 'Nora', tonnes: '1', since: '2026-02-28', [name]: value }
    const lookup = await http('/search', { params, body })
    await expect(lookup.look(values, never)).rejects.toMatchObject({ code: 'lookup.bad-value' })
  })

  it('reach no private address that the operator has not allowed', async () => {
    const declared = readLookups(
      await declare({ name: 'ships', ...shared, kind: 'http', url: `${base}/x`, body: { h: '{harbour}' } }),
    )
    await expect(openLookups(declared, { ...ports, guard: {} })).rejects.toThrow(
      /ships cannot be used: The address 127.0.0.1 is not allowed.*ALLOW_PRIVATE_ADDRESSES/,
    )
  })

  it('reach no private address by a name that leads there later', async () => {
    let address = '203.0.114.9'
    const guard = { resolve: () => Promise.resolve([{ address, family: 4 }]) }
    const url = `http://fleet.example.org:${new URL(base).port}/search`
    const declared = readLookups(
      await declare({ name: 'ships', ...shared, kind: 'http', url, body: { h: '{harbour}' } }),
    )
    const [lookup] = await openLookups(declared, { ...ports, guard })
    address = '127.0.0.1'
    await expect(lookup?.look({ harbour: 'Aldwick' }, never)).rejects.toMatchObject({ code: 'lookup.refused' })
  })
})

describe('the lookups file', () => {
  it('shows descriptions without the secrets of the sources', async () => {
    const headers = { 'x-key': '$NOBODY' }
    const file = await declare({ name: 'ships', ...shared, kind: 'http', url: `${base}/{harbour}`, headers })
    expect(readLookupCards(file)).toEqual([{ name: 'ships', ...shared }])
  })

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
    [
      'a gap of its body without a parameter',
      { kind: 'http', url: 'https://example.org/{harbour}', body: { a: ['{ship}'] } },
      /“ship” is used, but no parameter/,
    ],
    ['a parameter without a gap', { kind: 'http', url: 'https://example.org/' }, /“harbour” is not used/],
    [
      'a parameter that takes anything',
      { kind: 'http', url: 'https://example.org/{harbour}', params: [{ name: 'harbour', description: 'x' }] },
      /give a type, a pattern or values/,
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

  it('must not use a name twice', async () => {
    const one = { name: 'a', ...shared, kind: 'http', url: 'https://example.org/{harbour}' }
    const file = await declare(one, one)
    expect(() => readLookups(file)).toThrow(/“a” is the name of two lookups: rename one of them/)
  })

  it('must exist', () => expect(() => readLookups('/nowhere/lookups.yaml')).toThrow(/cannot be read/))
})
