import type { DocumentFiles } from '@plumbline/adapters/files/document-files'
import type { Catalog } from '@plumbline/adapters/redis/documents/catalog'
import { documentIdOf } from '@plumbline/adapters/redis/documents/document'
import type { IngestJob } from '@plumbline/adapters/redis/documents/open-documents'
import type { OpenRun, SourceRuns } from '../../store/source-runs'
import type { SourceCounts, SourceFailure, SourceRunning, SourceSettings, SourceTask } from '@plumbline/contracts'
import { AppError, type Log } from '@plumbline/platform'
import type { DocumentSource } from '@plumbline/ports/document-source'
import type { PassageIndex } from '@plumbline/ports/passage-index/passage-index'
import type { MeasureSources } from './metrics'

export type SyncPorts = {
  runs: SourceRuns
  catalog: Catalog
  files: DocumentFiles
  queue: { add(job: IngestJob, waiting: number): Promise<void> }
  index: Pick<PassageIndex, 'remove'>
  openSource(settings: SourceSettings, tenant: string): Promise<DocumentSource>
  log: Pick<Log, 'info' | 'warn' | 'error'>
  measure?: MeasureSources
}

export type Tally = {
  outcomes: Map<string, keyof SourceCounts>
  failures: Map<string, string>
  removed: number
  task: SourceTask
  done: number
  of: number
}
export const openTally = (): Tally => ({
  outcomes: new Map(),
  failures: new Map(),
  removed: 0,
  task: 'list',
  done: 0,
  of: 0,
})

export type SourceRun = {
  ports: SyncPorts
  open: OpenRun
  tally: Tally
  signal: AbortSignal
  /** True if another run of this source was requested. A request to remove the source aborts `signal` instead. */
  isRunRequested(): boolean
}

/** The document name contains the source's name, so that documents of different sources never share a name. */
export const documentName = ({ open }: Pick<SourceRun, 'open'>, path: string): string => `${open.name}/${path}`
export const documentId = (run: Pick<SourceRun, 'open'>, path: string): string =>
  documentIdOf(run.open.tenant, run.open.source.collection, { name: documentName(run, path) })

/** Thrown if another run owns the lease of the source. This run then ends without a result. */
export class LostSource extends Error {
  override readonly name = 'LostSource'
}

export const beginTask = (tally: Tally, task: SourceTask, of: number): void =>
  void Object.assign(tally, { task, of, done: 0 })

export const failFile = ({ outcomes, failures }: Tally, path: string, words: string): void => {
  outcomes.set(path, 'failed')
  failures.set(path, words)
}

export const countsOf = ({ outcomes, removed }: Tally): SourceCounts => {
  const counts = { added: 0, changed: 0, moved: 0, removed, unchanged: 0, skipped: 0, failed: 0 }
  for (const as of outcomes.values()) counts[as] += 1
  return counts
}

const failuresShown = 100
export const failuresOf = ({ failures }: Tally): SourceFailure[] =>
  [...failures]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, failuresShown)
    .map(([path, error]) => ({ path, error }))

export const progressOf = ({ open, tally }: Pick<SourceRun, 'open' | 'tally'>): SourceRunning => ({
  startedAt: new Date(open.now).toISOString(),
  task: tally.task,
  done: tally.done,
  of: tally.of,
  counts: countsOf(tally),
})

const maxFailureLetters = 500

const errorText = (error: unknown): string => {
  if (error instanceof Error && 'words' in error && typeof error.words === 'string') return error.words
  if (error instanceof AppError) return error.cause instanceof Error ? error.cause.message : error.code
  return error instanceof Error ? error.message : String(error)
}
export const failureText = (error: unknown): string => errorText(error).slice(0, maxFailureLetters)

/**
 * Returns whether an error ends the whole run: a store failed, this process stops, or the lease is lost. Another run
 * then continues.
 */
export const endsRun = (error: unknown, signal: AbortSignal): boolean =>
  signal.aborted ||
  error instanceof LostSource ||
  (error instanceof AppError && /^(?:store|queue|documents)\./.test(error.code))

export const forEachLimited = async <T>(
  all: readonly T[],
  atOnce: number,
  work: (one: T) => Promise<void>,
): Promise<void> => {
  const waiting = all.values()
  let isBroken = false
  const workOn = async (): Promise<void> => {
    for (const one of waiting) {
      if (isBroken) return
      await work(one).catch((error: unknown) => {
        isBroken = true
        throw error
      })
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, workOn))
  const broken = ended.find((one) => one.status === 'rejected')
  if (broken) throw broken.reason
}
