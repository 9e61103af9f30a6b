import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { AppError } from '@plumbline/platform'
import { type Looked, typedValues } from '@plumbline/ports/lookup'
import { z } from 'zod'
import { maxBytes } from './lookup-errors'
import type { DeclaredLookup } from './lookups-file'

type Declared = Extract<DeclaredLookup, { kind: 'sql' }>

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

const ask = (
  { file, query, maxRows }: Declared,
  values: Record<string, string | number>,
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
    child.send({ file, query, values, maxRows, maxBytes, only })
  })

export const lookInSqlite = (
  declared: Declared,
  values: Record<string, string>,
  signal: AbortSignal,
): Promise<Looked> => ask(declared, typedValues(declared, values), 'run', signal)

export const checkInSqlite = (declared: Declared, signal: AbortSignal): Promise<unknown> =>
  ask(declared, {}, 'check', signal)
