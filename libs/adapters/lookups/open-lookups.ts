import { AppError, type Log } from '@plumbline/platform'
import { faultIn, type Looked, type Lookup } from '@plumbline/ports/lookup'
import type { Guard } from '../fetching/target'
import { withTimeout } from '../http/with-timeout'
import { checkHttp, lookByHttp } from './http-lookup'
import { badValue, tooSlow } from './lookup-errors'
import type { DeclaredLookup } from './lookups-file'
import { checkInPostgres, lookInPostgres } from './postgres-lookup'
import { checkInSqlite, lookInSqlite } from './sqlite-lookup'

type Ports = { guard: Guard; log: Pick<Log, 'warn'> }

const checkTimeoutMs = 10_000

const checkLookup = (declared: DeclaredLookup, guard: Guard, signal: AbortSignal): Promise<unknown> => {
  switch (declared.kind) {
    case 'sql':
      return checkInSqlite(declared, signal)
    case 'postgres':
      return checkInPostgres({ ...declared, timeoutMs: checkTimeoutMs }, signal)
    case 'http':
      return checkHttp(declared, guard)
  }
}

/**
 * Checks a lookup when the process starts and throws if the lookup cannot be used. If a Postgres database does not
 * answer, the function only logs a warning.
 */
const checkAtStart = async (declared: DeclaredLookup, { guard, log }: Ports): Promise<void> => {
  try {
    await withTimeout(checkTimeoutMs, new AbortController().signal, tooSlow, (signal) =>
      checkLookup(declared, guard, signal),
    )
  } catch (error) {
    if (declared.kind === 'postgres' && error instanceof AppError && error.retry === 'later')
      return log.warn({ err: error, lookup: declared.name }, 'lookup not checked: the database did not answer')
    const cause = error instanceof AppError ? error.cause : error
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(
      `The lookup ${declared.name} cannot be used: ${reason}. Correct it in LOOKUPS_FILE, or correct its source.`,
      { cause: error },
    )
  }
}

const lookUp = (
  declared: DeclaredLookup,
  values: Record<string, string>,
  signal: AbortSignal,
  guard: Guard,
): Promise<Looked> => {
  switch (declared.kind) {
    case 'sql':
      return lookInSqlite(declared, values, signal)
    case 'postgres':
      return lookInPostgres(declared, values, signal)
    case 'http':
      return lookByHttp(declared, values, signal, guard)
  }
}

const openLookup = async (declared: DeclaredLookup, ports: Ports): Promise<Lookup> => {
  await checkAtStart(declared, ports)
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
      return withTimeout(timeoutMs, signal, tooSlow, (limited) => lookUp(declared, values, limited, ports.guard))
    },
  }
}

export const openLookups = (declared: DeclaredLookup[], ports: Ports): Promise<Lookup[]> =>
  Promise.all(declared.map((each) => openLookup(each, ports)))
