import { Client, type CustomTypesConfig, DatabaseError, Query, type QueryArrayConfig } from 'pg'
import { AppError } from '@plumbline/platform'
import type { Looked } from '@plumbline/ports/lookup'
import { maxBytes, tooLarge, tooSlow } from './lookup-errors'
import type { DeclaredLookup } from './lookups-file'
import { numberedParams } from './placeholders'
import { withTls } from './postgres-connection'

type Declared = Extract<DeclaredLookup, { kind: 'postgres' }>

const oids = { bool: 16, bytea: 17 }
const asText = (oid: number): ((value: string) => string) => {
  if (oid === oids.bool) return (value) => (value === 't' ? 'true' : 'false')
  return oid === oids.bytea ? () => '(binary)' : String
}
const types: CustomTypesConfig = { getTypeParser: asText }

const fetchRows = (client: Client, maxRows: number): Promise<Looked> =>
  new Promise((resolve, reject) => {
    const rows: string[][] = []
    let bytes = 0
    const fetch: QueryArrayConfig = { text: `FETCH ${maxRows + 1} FROM looked`, rowMode: 'array', types }
    const query = client.query(new Query(fetch))
    query.on('row', (row: (string | null)[]) => {
      const cells = row.map((cell) => cell ?? '')
      bytes += Buffer.byteLength(cells.join(''))
      if (bytes > maxBytes) reject(tooLarge())
      else rows.push(cells)
    })
    query.on('error', reject)
    query.on('end', ({ fields }) => {
      const columns = fields.map(({ name }) => name)
      resolve({ kind: 'rows', columns, rows: rows.slice(0, maxRows), cut: rows.length > maxRows })
    })
  })

/** The SQLSTATE codes of temporary errors: 08 (connection), 53 (no resources) and 57 (stopped by an operator). */
const passing = /^(?:08|53|57)/
const canceled = '57014'
const certificate = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/

const connectionError = (cause: unknown): AppError => {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return new AppError('lookup.unreachable', certificate.test(code) ? 'never' : 'later', { cause })
}

const asLookupError = (error: unknown): AppError => {
  if (error instanceof AppError) return error
  if (!(error instanceof DatabaseError)) return connectionError(error)
  const { code = '' } = error
  if (code === canceled) return tooSlow(error)
  return passing.test(code)
    ? new AppError('lookup.unreachable', 'later', { cause: error })
    : new AppError('lookup.failed', 'never', { cause: error })
}

/** Runs the query with a cursor in a read-only transaction, in which Postgres accepts only a single SELECT. */
const inTransaction = async <Result>(
  { connection, query, timeoutMs }: Declared,
  values: Record<string, string>,
  signal: AbortSignal,
  work: (client: Client) => Result | Promise<Result>,
): Promise<Result> => {
  const client = new Client({
    connectionString: withTls(connection),
    connectionTimeoutMillis: timeoutMs,
    application_name: 'plumbline',
  })
  // Without this listener, a lost connection would end the process. The pending query reports the error anyway.
  client.on('error', () => undefined)
  const close = (): void => void client.end().catch(() => undefined)
  signal.addEventListener('abort', close, { once: true })
  try {
    const { text, names } = numberedParams(query)
    await client.connect()
    await client.query(
      `BEGIN READ ONLY; SET LOCAL statement_timeout = ${timeoutMs}; SET LOCAL datestyle = 'ISO, YMD'; SET LOCAL standard_conforming_strings = on`,
    )
    await client.query(
      `DECLARE looked NO SCROLL CURSOR FOR ${text}`,
      names.map((name) => values[name] ?? null),
    )
    const result = await work(client)
    // The transaction ends here, because a connection pooler can reuse the connection only afterwards.
    await client.query('ROLLBACK')
    return result
  } catch (error) {
    signal.throwIfAborted()
    throw asLookupError(error)
  } finally {
    signal.removeEventListener('abort', close)
    close()
  }
}

export const lookInPostgres = (
  declared: Declared,
  values: Record<string, string>,
  signal: AbortSignal,
): Promise<Looked> => inTransaction(declared, values, signal, (client) => fetchRows(client, declared.maxRows))

/** Opens a cursor without reading rows. Postgres then checks the tables, columns and rights of the query. */
export const checkInPostgres = (declared: Declared, signal: AbortSignal): Promise<void> =>
  inTransaction(declared, {}, signal, () => undefined)
