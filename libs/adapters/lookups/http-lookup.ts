import { AppError } from '@plumbline/platform'
import { Unfit } from '@plumbline/ports/document-parser'
import { type Looked, typedValues } from '@plumbline/ports/lookup'
import { guardedFetch } from '../fetching/guarded-fetch'
import { type Guard, targetOf } from '../fetching/target'
import { textOf } from '../http/response'
import { badValue, maxBytes, tooLarge, tooSlow } from './lookup-errors'
import type { DeclaredLookup } from './lookups-file'
import { filledBody, filledUrl } from './placeholders'

type Declared = Extract<DeclaredLookup, { kind: 'http' }>

const maxText = 4_000

/** Fills the values into the URL. Rejects a value that consists only of dots, because `..` would change the path. */
const addressOf = ({ url }: Declared, values: Record<string, string>): URL => {
  const dots = Object.entries(values).find(([, value]) => /^\.+$/.test(value))
  if (dots) throw badValue(`“${dots[0]}” may not be “${dots[1]}”`)
  return new URL(filledUrl(url, (name) => values[name] ?? ''))
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

const requestOf = ({ headers, body }: Declared, values: Record<string, string | number>) =>
  body === undefined
    ? { headers }
    : {
        method: 'POST' as const,
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(filledBody(body, values)),
      }

const asLookupError = (cause: unknown): AppError => {
  if (cause instanceof Unfit)
    return cause.reason === 'too-large' ? tooLarge(cause) : new AppError('lookup.refused', 'never', { cause })
  if (!(cause instanceof AppError)) return new AppError('lookup.unreachable', 'later', { cause })
  if (cause.code.startsWith('lookup.')) return cause
  return cause.code === 'fetch.too-slow' ? tooSlow(cause) : new AppError('lookup.unreachable', 'later', { cause })
}

export const lookByHttp = async (
  declared: Declared,
  values: Record<string, string>,
  signal: AbortSignal,
  guard: Guard,
): Promise<Looked> => {
  const url = addressOf(declared, values)
  const request = requestOf(declared, typedValues(declared, values))
  try {
    const { timeoutMs } = declared
    const response = await guardedFetch(url, { ...request, signal, timeoutMs, maxBytes, redirects: 0, guard })
    try {
      const { status } = response
      if (status < 200 || status > 299)
        throw new AppError('lookup.refused', status === 429 || status >= 500 ? 'later' : 'never', {
          cause: new Error(`${url.host} answered ${status}`),
        })
      const text = await textOf(response, maxBytes)
      if (text === null) throw tooLarge()
      return read(text, response.headers.get('content-type') ?? '', declared)
    } finally {
      await response.close()
    }
  } catch (error) {
    signal.throwIfAborted()
    throw asLookupError(error)
  }
}

/** Rejects a private host that is not allowed. Accepts an unknown host, because DNS may resolve it later. */
export const checkHttp = async ({ url }: Declared, guard: Guard): Promise<void> => {
  try {
    await targetOf(
      filledUrl(url, () => 'x'),
      guard,
    )
  } catch (error) {
    if (error instanceof Unfit && error.reason === 'refused-address') throw new Error(error.words, { cause: error })
  }
}
