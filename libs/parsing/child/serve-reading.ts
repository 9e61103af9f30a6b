import { Worker } from 'node:worker_threads'
import type { Format, ParsedDocument } from '@plumbline/contracts'
import { type DrawnPage, Unfit } from '@plumbline/ports/document-parser'
import type { Limits, Reading } from '../limits'
// Do not import parsers here. `reader.thread.ts` imports them, and a second import would double their memory.
import { tooLong, withinLimits } from '../document-limits'
import type { Allowance } from '../read-format'
import { allocator, threadUrl, slots } from './process-setup'
import { bomb, type Answer, type Order } from './protocol'

type Besides = Omit<Reading, 'name'> & Required<Pick<Reading, 'onPage'>>
type Work<O, T> = (bytes: Uint8Array, order: O, besides: Besides, allowance: Allowance) => Promise<T>
type Readers = { read: Work<Order, ParsedDocument>; draw: Work<Order & { page: number }, DrawnPage | null> }

const anyMb = 2 ** 30
const shared = new Int32Array(new SharedArrayBuffer(4 * slots.count))
const send = (answer: Answer): void => void process.send?.(answer)

const collectEvery = 16_000_000

const readStdin = async (bytes: number): Promise<Uint8Array> => {
  const whole = Buffer.allocUnsafeSlow(bytes)
  let [filled, collected] = [0, 0]
  while (filled < bytes) {
    const piece = process.stdin.read() as Buffer | null
    if (piece) filled += piece.copy(whole, filled)
    else await new Promise((resolve) => process.stdin.once('readable', resolve))
    // Collect garbage regularly. Otherwise, chunks that were already copied would fill the memory.
    if (filled - collected < collectEvery) continue
    collected = filled
    globalThis.gc?.()
  }
  return whole
}

/** OCR raises the limit of processor time for each page, and the limit of memory once. It stops after `ocrMs`. */
const ocrFor = ({ ocr, limits }: Order): Pick<Reading, 'ocr'> => {
  if (!ocr) return {}
  const until = performance.now() + limits.ocrMs
  const next = (): boolean => {
    if (performance.now() > until) return false
    if (Atomics.add(shared, slots.ocrPages, 1) === 0) send({ kind: 'ocr' })
    return true
  }
  return { ocr: { ...ocr, next } }
}

const answerBy = async ({ read, draw }: Readers, order: Order): Promise<Answer> => {
  const { limits } = order
  const file = await readStdin(order.bytes)
  const onPage = (done: number, of: number): void => {
    if (of > limits.pages) throw tooLong(`${of} pages, more than the limit of ${limits.pages}`)
    Atomics.store(shared, slots.pages, done)
    send({ kind: 'page', done, of })
  }
  const allow = (format: Format): void => {
    // A UTF-16 character has at most three bytes in UTF-8, so a larger file exceeds the limit of characters.
    if (['text', 'code', 'markdown', 'asciidoc', 'html'].includes(format) && order.bytes > 3 * limits.textChars)
      throw tooLong(`${order.bytes} bytes of text, more than the limit of ${3 * limits.textChars}`)
    const more = (perMb: Limits['cpuMsPerMb']): number => Math.round((order.bytes / 1e6) * perMb[format])
    Atomics.store(shared, slots.cpuMs, Math.min(limits.timeMs, limits.cpuMs + more(limits.cpuMsPerMb)))
    Atomics.store(shared, slots.memoryMb, startMb + keptBefore + limits.memoryMb + more(limits.memoryMbPerMb))
  }
  const besides = { onPage, ...ocrFor(order) }
  if (order.draw !== undefined) {
    const drawn = await draw(file, { ...order, page: order.draw }, besides, { loaded, allow })
    const page = drawn && { ...drawn, png: Buffer.from(drawn.png).toString('base64') }
    return { kind: 'drawn', page, memoryMb: keptMb() }
  }
  const document = await read(file, order, besides, { loaded, allow })
  return { kind: 'read', document: withinLimits(document, limits), memoryMb: keptMb() }
}

const isMemory = (error: unknown): boolean =>
  error instanceof RangeError &&
  /allocation failed|invalid (?:string|array|typed array|array buffer) length/i.test(error.message)

const heldMb = (): number => Math.round(process.memoryUsage.rss() / 1e6)

/** The memory of this process in MB before the first file, plus the memory of each parser that was loaded later. */
let startMb = 0
/** The memory in MB that earlier files left above `startMb` before the current file. It counts up to `keptMb`. */
let keptBefore = 0

const loaded = async <T>(load: () => Promise<T>): Promise<T> => {
  Atomics.store(shared, slots.memoryMb, anyMb)
  const before = heldMb()
  const reader = await load()
  startMb += Math.max(0, heldMb() - before)
  return reader
}

/** If the heap is larger than this, garbage is collected after each file. */
const mostHeapMb = 48

const keptMb = (): number => {
  if (process.memoryUsage().heapTotal > mostHeapMb * 1e6) globalThis.gc?.()
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

/** Reads the files that the parent process sends. The parent may kill this process at any time. */
export const serveReading = (readers: Readers): void => {
  let files = 0
  const serve = async (order: Order): Promise<void> => {
    startMb ||= heldMb()
    keptBefore = Math.max(0, Math.min(order.limits.keptMb, heldMb() - startMb))
    Atomics.store(shared, slots.pages, 0)
    Atomics.store(shared, slots.ocrPages, 0)
    Atomics.store(shared, slots.cpuMsPerOcrPage, order.limits.cpuMsPerOcrPage)
    Atomics.store(shared, slots.ocrMemoryMb, order.limits.ocrMemoryMb)
    Atomics.store(shared, slots.cpuMs, order.limits.cpuMs + Math.round(order.bytes / 1e4))
    Atomics.store(shared, slots.cpuMsPerPage, order.limits.cpuMsPerPage)
    // The limits of time and memory are preliminary, because the format is not known yet.
    Atomics.store(shared, slots.memoryMb, startMb + keptBefore + order.limits.memoryMb + Math.round(order.bytes / 1e5))
    Atomics.store(shared, slots.memoryMbPerPage, order.limits.memoryMbPerPage)
    Atomics.store(shared, slots.mostMemoryMb, order.limits.mostMemoryMb)
    Atomics.store(shared, slots.file, (files += 1))
    Atomics.notify(shared, slots.file)
    const answer = await answerBy(readers, order).catch((error: unknown) => refusal(error, keptMb()))
    Atomics.store(shared, slots.file, 0)
    send(answer)
  }
  Atomics.store(shared, slots.mostMemoryMb, anyMb)
  Atomics.store(shared, slots.memoryMb, anyMb)
  for (const name of Object.keys(allocator)) delete process.env[name]
  new Worker(threadUrl('watchdog'), { workerData: shared.buffer }).unref()
  // Ignore signals such as Ctrl-C. They are meant for the parent process, which then ends this process.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
  process.on('disconnect', () => process.exit())
  process.on('message', (order: Order) => void serve(order))
}
