import { Worker } from 'node:worker_threads'
import { AppError } from '@plumbline/platform'
import type { IndexedDocument, Scope } from '@plumbline/ports/passage-index/passage-index'

export type PassageRow = {
  passage: string
  position: number
  title: string
  headings: string
  text: string
  /** Empty if the vector is added later. */
  vector: Uint8Array
}
export type Words = { key: number; title: string; headings: string; text: string }
/** `document` is the key of the document's version. A newer version has a higher key. */
export type FoundRow = { passage: string; document: number; score: number; vector: Uint8Array | null }

export type UnfilledRow = {
  document: number
  tenant: string
  collection: string
  id: string
  version: string
  size: number
  done: number
  passages: { key: number; passage: string }[]
}

export type Calls = {
  write: (tenant: string, document: IndexedDocument, rows: PassageRow[]) => void
  remove: (tenant: string, documentId: string) => void
  similar: (scope: Scope, space: string, vector: Uint8Array, k: number) => FoundRow[]
  matching: (scope: Scope, expression: string, k: number) => FoundRow[]
  passages: (scope: Scope, documentId: string, from: number, to: number) => { passage: string }[]
  count: (scope: Scope) => number
  /** Returns the first document with a key above `after` whose search terms an earlier release computed. */
  older: (after: number) => { document: number; passages: { key: number; passage: string }[] } | null
  renew: (document: number, rows: Words[]) => void
  unfilled: (space: string, most: number) => UnfilledRow | null
  /**
   * Adds vectors to a document. `from` is the index of the first passage. Vector search finds the document once all its
   * passages have a vector.
   */
  fill: (document: number, space: string, from: number, rows: { key: number; vector: Uint8Array }[]) => void
  /** Counts the passages without vectors in one collection, or in all collections if `tenant` is null. */
  missing: (space: string, tenant: string | null, collection: string) => number
  close: () => void
}
export type CallName = keyof Calls
export type Request = { id: number; call: CallName; args: unknown[] } | { id: number; call: 'cancel' }
export type Response =
  { id: number; ok: true; value: unknown } | { id: number; ok: false; code: string; message: string }

type PendingCall = { resolve: (value: unknown) => void; reject: (error: unknown) => void }

const fromSource = import.meta.url.endsWith('.ts')
/** The file of the thread. It is a TypeScript file in this folder or, in a build, a file in `threads/`. */
const entry = new URL(fromSource ? './passages.thread.ts' : '../threads/passages.mjs', import.meta.url)
const execArgv = fromSource ? ['--import', new URL('../../parsing/child/from-source.mjs', import.meta.url).href] : []

/** SQLite's primary error codes of temporary failures: the file is locked or cannot be reached, or the disk is full. */
const passing = new Set([5, 6, 10, 13, 14])
const asError = ({ code, message }: { code: string; message: string }): AppError =>
  new AppError('index.failed', passing.has(Number(code) & 0xff) ? 'later' : 'never', { cause: new Error(message) })

export type IndexThread = {
  call<C extends CallName>(call: C, args: Parameters<Calls[C]>, signal?: AbortSignal): Promise<ReturnType<Calls[C]>>
  close(): Promise<void>
}

const answer = (waiting: Map<number, PendingCall>, response: Response): void => {
  const call = waiting.get(response.id)
  waiting.delete(response.id)
  if (response.ok) call?.resolve(response.value)
  else call?.reject(asError(response))
}

const failAll = (waiting: Map<number, PendingCall>, error: unknown): void => {
  for (const { reject } of waiting.values()) reject(error)
  waiting.clear()
}

type WorkerListeners = Record<'failed' | 'ended', (error: AppError) => void> & {
  answered: (response: Response) => void
}

const startWorker = (file: string, { answered, failed, ended }: WorkerListeners): Worker => {
  const worker = new Worker(entry, { workerData: { file }, name: 'passages', execArgv })
  worker.on('message', answered)
  worker.on('error', (error: Error & { errcode?: number }) =>
    failed(asError({ code: `${error.errcode ?? 'unknown'}`, message: error.message })),
  )
  worker.on('exit', () => ended(new AppError('index.failed', 'later', { cause: new Error('the index thread ended') })))
  return worker
}

/**
 * Starts the thread at the first call, and again after a crash. The thread keeps the process alive only while calls
 * wait for a response.
 */
export const startIndexThread = (file: string): IndexThread => {
  const waiting = new Map<number, PendingCall>()
  let worker: Worker | undefined
  let last = 0

  const fail = (error: unknown): void => {
    worker = undefined
    failAll(waiting, error)
  }
  const settle = (response: Response): void => {
    answer(waiting, response)
    if (waiting.size === 0) worker?.unref()
  }
  const running = (): Worker => {
    if (worker) return worker
    const started: Worker = startWorker(file, {
      answered: settle,
      failed: fail,
      ended: (error) => void (worker === started && fail(error)),
    })
    worker = started
    return started
  }
  const call: IndexThread['call'] = (name, args, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error)
      const id = (last += 1)
      const target = running()
      const abort = (): void => {
        waiting.delete(id)
        if (waiting.size === 0) target.unref()
        target.postMessage({ id, call: 'cancel' } satisfies Request)
        reject(signal?.reason as Error)
      }
      const done = (): void => signal?.removeEventListener('abort', abort)
      signal?.addEventListener('abort', abort, { once: true })
      waiting.set(id, {
        resolve: (value) => (done(), resolve(value as never)),
        reject: (error) => (done(), reject(error as Error)),
      })
      target.ref()
      target.postMessage({ id, call: name, args } satisfies Request)
    })

  return {
    call,
    close: async () => {
      if (!worker) return
      const closing = worker
      const ended = new Promise((resolve) => closing.once('exit', resolve))
      // If two callers close the thread at the same time, it may end before it answers the second call.
      await call('close', []).catch(() => undefined)
      closing.ref()
      await ended
    },
  }
}
