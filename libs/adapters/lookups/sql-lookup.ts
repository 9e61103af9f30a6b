import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { AppError } from '@plumbline/platform'
import { faultIn, type Looked, type Lookup } from '@plumbline/ports/lookup'
import { z } from 'zod'
import type { DeclaredLookup } from './lookups-file'
import { badValue, within } from './within'

type Declared = Extract<DeclaredLookup, { kind: 'sql' }>

const Reply = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), columns: z.array(z.string()), rows: z.array(z.array(z.string())), cut: z.boolean() }),
  z.object({ ok: z.literal(false), message: z.string() }),
])

/** From source the process is the TypeScript beside this file; in the build it stands under `threads/`. */
const entry = (): string =>
  fileURLToPath(
    import.meta.url.endsWith('.ts')
      ? new URL('./select.thread.ts', import.meta.url)
      : new URL('../threads/select.mjs', import.meta.url),
  )

const ask = (
  { file, query, maxRows }: Declared,
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
            cause: new Error(read.data ? read.data.message : 'the query gave nothing that can be read'),
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
          : new AppError('lookup.failed', 'later', { cause: new Error('the query’s process ended') }),
      )
    })
    child.send({ file, query, values, maxRows, only })
  })

/** One SELECT on one SQLite file, opened for reading; what the question gives is bound, never written into the query. */
export const openSqlLookup = async (declared: Declared): Promise<Lookup> => {
  const { name, description, params, tenants, collections, timeoutMs } = declared
  const starting = new AbortController().signal
  await within(10_000, starting, (signal) => ask(declared, {}, 'check', signal)).catch((error: unknown) => {
    const cause = error instanceof AppError && error.cause instanceof Error ? error.cause.message : String(error)
    throw new Error(`The lookup ${name} cannot be used: ${cause}. Look at its file and its query in LOOKUPS_FILE.`, {
      cause: error,
    })
  })
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
      return within(timeoutMs, signal, (limited) => ask(declared, values, 'run', limited))
    },
  }
}
