import { rejectOnAbort } from '@plumbline/platform'
import { SourceError, type DocumentSource, type Listed } from '@plumbline/ports/document-source'
import { itemPath } from './item-path'
import type { SourceLimits } from './options'
import { asSourceError, tooSlow } from './source-errors'

const megabytes = (bytes: number): string =>
  bytes < 1e6 ? `${bytes.toLocaleString('en')} bytes` : `${Math.round(bytes / 1e6).toLocaleString('en')} MB`

const tooManyFiles = (files: number): SourceError =>
  new SourceError(
    'too-large',
    'never',
    `The source has more than ${files.toLocaleString('en')} files. Choose a subfolder, or split the files over several sources.`,
  )

const tooManyBytes = (bytes: number): SourceError =>
  new SourceError(
    'too-large',
    'never',
    `In total, the files of the source are larger than ${megabytes(bytes)}. Choose a subfolder, or split the files over several sources.`,
  )

const shownPath = (raw: string): string =>
  itemPath(raw) ??
  itemPath(
    raw
      .toWellFormed()
      .replaceAll(/[./\\\uFFFD]+/g, ' ')
      .slice(0, 200),
  ) ??
  'unnamed'

const skipped = (raw: string, why: string): Listed => ({ kind: 'skipped', path: shownPath(raw), why })

const itemChecker = (limits: SourceLimits) => {
  const seen = new Set<string>()
  let [files, bytes] = [0, 0]
  return (listed: Listed): Listed => {
    if (listed.kind === 'partial') return listed
    if (listed.kind === 'skipped') return skipped(listed.path, listed.why)
    const raw = listed.item
    if ((files += 1) > limits.files) throw tooManyFiles(limits.files)
    const path = itemPath(raw.path)
    if (path === null)
      return skipped(
        raw.path,
        'The path of the file leads out of the source, is longer than 500 characters or is not text. Rename the file.',
      )
    if (seen.has(path))
      return skipped(path, 'After special characters were removed, two files have the same path. Rename one of them.')
    seen.add(path)
    if (raw.size !== undefined && raw.size > limits.fileBytes)
      return skipped(path, `The file is larger than the limit of ${megabytes(limits.fileBytes)}.`)
    if ((bytes += raw.size ?? 0) > limits.bytes) throw tooManyBytes(limits.bytes)
    return { kind: 'item', item: path === raw.path ? raw : { ...raw, path, key: raw.key ?? raw.path } }
  }
}

/** Limits the total time of the calls to a source. The time between these calls does not count. */
const stopwatch = (ms: number) => {
  const stop = new AbortController()
  let left = ms
  return {
    signal: stop.signal,
    time: async <Result>(call: () => Promise<Result>): Promise<Result> => {
      const from = performance.now()
      const timer = setTimeout(() => stop.abort(), Math.max(1, left))
      try {
        return await call()
      } finally {
        clearTimeout(timer)
        left -= performance.now() - from
      }
    },
  }
}

/** Passes on the pieces of a source. Stops when the signal aborts, even if the source ignores the signal. */
async function* abortable<Piece>(
  pieces: AsyncIterable<Piece>,
  signal: AbortSignal,
  time: <Result>(call: () => Promise<Result>) => Promise<Result> = (call) => call(),
): AsyncGenerator<Piece> {
  signal.throwIfAborted()
  const iterator = pieces[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await time(() => rejectOnAbort(iterator.next(), signal))
      if (next.done) return
      yield next.value
      signal.throwIfAborted()
    }
  } finally {
    const left = iterator.return?.()
    // If the source was aborted, its end is not awaited, because a source that ignores the signal might never end.
    if (signal.aborted) left?.catch(() => undefined)
    else await left
  }
}

async function* checkedList(source: DocumentSource, limits: SourceLimits, signal: AbortSignal): AsyncGenerator<Listed> {
  const watch = stopwatch(limits.listMs)
  const limited = AbortSignal.any([signal, watch.signal])
  const check = itemChecker(limits)
  try {
    for await (const listed of abortable(source.list(limited), limited, watch.time)) yield check(listed)
  } catch (error) {
    signal.throwIfAborted()
    throw watch.signal.aborted ? tooSlow('The list', error) : asSourceError(error)
  }
}

async function* checkedContent(
  content: AsyncIterable<Uint8Array>,
  maxBytes: number,
  limited: AbortSignal,
  fault: (error: unknown) => unknown,
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  try {
    for await (const piece of abortable(content, limited)) {
      if ((bytes += piece.byteLength) > maxBytes)
        throw new SourceError('too-large', 'never', `The file is larger than the limit of ${megabytes(maxBytes)}.`)
      yield piece
    }
  } catch (error) {
    throw fault(error)
  }
}

export const checkedSource = (source: DocumentSource, limits: SourceLimits): DocumentSource => ({
  list: (signal) => checkedList(source, limits, signal),
  read: async (item, signal) => {
    const late = AbortSignal.timeout(limits.readMs)
    const limited = AbortSignal.any([signal, late])
    const fault = (error: unknown): unknown => {
      if (signal.aborted) return signal.reason
      return late.aborted ? tooSlow(item.path, error) : asSourceError(error)
    }
    try {
      limited.throwIfAborted()
      const found = await rejectOnAbort(source.read(item, limited), limited)
      return found && { ...found, content: checkedContent(found.content, limits.fileBytes, limited, fault) }
    } catch (error) {
      throw fault(error)
    }
  },
  close: () => source.close(),
})
