import { AppError } from '@plumbline/platform'
import { faultIn, type Looked, type Lookup } from '@plumbline/ports/lookup'
import { textOf } from '../http/text-of'
import type { DeclaredLookup } from './lookups-file'
import { badValue, within } from './within'

type Declared = Extract<DeclaredLookup, { kind: 'http' }>

const maxBytes = 500_000
const maxText = 4_000

/** The declared address with its gaps filled. A value may not change which path is asked: `..` would. */
const addressOf = ({ url }: Declared, values: Record<string, string>): URL => {
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

const rowsIn = (json: unknown, { rows: path, maxRows }: Declared): Looked => {
  const found = reach(json, path)
  const records = (Array.isArray(found) ? found : [found]).filter(isRecord)
  if (records.length === 0 && !(Array.isArray(found) && found.length === 0))
    throw new AppError('lookup.malformed', 'never', { cause: new Error('no rows stand where the lookup says') })
  const columns = [...new Set(records.flatMap((record) => Object.keys(record)))].slice(0, 30)
  return {
    kind: 'rows',
    columns,
    rows: records.slice(0, maxRows).map((record) => columns.map((column) => cell(record[column]))),
    cut: records.length > maxRows,
  }
}

const read = (text: string, type: string, declared: Declared): Looked => {
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

const get = async (url: URL, declared: Declared, signal: AbortSignal): Promise<Looked> => {
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

/** One GET to the host the operator named; what the question gives is encoded into the path or the query. */
export const openHttpLookup = (declared: Declared): Lookup => {
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
      return within(timeoutMs, signal, (limited) => get(addressOf(declared, values), declared, limited))
    },
  }
}
