import type { DocumentFiles } from '@plumbline/adapters/files/document-files'
import type { IngestCatalog, IngestJob, DocumentUpdate, OpenDocument } from '@plumbline/adapters/redis'
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
  /** Whether documents are indexed by words first, and get their vectors later. */
  embedsLater: boolean
  queue: { add(job: IngestJob, waiting: number): Promise<void> }
  /** Charges the tenant for the embedding of a document, once per call of the embedder. */
  charge?: (document: { id: string; tenant: string }, usage: Usage) => void
  measure?: MeasureDocuments
  /** Called between pieces of work, with the duration of the last one, so that questions go first. */
  yieldToQuestions?: (workedMs: number, signal: AbortSignal) => Promise<void>
  /** Runs work that waits for an external server. Meanwhile, other documents use the slot. */
  inBackground(name: string, work: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void>
  /** Runs one call at a time, because a document is in memory as a whole while it is written to the index. */
  alone<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>
}

/** A delivery that works on one revision of a document. `tally`: starts and errors since the last completed step. */
export type Work = {
  ports: IngestPorts
  open: OpenDocument
  signal: AbortSignal
  tally: { starts: number; errors: number }
  restedAt: number
  notes: Notes
}

/** Progress that is not yet in the catalog. A short document writes all of it once. */
export type Notes = { pending: DocumentUpdate; timer: NodeJS.Timeout | undefined; lost: boolean }
export const noNotes = (): Notes => ({ pending: {}, timer: undefined, lost: false })

/** Thrown if the document is gone or a newer delivery has it. This delivery then ends without an error. */
export class Lost extends Error {
  override readonly name = 'Lost'
}

/** Thrown if a document is readable but must not be indexed. */
export class Refused extends AppError {
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

/** Writes all pending progress. Throws if the document is gone or a newer delivery has it. */
export const writeNotes = async (work: Work): Promise<void> => {
  const { ports, open, signal, notes } = work
  const pending = takeNotes(work)
  signal.throwIfAborted()
  if (notes.lost || !(await ports.catalog.progress(open, pending))) throw new Lost()
}

/** Returns the pending progress, to be written with a failure. */
export const pendingNotes = (work: Work): DocumentUpdate => takeNotes(work)

/** Notes progress. It is written within 100 ms, together with the notes that follow. */
export const note = async (work: Work, noted: DocumentUpdate): Promise<void> => {
  const { ports, open, signal, notes } = work
  signal.throwIfAborted()
  if (notes.lost) throw new Lost()
  Object.assign(notes.pending, noted)
  const write = async (): Promise<void> => {
    if (!(await ports.catalog.progress(open, takeNotes(work)))) notes.lost = true
  }
  // Ignores an error: the delivery waits for the next write, which fails for the same reason.
  notes.timer ??= setTimeout(() => void write().catch(() => undefined), writeNotesAfterMs).unref()
  await Promise.resolve()
}

/** Notes progress that a later try keeps, and resets the counts of starts and errors. */
export const noteDone = async (work: Work, noted: DocumentUpdate): Promise<void> => {
  work.tally = { starts: 1, errors: 0 }
  await note(work, { ...noted, ...work.tally })
}

/** Lets questions go first before the next piece of work. */
export const rest = async (work: Work): Promise<void> => {
  await work.ports.yieldToQuestions?.(performance.now() - work.restedAt, work.signal)
  work.restedAt = performance.now()
}

/** The percentage that is shown after each task. */
export const percentAfter = { fetch: 5, parse: 30, chunk: 35, embed: 90, index: 100 }
export const between = (from: number, to: number, share: number): number => Math.round(from + (to - from) * share)
