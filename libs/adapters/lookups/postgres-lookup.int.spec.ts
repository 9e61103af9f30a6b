import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lookupContract } from '@plumbline/ports/lookup.contract'
import { startPostgres } from '@plumbline/testing/postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readLookups } from './lookups-file'
import { openLookups } from './open-lookups'

const never = new AbortController().signal
const shared = {
  name: 'ships',
  kind: 'postgres',
  connection: '$FLEET_DB',
  description: 'Ships in a harbour.',
  tenants: ['default'],
  collections: ['harbours'],
}
const harbour = { name: 'harbour', description: 'A harbour.', values: ['Aldwick', 'New Corvey'] }

let server: Awaited<ReturnType<typeof startPostgres>>
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lookups-'))
  server = await startPostgres()
  await server.run(`
    CREATE TABLE ships (name text, tonnes integer, harbour text, arrived date, crane boolean, photo bytea);
    INSERT INTO ships VALUES
      ('Nora', 400, 'Aldwick', '2026-03-01', true, '\\x00'), ('Ida | Lund', 120, 'Aldwick', '2026-02-01', false, NULL);
    CREATE SEQUENCE numbers;
    CREATE TABLE changing (a text, b text);
    INSERT INTO changing VALUES ('1', '2');
    CREATE ROLE reader LOGIN PASSWORD 'hush';
    GRANT SELECT ON ships TO reader`)
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true })
})

const warned: unknown[] = []
const ports = { guard: {}, log: { warn: (...line: unknown[]) => void warned.push(line) } }
const tls = (): string => `${server.url}?sslrootcert=${server.ca}`
const open = async (lookup: Record<string, unknown>, url = tls()) => {
  const file = join(folder, 'lookups.yaml')
  await writeFile(file, JSON.stringify({ lookups: [{ ...shared, ...lookup }] }))
  const [opened] = await openLookups(readLookups(file, { FLEET_DB: url }), ports)
  if (!opened) throw new Error('no lookup was opened')
  return opened
}
const fault = async (query: string, url?: string): Promise<string> =>
  open({ query }, url).then(
    () => '',
    (error: Error) => error.message,
  )
const look = async (query: string, more: Record<string, unknown> = {}) =>
  (await open({ query, ...more })).look({}, never)

lookupContract('postgres', () =>
  open({
    params: [harbour],
    query: 'SELECT name, tonnes FROM ships WHERE harbour = :harbour ORDER BY tonnes DESC',
  }),
)

