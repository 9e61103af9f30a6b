import { fork, type ChildProcess } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import type { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { ParsedDocument } from '@plumbline/contracts'
import { AppError } from '@plumbline/platform'
import { type DrawnPage, Unfit, type OnPage, type SourceFile } from '@plumbline/ports/document-parser'
import type { Limits } from '../limits'
import type { OcrData } from '../ocr/recognise'
import { allocator, threadUrl, nodeArgs } from './process-setup'
import { Answer, crashed, tooSlow, wentWrong, type Order } from './protocol'

export type Job = {
  file: SourceFile
  bytes: number
  signal: AbortSignal
  onPage?: OnPage
  ocr?: OcrData
  /** The page to draw. If it is not set, the whole file is read. */
  draw?: number
}
export type Done = { kind: 'read'; document: ParsedDocument } | { kind: 'drawn'; page: DrawnPage | null }

export type Child = {
  work(job: Job): Promise<Done>
  /** Returns false if the process has ended, has read its maximum number of files, or keeps too much memory. */
  fit(): boolean
  end(): void
  close(): Promise<void>
}

/** Lowers the priority of the child process. If memory runs out, the operating system kills the child process first. */
const lowerPriority = (child: ChildProcess): void => {
  if (child.pid === undefined) return
  void writeFile(`/proc/${child.pid}/oom_score_adj`, '1000').catch(() => undefined)
  try {
    setPriority(child.pid, 10)
  } catch {
    // Ignore the error, because the priority is already lower and cannot be raised.
  }
}

/** Sets whether the child keeps this Node process alive, which is needed only while the child reads a file. */
const keepAlive = (child: ChildProcess, held: boolean): void => {
  const handles = [child, child.channel, child.stdin, child.stderr] as (
    { ref?(): void; unref?(): void } | null | undefined
  )[]
  for (const handle of handles) (held ? handle?.ref : handle?.unref)?.call(handle)
}

const orderOf = ({ file, bytes, ocr, draw }: Job, limits: Limits): Order => ({
  bytes,
  name: file.name,
  ...(file.mediaType && { mediaType: file.mediaType }),
  ...(file.format && { format: file.format }),
  limits,
  ...(ocr && { ocr }),
  ...(draw !== undefined && { draw }),
})

/** The returned function returns the last 4,000 characters of standard error, which may show why the child ended. */
const listenTo = (child: ChildProcess): (() => string) => {
  let said = ''
  child.stderr?.on('data', (piece: Buffer) => (said = (said + piece.toString('latin1')).slice(-4_000)))
  child.stderr?.on('error', () => undefined)
  child.stdin?.on('error', () => undefined)
  return () => said
}

const drained = (stream: Writable): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done).off('close', done)
      resolve()
    }
    stream.on('drain', done).on('close', done)
  })

const sendFile = async (child: ChildProcess, job: Job, limits: Limits): Promise<void> => {
  const { stdin } = child
  if (!stdin) throw new Error('the reading process has no standard input')
  child.send(orderOf(job, limits))
  const file = createReadStream(job.file.path, { end: job.bytes - 1, signal: job.signal })
  for await (const piece of file) if (!stdin.destroyed && !stdin.write(piece)) await drained(stdin)
  if (file.bytesRead < job.bytes) throw new Error('the file became shorter while it was read')
}

type Ends = {
  ocr(): void
  done(done: Done, memoryMb: number): void
  unfit(error: Unfit, memoryMb: number): void
  broken(error: unknown): void
}

const onAnswer =
  (job: Job, { ocr, done, unfit, broken }: Ends) =>
  (message: unknown): void => {
    const { data: answer } = Answer.safeParse(message)
    switch (answer?.kind) {
      case 'page':
        return job.onPage?.(answer.done, answer.of)
      case 'ocr':
        return ocr()
      case 'read':
        return done({ kind: 'read', document: answer.document }, answer.memoryMb)
      case 'drawn': {
        const page = answer.page && { ...answer.page, png: Buffer.from(answer.page.png, 'base64') }
        return done({ kind: 'drawn', page }, answer.memoryMb)
      }
      case 'unfit':
        return unfit(
          new Unfit(answer.reason, answer.words, { ...(answer.page !== undefined && { page: answer.page }) }),
          answer.memoryMb,
        )
      default:
        return broken(wentWrong(answer?.message ?? 'the reading process sent an unreadable answer'))
    }
  }

const launch = (limits: Limits, entry: URL): ChildProcess => {
  const child = fork(fileURLToPath(entry), {
    execArgv: nodeArgs(limits),
    env: allocator,
    stdio: ['pipe', 'ignore', 'pipe', 'ipc'],
  })
  lowerPriority(child)
  keepAlive(child, false)
  return child
}

const ending = (
  child: ChildProcess,
  said: string,
  code: number | null,
  signal: NodeJS.Signals | null,
  limits: Limits,
): AppError =>
  child.pid === undefined
    ? new AppError('parser.start', 'later', { cause: new Error(`the reading process could not be started (${code})`) })
    : crashed(said, code, signal, limits)

/** Starts a process that reads files. The process is ended if it sends an invalid answer. */
export const startChild = (limits: Limits, entry = threadUrl('reader')): Child => {
  const child = launch(limits, entry)
  const said = listenTo(child)
  let [files, grown, ended, closed] = [0, false, false, false]
  const end = (): void => {
    ended = true
    child.kill('SIGKILL')
  }
  const gone = new Promise<unknown>((resolve) => child.once('exit', resolve).once('error', resolve))
  const close = async (): Promise<void> => {
    closed = true
    child.ref()
    end()
    await gone
  }
  child.on('error', end)
  child.on('exit', () => (ended = true))

  const work = async (job: Job): Promise<Done> => {
    const { promise, resolve, reject } = Promise.withResolvers<Done>()
    const broken = (error: unknown): void => {
      end()
      reject(error)
    }
    const answered =
      <T>(settle: (answer: T) => void) =>
      (answer: T, memoryMb: number): void => {
        grown = memoryMb > limits.keptMb
        settle(answer)
      }
    const endAfter = (ms: number): NodeJS.Timeout => setTimeout(() => broken(tooSlow(limits)), ms)
    let late = endAfter(limits.timeMs)
    let reads = 0
    const ocr = (): void => {
      if ((reads += 1) > 1) return
      clearTimeout(late)
      // Add `timeMs`, so that OCR can finish its last page.
      late = endAfter(limits.ocrMs + limits.timeMs)
    }
    const hear = onAnswer(job, { ocr, done: answered(resolve), unfit: answered(reject), broken })
    const abort = (): void => broken(job.signal.reason)
    const exited = (code: number | null, signal: NodeJS.Signals | null): void =>
      broken(closed ? new AppError('parser.closed', 'later') : ending(child, said(), code, signal, limits))
    job.signal.addEventListener('abort', abort, { once: true })
    child.on('message', hear).once('close', exited)
    keepAlive(child, true)
    files += 1
    sendFile(child, job, limits).catch(
      (cause: unknown) => !ended && broken(new AppError('parser.file', 'later', { cause })),
    )
    return promise.finally(() => {
      clearTimeout(late)
      job.signal.removeEventListener('abort', abort)
      child.off('message', hear).off('close', exited)
      keepAlive(child, false)
    })
  }
  return { work, fit: () => !ended && !grown && files < limits.filesPerProcess, end, close }
}
