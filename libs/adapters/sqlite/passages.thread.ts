import { parentPort, workerData } from 'node:worker_threads'
import { openDatabase, prepareFile } from './database'
import { readingCalls } from './reading'
import type { CallName, Calls, Request, Response } from './thread'
import { writingCalls } from './writing'

const db = openDatabase((workerData as { file: string }).file)
prepareFile(db)
const calls: Calls = { ...readingCalls(db), ...writingCalls(db), close: () => db.close() }

const answer = (id: number, call: CallName, args: unknown[]): Response => {
  try {
    return { id, ok: true, value: (calls[call] as (...given: unknown[]) => unknown)(...args) }
  } catch (error) {
    const { code, errcode, message } = error as { code?: string; errcode?: number; message?: string }
    return {
      id,
      ok: false,
      code: errcode === undefined ? (code ?? 'unknown') : `${errcode}`,
      message: message ?? String(error),
    }
  }
}

const port = parentPort
if (!port) throw new Error('The passage index runs as a worker thread.')
const waiting = new Map<number, { call: CallName; args: unknown[] }>()

/** One call per turn, so that a cancel that has arrived meanwhile is seen before its call starts. */
const next = (): void => {
  const first = waiting.entries().next()
  if (first.done) return
  const [id, { call, args }] = first.value
  waiting.delete(id)
  port.postMessage(answer(id, call, args))
  if (call === 'close') port.close()
  else if (waiting.size > 0) setImmediate(next)
}
port.on('message', (request: Request) => {
  if (request.call === 'cancel') waiting.delete(request.id)
  else if (waiting.set(request.id, request).size === 1) setImmediate(next)
})