describe('postgres lookups', () => {
  it('return every type as text', async () =>
    expect(await look('SELECT name, arrived, crane, photo, tonnes / 7.0 AS share FROM ships ORDER BY tonnes')).toEqual({
      kind: 'rows',
      columns: ['name', 'arrived', 'crane', 'photo', 'share'],
      rows: [
        ['Ida | Lund', '2026-02-01', 'false', '', '17.1428571428571429'],
        ['Nora', '2026-03-01', 'true', '(binary)', '57.1428571428571429'],
      ],
      cut: false,
    }))

  it('bind values by their names, beside casts, strings, comments and slices', async () => {
    const lookup = await open({
      params: [
        { name: 'day', description: 'The first day.', type: 'date' },
        { name: 'least', description: 'The least tonnes.', type: 'integer' },
      ],
      query: `SELECT name, ':day' AS "of:least", $x$:day$x$ AS x, (ARRAY[1, 2])[1:1] AS a -- :day
        FROM ships WHERE arrived >= :day::date AND tonnes > :least AND arrived > :day`,
    })
    expect(await lookup.look({ day: '2026-02-15', least: '100' }, never)).toMatchObject({
      columns: ['name', 'of:least', 'x', 'a'],
      rows: [['Nora', ':day', ':day', '{1}']],
    })
    const values = { day: "2026-02-15' OR true --", least: '100' }
    await expect(lookup.look(values, never)).rejects.toMatchObject({ code: 'lookup.bad-value' })
  })

  it.each([
    ['INSERT INTO ships (name) VALUES (1)', /exactly one SELECT/],
    ['SELECT 1; DROP TABLE ships', /exactly one SELECT/],
    ['SELECT 1 AS x INTO taken', /INTO is not allowed here/],
    ['WITH x AS (DELETE FROM ships RETURNING *) SELECT * FROM x', /data-modifying/],
    ['SELECT * FROM ships FOR UPDATE', /read-only|FOR UPDATE/],
    ['SELECT * FROM nowhere', /relation "nowhere" does not exist/],
  ])('cannot be a write or unknown: %s', async (query, said) => expect(await fault(query)).toMatch(said))

  it('write nothing, also not by a function', async () => {
    await expect(look("SELECT nextval('numbers')")).rejects.toMatchObject({
      code: 'lookup.failed',
      retry: 'never',
      cause: { message: expect.stringContaining('read-only transaction') as string },
    })
  })

  it('read only what their role may read', async () => {
    const url = new URL(tls())
    url.username = 'reader'
    expect(await fault('SELECT * FROM changing', url.href)).toMatch(/permission denied for table changing/)
    expect(await fault('SELECT * FROM ships', url.href)).toBe('')
  })

  it('end at their time limit, also on the server', async () => {
    const endless = 'SELECT count(*) FROM generate_series(1, 100000000000) AS plumbline_endless'
    await expect(look(endless, { timeoutMs: 300 })).rejects.toMatchObject({ code: 'lookup.too-slow', retry: 'later' })
    const running =
      "SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
    await expect.poll(async () => await look(running)).toMatchObject({ rows: [] })
  })

  it('fail after a change of their tables, until the query fits again', async () => {
    const lookup = await open({ query: 'SELECT a, b FROM changing' })
    expect(await lookup.look({}, never)).toMatchObject({ rows: [['1', '2']] })
    await server.run('ALTER TABLE changing DROP COLUMN b')
    await expect(lookup.look({}, never)).rejects.toMatchObject({
      code: 'lookup.failed',
      cause: { message: 'column "b" does not exist' },
    })
    await server.run("ALTER TABLE changing ADD COLUMN b text DEFAULT '3'")
    expect(await lookup.look({}, never)).toMatchObject({ rows: [['1', '3']] })
  })

  it('return no more rows than their limit', async () =>
    expect(await look('SELECT generate_series(1, 1000000000) AS n', { maxRows: 3 })).toEqual({
      kind: 'rows',
      columns: ['n'],
      rows: [['1'], ['2'], ['3']],
      cut: true,
    }))

  it('return no more bytes than their limit', async () =>
    expect(look("SELECT repeat('x', 300000) FROM generate_series(1, 5)")).rejects.toMatchObject({
      code: 'lookup.too-large',
    }))

  it('stop while they run', async () => {
    const lookup = await open({ query: 'SELECT pg_sleep(20)', timeoutMs: 30_000 })
    const stop = new AbortController()
    const looked = lookup.look({}, stop.signal)
    const sleeping = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
    await expect.poll(async () => look(sleeping)).toMatchObject({ rows: [['1']] })
    stop.abort(new Error('stop'))
    await expect(looked).rejects.toThrow('stop')
  })
})

describe('the connection of a postgres lookup', () => {
  it('needs a certificate of a known authority, unless TLS is turned off', async () => {
    expect(await fault('SELECT 1', server.url)).toMatch(/ships cannot be used: .*certificate/)
    const plain = await open(
      { query: 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()' },
      `${server.url}?sslmode=disable`,
    )
    expect(await plain.look({}, never)).toMatchObject({ rows: [['false']] })
    expect(await look('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()')).toMatchObject({ rows: [['true']] })
  })

  it('may be down at the start, which is logged', async () => {
    warned.length = 0
    const down = await open({ query: 'SELECT 1' }, 'postgres://owner:hush@127.0.0.1:1/postgres')
    expect(warned).toMatchObject([[{ lookup: 'ships' }, expect.stringContaining('lookup not checked')]])
    await expect(down.look({}, never)).rejects.toMatchObject({ code: 'lookup.unreachable', retry: 'later' })
  })

  it.each([
    ['http://owner:hush@127.0.0.1/postgres', /\$FLEET_DB is not a connection string/],
    ['postgres://owner:hush@127.0.0.1/postgres?sslmode=require', /\$FLEET_DB has an unsafe sslmode/],
  ])('is checked without showing its password: %s', async (url, said) => {
    const told = await fault('SELECT 1', url)
    expect(told).toMatch(said)
    expect(told).not.toContain('hush')
  })

  it('is not accepted in the file itself', async () =>
    expect(await open({ query: 'SELECT 1', connection: server.url }).catch((error: Error) => error.message)).toMatch(
      /connection: write \$NAME/,
    ))

  it('says if the password is wrong, without showing it', async () => {
    const told = await fault('SELECT 1', tls().replace('hush', 'secretive'))
    expect(told).toMatch(/ships cannot be used: password authentication failed/)
    expect(told).not.toContain('secretive')
  })
})
