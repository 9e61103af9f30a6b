import { withTimeout } from '../http/with-timeout'
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { AppError } from '@plumbline/platform'
import { faultIn, type Looked, type Lookup } from '@plumbline/ports/lookup'
import { z } from 'zod'
import { textOf } from '../http/response'
import type { DeclaredLookup } from './lookups-file'

const badValue = (fault: string): AppError => new AppError('lookup.bad-value', 'never', { cause: new Error(fault) })

const tooSlow = (cause: unknown): AppError => new AppError('lookup.too-slow', 'later', { cause })

type HttpDeclared = Extract<DeclaredLookup, { kind: 'http' }>

const maxBytes = 500_000
const maxText = 4_000

/** Rejects a value that consists of dots, such as `..`, because it would change the path. */
const addressOf = ({ url }: HttpDeclared, values: Record<string, string>): URL => {
  const dots = Object.entries(values).find(([, value]) => /^\.+$/.test(value))
  if (dots) throw badValue(`“${dots[0]}” may not be “${dots[1]}”`)
  return new URL(url.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? '')))
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const cell = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)

const reach = (json: unknown, path: string | undefined): unknown =>
  (path?.split('.') ?? []).reduce<unknown>(
    (inside, key) => (isRecord(inside) && Object.hasOwn(inside, key) ? inside[key] : undefined),
    json,
  )

const rowsIn = (json: unknown, { rows: path, maxRows }: HttpDeclared): Looked => {
  const found = reach(json, path)
  const records = (Array.isArray(found) ? found : [found]).filter(isRecord)
  if (records.length === 0 && !(Array.isArray(found) && found.length === 0))
    throw new AppError('lookup.malformed', 'never', {
      cause: new Error('the response has no rows at the configured path'),
    })
  const columns = [...new Set(records.flatMap((record) => Object.keys(record)))].slice(0, 30)
  return {
    kind: 'rows',
    columns,
    rows: records.slice(0, maxRows).map((record) => columns.map((column) => cell(record[column]))),
    cut: records.length > maxRows,
  }
}

const read = (text: string, type: string, declared: HttpDeclared): Looked => {
  if (!/\bjson\b/i.test(type))
    return {
      kind: 'text',
      text: text
        .replace(/\p{Cc}+/gu, ' ')
        .replace(/\s+/g, ' ')
        .trim()
        .slice(0, maxText),
    }
  try {
    return rowsIn(JSON.parse(text), declared)
  } catch (cause) {
    throw cause instanceof AppError ? cause : new AppError('lookup.malformed', 'never', { cause })
  }
}

const get = async (url: URL, declared: HttpDeclared, signal: AbortSignal): Promise<Looked> => {
  try {
    const response = await fetch(url, { signal, redirect: 'error', headers: declared.headers })
    if (!response.ok) {
      await response.body?.cancel()
      throw new AppError('lookup.refused', response.status === 429 || response.status >= 500 ? 'later' : 'never', {
        cause: new Error(`${url.host} answered ${response.status}`),
      })
    }
    const text = await textOf(response, maxBytes)
    if (text === null) throw new AppError('lookup.too-large', 'never')
    return read(text, response.headers.get('content-type') ?? '', declared)
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof AppError ? error : new AppError('lookup.unreachable', 'later', { cause: error })
  }
}

type SqlDeclared = Extract<DeclaredLookup, { kind: 'sql' }>

const Reply = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), columns: z.array(z.string()), rows: z.array(z.array(z.string())), cut: z.boolean() }),
  z.object({ ok: z.literal(false), message: z.string() }),
])

const entry = (): string =>
  fileURLToPath(
    import.meta.url.endsWith('.ts')
      ? new URL('./select.thread.ts', import.meta.url)
      : new URL('../threads/select.mjs', import.meta.url),
  )

const askSql = (
  { file, query, maxRows }: SqlDeclared,
  values: Record<string, string>,
  only: 'check' | 'run',
  signal: AbortSignal,
): Promise<Looked> =>
  new Promise((resolve, reject) => {
    const child = fork(entry(), { execArgv: [], env: {}, stdio: 'ignore' })
    const abort = (): void => void child.kill('SIGKILL')
    const settle = (message: unknown): void => {
      const read = Reply.safeParse(message)
      if (read.data?.ok) resolve({ kind: 'rows', columns: read.data.columns, rows: read.data.rows, cut: read.data.cut })
      else
        reject(
          new AppError('lookup.failed', 'never', {
            cause: new Error(read.data ? read.data.message : 'the query returned no readable rows'),
          }),
        )
    }
    signal.addEventListener('abort', abort, { once: true })
    child.once('message', settle)
    child.once('error', (cause) => reject(new AppError('lookup.failed', 'later', { cause })))
    child.once('exit', () => {
      signal.removeEventListener('abort', abort)
      reject(
        signal.aborted
          ? (signal.reason as Error)
          : new AppError('lookup.failed', 'later', { cause: new Error('the query process exited unexpectedly') }),
      )
    })
    child.send({ file, query, values, maxRows, only })
  })

/** Checks a query with SQLite when the process starts, so that an invalid query does not fail at the first question. */
const checkQuery = async (declared: SqlDeclared): Promise<void> => {
  try {
    await withTimeout(10_000, new AbortController().signal, tooSlow, (signal) => askSql(declared, {}, 'check', signal))
  } catch (error) {
    const cause = error instanceof AppError && error.cause instanceof Error ? error.cause.message : String(error)
    throw new Error(
      `The lookup ${declared.name} cannot be used: ${cause}. Check its file and its query in LOOKUPS_FILE.`,
      { cause: error },
    )
  }
}

/** An SQL lookup opens its file read-only. An HTTP lookup sends one GET to a fixed host, with encoded values. */
const openLookup = async (declared: DeclaredLookup): Promise<Lookup> => {
  if (declared.kind === 'sql') await checkQuery(declared)
  const { name, description, params, tenants, collections, timeoutMs } = declared
  return {
    name,
    description,
    params,
    tenants,
    collections,
    look: async (values, signal) => {
      signal.throwIfAborted()
      const fault = faultIn(declared, values)
      if (fault !== null) throw badValue(fault)
      return withTimeout(timeoutMs, signal, tooSlow, (limited) =>
        declared.kind === 'sql'
          ? askSql(declared, values, 'run', limited)
          : get(addressOf(declared, values), declared, limited),
      )
    },
  }
}

export const openLookups = (declared: DeclaredLookup[]): Promise<Lookup[]> => Promise.all(declared.map(openLookup))
