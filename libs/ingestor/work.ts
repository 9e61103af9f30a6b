import type { DocumentFiles } from '@plumbline/adapters/files/document-files'
import type { IngestCatalog, DocumentUpdate, OpenDocument } from '@plumbline/adapters/redis/documents/ingest-catalog'
import type { IngestJob } from '@plumbline/adapters/redis/documents/open-documents'
import type { FetchedDocument } from '@plumbline/adapters/fetching/fetch-document'
import type { Usage } from '@plumbline/contracts'
import { AppError } from '@plumbline/platform'
import type { DocumentParser } from '@plumbline/ports/document-parser'
import type { Embedder } from '@plumbline/ports/search-models'
import type { PassageIndex } from '@plumbline/ports/passage-index/passage-index'
import type { MeasureDocuments } from './metrics'

export type IngestPorts = {
  catalog: IngestCatalog
  files: DocumentFiles
  parser: DocumentParser
  fetch(url: string, signal: AbortSignal): Promise<FetchedDocument>
  index: PassageIndex
  embedder: Embedder
  /** If true, a new document can first be found by its words only, and its vectors are added later. */
  embedsLater: boolean
  queue: { add(job: IngestJob, waiting: number): Promise<void> }
  charge?: (document: { id: string; tenant: string }, usage: Usage) => void
  measure?: MeasureDocuments
  /** `workedMs` is the duration of the last step. */
  yieldToQuestions?: (workedMs: number, signal: AbortSignal) => Promise<void>
  /** Runs `work` in the background. If it takes long, its job goes back to the queue, so that the slot is free. */
  inBackground(name: string, work: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void>
  /** Runs one index write at a time, because a whole document is in memory while it is written. */
  alone<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>
}

/** `tally` contains the numbers of starts and errors since the last completed step. */
export type Work = {
  ports: IngestPorts
  open: OpenDocument
  signal: AbortSignal
  tally: { starts: number; errors: number }
  restedAt: number
  notes: PendingProgress
}

export type PendingProgress = { pending: DocumentUpdate; timer: NodeJS.Timeout | undefined; lost: boolean }
export const noProgress = (): PendingProgress => ({ pending: {}, timer: undefined, lost: false })

/** Thrown if the document was removed, or if a newer job delivery now owns the document. */
export class DocumentLost extends Error {
  override readonly name = 'DocumentLost'
}

export class DocumentRefused extends AppError {
  constructor(
    code: string,
    readonly words: string,
  ) {
    super(code, 'never')
  }
}

const writeNotesAfterMs = 100

const takeNotes = ({ notes }: Work): DocumentUpdate => {
  clearTimeout(notes.timer)
  const { pending } = notes
  notes.timer = undefined
  notes.pending = {}
  return pending
}

export const writeNotes = async (work: Work): Promise<void> => {
  const { ports, open, signal, notes } = work
  const pending = takeNotes(work)
  signal.throwIfAborted()
  if (notes.lost || !(await ports.catalog.progress(open, pending))) throw new DocumentLost()
}

export const pendingNotes = (work: Work): DocumentUpdate => takeNotes(work)

export const note = async (work: Work, noted: DocumentUpdate): Promise<void> => {
  const { ports, open, signal, notes } = work
  signal.throwIfAborted()
  if (notes.lost) throw new DocumentLost()
  Object.assign(notes.pending, noted)
  const write = async (): Promise<void> => {
    if (!(await ports.catalog.progress(open, takeNotes(work)))) notes.lost = true
  }
  // Ignore the error. If it persists, the next write fails with the same error and ends the job delivery.
  notes.timer ??= setTimeout(() => void write().catch(() => undefined), writeNotesAfterMs).unref()
  await Promise.resolve()
}

export const noteDone = async (work: Work, noted: DocumentUpdate): Promise<void> => {
  work.tally = { starts: 1, errors: 0 }
  await note(work, { ...noted, ...work.tally })
}

export const rest = async (work: Work): Promise<void> => {
  await work.ports.yieldToQuestions?.(performance.now() - work.restedAt, work.signal)
  work.restedAt = performance.now()
}

export const percentAfter = { fetch: 5, parse: 30, chunk: 35, embed: 90, index: 100 }
export const interpolate = (from: number, to: number, share: number): number => Math.round(from + (to - from) * share)
