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
  /** Documents are found by words first, and get their vectors later. */
  embedsLater: boolean
  queue: { add(job: IngestJob, waiting: number): Promise<void> }
  /** Told what embedding a document cost its tenant, call by call. */
  charge?: (document: { id: string; tenant: string }, usage: Usage) => void
  measure?: MeasureDocuments
  /** Called between pieces of work, each of which took so long: questions go first. */
  yieldToQuestions?: (workedMs: number, signal: AbortSignal) => Promise<void>
  /** Work that waits on somebody else's server: while it lasts, others have the slot. */
  inBackground(name: string, work: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void>
  /** One document at a time, as each is held whole while the index takes it. */
  alone<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>
}

/** One delivery at work on one revision of a document. `tally`: its starts and errors since something of it was done. */
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

/** The document is gone, or a newer delivery has it: this one ends without a word. */
export class Lost extends Error {
  override readonly name = 'Lost'
}

/** Why a document is not indexed though it could be read. */
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

/** Returns the progress that a report of failure has to carry. */
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
  // An error here is found again by the next write, which the delivery waits for.
  notes.timer ??= setTimeout(() => void write().catch(() => undefined), writeNotesAfterMs).unref()
  await Promise.resolve()
}

/** Notes progress that is not lost again, and resets the counts of starts and errors. */
export const noteDone = async (work: Work, noted: DocumentUpdate): Promise<void> => {
  work.tally = { starts: 1, errors: 0 }
  await note(work, { ...noted, ...work.tally })
}

/** Lets others have their turn before the next piece of work. */
export const rest = async (work: Work): Promise<void> => {
  await work.ports.yieldToQuestions?.(performance.now() - work.restedAt, work.signal)
  work.restedAt = performance.now()
}

/** Percent at the end of each task. */
export const percentAfter = { fetch: 5, parse: 30, chunk: 35, embed: 90, index: 100 }
export const between = (from: number, to: number, share: number): number => Math.round(from + (to - from) * share)
