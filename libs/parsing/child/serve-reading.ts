import { Worker } from 'node:worker_threads'
import type { Format, ParsedDocument } from '@plumbline/contracts'
import { Unfit, type OnPage } from '@plumbline/ports/document-parser'
import type { Limits } from '../limits'
import type { Allowance } from '../read-format'
import { threadUrl, slots } from './process-setup'
import { bomb, type Answer, type Order } from './protocol'

type ReadFile = (bytes: Uint8Array, order: Order, onPage: OnPage, allowance: Allowance) => Promise<ParsedDocument>

const anyMb = 2 ** 30
const shared = new Int32Array(new SharedArrayBuffer(4 * slots.count))
const send = (answer: Answer): void => void process.send?.(answer)

const collectEvery = 16_000_000

/** The next bytes of standard input, exactly so many: the bytes of the next file may not come before they are asked for. */
const readStdin = async (bytes: number): Promise<Uint8Array> => {
  const whole = Buffer.allocUnsafeSlow(bytes)
  let [filled, collected] = [0, 0]
  while (filled < bytes) {
    const piece = process.stdin.read() as Buffer | null
    if (piece) filled += piece.copy(whole, filled)
    else await new Promise((resolve) => process.stdin.once('readable', resolve))
    // The pieces of a large file would stand beside it until memory runs short.
    if (filled - collected < collectEvery) continue
    collected = filled
    globalThis.gc?.()
  }
  return whole
}

const tooLong = (what: string): Unfit =>
  new Unfit('too-large', `This document has ${what}. Split it into smaller documents and bring each of them.`)

/** What a document says of itself beside its text is shown in lists, where one line is enough. */
const mostCharacters = 300
const mostNotes = 100

const withShortNotes = ({ title, notes, ...document }: ParsedDocument): ParsedDocument => ({
  ...document,
  ...(title !== undefined && { title: title.slice(0, mostCharacters) }),
  ...(notes && { notes: notes.slice(0, mostNotes).map((note) => note.slice(0, mostCharacters)) }),
})

const readBy = async (readFile: ReadFile, order: Order): Promise<ParsedDocument> => {
  const { limits } = order
  const file = await readStdin(order.bytes)
  const onPage = (done: number, of: number): void => {
    if (of > limits.pages) throw tooLong(`${of} pages, more than the ${limits.pages} that are read`)
    Atomics.store(shared, slots.pages, done)
    send({ kind: 'page', done, of })
  }
  const allow = (format: Format): void => {
    // No character of a text takes more than three bytes, in whatever encoding; CSV says for itself how large it is.
    if (['text', 'code', 'markdown', 'asciidoc', 'html'].includes(format) && order.bytes > 3 * limits.textChars)
      throw tooLong(`${order.bytes} bytes of text, more than the ${3 * limits.textChars} that are read`)
    const more = (perMb: Limits['cpuMsPerMb']): number => Math.round((order.bytes / 1e6) * perMb[format])
    Atomics.store(shared, slots.cpuMs, Math.min(limits.timeMs, limits.cpuMs + more(limits.cpuMsPerMb)))
    Atomics.store(shared, slots.memoryMb, startMb + limits.memoryMb + more(limits.memoryMbPerMb))
  }
  const document = await readFile(file, order, onPage, { loaded, allow })
  const chars = document.parts.reduce((sum, { text }) => sum + text.length, 0)
  if (chars > limits.textChars)
    throw tooLong(`${chars} characters of text, more than the ${limits.textChars} that are kept`)
  return withShortNotes(document)
}

const isMemory = (error: unknown): boolean =>
  error instanceof RangeError &&
  /allocation failed|invalid (?:string|array|typed array|array buffer) length/i.test(error.message)

const heldMb = (): number => Math.round(process.memoryUsage.rss() / 1e6)

/** What this process held before its first file, with the readers it has loaded since. */
let startMb = 0

const loaded = async <T>(load: () => Promise<T>): Promise<T> => {
  Atomics.store(shared, slots.memoryMb, anyMb)
  const before = heldMb()
  const reader = await load()
  startMb += Math.max(0, heldMb() - before)
  return reader
}

/** Beyond its start, once what is no longer used is given back. */
const keptMb = ({ memoryMb }: Limits): number => {
  if (heldMb() - startMb > memoryMb / 2) globalThis.gc?.()
  return heldMb() - startMb
}

const refusal = (error: unknown, memoryMb: number): Answer => {
  if (error instanceof Unfit)
    return {
      kind: 'unfit',
      reason: error.reason,
      words: error.words,
      ...(error.page !== undefined && { page: error.page }),
      memoryMb,
    }
  if (isMemory(error)) return { kind: 'unfit', reason: 'bomb', words: bomb().words, memoryMb }
  return {
    kind: 'fault',
    message: error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 500) : 'unknown',
  }
}

/** Reads what the parent sends, one file after another. This process may be ended at any moment: whatever a file does to its reader, it does here. */
export const serveReading = (readFile: ReadFile): void => {
  let files = 0
  const serve = async (order: Order): Promise<void> => {
    startMb ||= heldMb()
    Atomics.store(shared, slots.pages, 0)
    Atomics.store(shared, slots.cpuMs, order.limits.cpuMs + Math.round(order.bytes / 1e4))
    Atomics.store(shared, slots.cpuMsPerPage, order.limits.cpuMsPerPage)
    // Its bytes come before anything is known of them.
    Atomics.store(shared, slots.memoryMb, startMb + order.limits.memoryMb + Math.round(order.bytes / 1e5))
    Atomics.store(shared, slots.memoryMbPerPage, order.limits.memoryMbPerPage)
    Atomics.store(shared, slots.mostMemoryMb, order.limits.mostMemoryMb)
    Atomics.store(shared, slots.file, (files += 1))
    const answer = await readBy(readFile, order).then(
      (document): Answer => ({ kind: 'read', document, memoryMb: keptMb(order.limits) }),
      (error: unknown) => refusal(error, keptMb(order.limits)),
    )
    Atomics.store(shared, slots.file, 0)
    send(answer)
  }
  Atomics.store(shared, slots.mostMemoryMb, anyMb)
  Atomics.store(shared, slots.memoryMb, anyMb)
  new Worker(threadUrl('watchdog'), { workerData: shared.buffer }).unref()
  // Who presses Ctrl-C means the parent, which ends this process when it has finished.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
  process.on('disconnect', () => process.exit())
  process.on('message', (order: Order) => void serve(order))
}
