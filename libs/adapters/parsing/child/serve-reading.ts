import { Worker } from 'node:worker_threads'
import type { Format, ParsedDocument } from '@plumbline/contracts'
import type { OnPage } from '@plumbline/ports/document-parser'
import { Unfit } from '@plumbline/ports/document-parser'
import { besideThis } from './entry'
import { bomb } from './endings'
import type { Answer, Order } from './protocol'
import { slots } from './shared-slots'

/** To be called with the format as soon as it is known: how much time a file may take depends on it. */
type Allow = (format: Format) => void
export type ReadFile = (bytes: Uint8Array, order: Order, onPage: OnPage, allow: Allow) => Promise<ParsedDocument>

const shared = new Int32Array(new SharedArrayBuffer(4 * slots.count))
const tell = (answer: Answer): void => void process.send?.(answer)

/** The next bytes of standard input, exactly so many: the bytes of the next file may not come before they are asked for. */
const take = async (bytes: number): Promise<Uint8Array> => {
  const whole = Buffer.allocUnsafeSlow(bytes)
  let filled = 0
  while (filled < bytes) {
    const piece = process.stdin.read() as Buffer | null
    if (piece) filled += piece.copy(whole, filled)
    else await new Promise((resolve) => process.stdin.once('readable', resolve))
  }
  return whole
}

const tooLong = (what: string): Unfit =>
  new Unfit('too-large', `This document has ${what}. Split it into smaller documents and bring each of them.`)

/** What a document says of itself beside its text is shown in lists, where one line is enough. */
const mostCharacters = 300
const mostNotes = 100

const inShort = ({ title, notes, ...document }: ParsedDocument): ParsedDocument => ({
  ...document,
  ...(title !== undefined && { title: title.slice(0, mostCharacters) }),
  ...(notes && { notes: notes.slice(0, mostNotes).map((note) => note.slice(0, mostCharacters)) }),
})

const readBy = async (readFile: ReadFile, order: Order): Promise<ParsedDocument> => {
  const { limits } = order
  const file = await take(order.bytes)
  const onPage = (done: number, of: number): void => {
    if (of > limits.pages) throw tooLong(`${of} pages, more than the ${limits.pages} that are read`)
    Atomics.store(shared, slots.pages, done)
    tell({ kind: 'page', done, of })
  }
  const allow = (format: Format): void =>
    void Atomics.store(
      shared,
      slots.cpuMs,
      Math.min(limits.timeMs, limits.cpuMs + Math.round((order.bytes / 1e6) * limits.cpuMsPerMb[format])),
    )
  const document = await readFile(file, order, onPage, allow)
  const chars = document.parts.reduce((sum, { text }) => sum + text.length, 0)
  if (chars > limits.textChars)
    throw tooLong(`${chars} characters of text, more than the ${limits.textChars} that are kept`)
  return inShort(document)
}

const isMemory = (error: unknown): boolean =>
  error instanceof RangeError &&
  /allocation failed|invalid (?:string|array|typed array|array buffer) length/i.test(error.message)

const memoryMb = (): number => Math.round(process.memoryUsage.rss() / 1e6)

const refusal = (error: unknown): Answer => {
  if (error instanceof Unfit)
    return {
      kind: 'unfit',
      reason: error.reason,
      words: error.words,
      ...(error.page !== undefined && { page: error.page }),
      memoryMb: memoryMb(),
    }
  if (isMemory(error)) return { kind: 'unfit', reason: 'bomb', words: bomb().words, memoryMb: memoryMb() }
  return {
    kind: 'fault',
    message: error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 500) : 'unknown',
  }
}

/** Reads what the parent sends, one file after another. This process may be ended at any moment: whatever a file does to its reader, it does here. */
export const serveReading = (readFile: ReadFile): void => {
  let files = 0
  const serve = async (order: Order): Promise<void> => {
    Atomics.store(shared, slots.pages, 0)
    Atomics.store(shared, slots.cpuMs, order.limits.cpuMs + Math.round(order.bytes / 1e4))
    Atomics.store(shared, slots.cpuMsPerPage, order.limits.cpuMsPerPage)
    Atomics.store(shared, slots.memoryMb, order.limits.memoryMb)
    Atomics.store(shared, slots.file, (files += 1))
    const answer = await readBy(readFile, order).then(
      (document): Answer => ({ kind: 'read', document, memoryMb: memoryMb() }),
      refusal,
    )
    Atomics.store(shared, slots.file, 0)
    tell(answer)
  }
  Atomics.store(shared, slots.memoryMb, 2 ** 30)
  new Worker(besideThis('watchdog'), { workerData: shared.buffer }).unref()
  // Who presses Ctrl-C means the parent, which ends this process when it has finished.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
  process.on('disconnect', () => process.exit())
  process.on('message', (order: Order) => void serve(order))
}
