import { parentPort, workerData } from 'node:worker_threads'
import { openDatabase, prepareFile } from './database'
import { readingCalls } from './reading'
import type { CallName, Calls, Request, Response } from './thread'
import { writingCalls } from './writing'

const db = openDatabase((workerData as { file: string }).file)
prepareFile(db)
const { writeAll, ...writing } = writingCalls(db)
const calls: Calls = { ...readingCalls(db), ...writing, close: () => db.close() }

const failed = (id: number, error: unknown): Response => {
  const { code, errcode, message } = error as { code?: string; errcode?: number; message?: string }
  return {
    id,
    ok: false,
    code: errcode === undefined ? (code ?? 'unknown') : `${errcode}`,
    message: message ?? String(error),
  }
}

const answer = (id: number, call: CallName, args: unknown[]): Response => {
  try {
    return { id, ok: true, value: (calls[call] as (...given: unknown[]) => unknown)(...args) }
  } catch (error) {
    return failed(id, error)
  }
}

const port = parentPort
if (!port) throw new Error('The passage index runs as a worker thread.')
const waiting = new Map<number, { call: CallName; args: unknown[] }>()

type QueuedCall = { id: number; call: CallName; args: unknown[] }

/** The maximum size of a transaction. A larger transaction would delay removals and block writes of other processes. */
const mostPerCommit = { documents: 64, passages: 1_000 }

const writesNext = (): QueuedCall[] => {
  const batch: QueuedCall[] = []
  let passages = 0
  for (const [id, { call, args }] of waiting) {
    passages += call === 'write' ? (args as Parameters<Calls['write']>)[2].length : 0
    const fits = batch.length < mostPerCommit.documents && (batch.length === 0 || passages <= mostPerCommit.passages)
    if (call !== 'write' || !fits) break
    batch.push({ id, call, args })
  }
  return batch
}

/** Writes a batch of documents. Responds after the commit, so that documents reported as written are in the file. */
const answerAll = (batch: readonly QueuedCall[]): Response[] => {
  try {
    const errors = writeAll(batch.map(({ args }) => args as Parameters<Calls['write']>))
    return batch.map(({ id }, at) => (errors[at] ? failed(id, errors[at]) : { id, ok: true, value: undefined }))
  } catch (error) {
    return batch.map(({ id }) => failed(id, error))
  }
}

/** Runs one call or one batch of writes per turn of the event loop, so that a waiting call can still be canceled. */
const next = (): void => {
  const first = waiting.entries().next()
  if (first.done) return
  const [id, { call, args }] = first.value
  const writes = writesNext()
  if (writes.length > 1) {
    for (const write of writes) waiting.delete(write.id)
    for (const response of answerAll(writes)) port.postMessage(response)
  } else {
    waiting.delete(id)
    port.postMessage(answer(id, call, args))
  }
  if (call === 'close') port.close()
  else if (waiting.size > 0) setImmediate(next)
}
port.on('message', (request: Request) => {
  if (request.call === 'cancel') waiting.delete(request.id)
  else if (waiting.set(request.id, request).size === 1) setImmediate(next)
})
