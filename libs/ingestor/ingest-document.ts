import { lexicalEmbedder } from '@plumbline/adapters/offline/lexical-embedder'
import type { Failure } from '@plumbline/adapters/redis/documents/ingest-catalog'
import type { IngestJob } from '@plumbline/adapters/redis/documents/open-documents'
import { AppError, retryOf } from '@plumbline/platform'
import { errorTypeOf, noteFailure } from '@plumbline/platform/tracing/spans'
import { Unfit } from '@plumbline/ports/document-parser'
import type { Embedder } from '@plumbline/ports/search-models'
import { Stopped } from '@plumbline/worker'
import { embedPassages, indexPassages, isServed, splitIntoPassages } from './index-passages'
import { fetchOriginal, parseOriginal } from './read-document'
import { inDocumentSpan } from './trace-document'
import {
  DocumentLost,
  DocumentRefused,
  type IngestPorts,
  noProgress,
  pendingNotes,
  rest,
  type Work,
  writeNotes,
} from './work'

export type IngestOutcome = 'indexed' | 'failed' | 'gone' | 'stale' | 'closed' | 'suspect'
/**
 * `again`: an earlier delivery of the same job has begun and may have written to the index. `isolated`: the process
 * works on no other document.
 */
export type IngestRequest = IngestJob & { again: boolean; isolated: boolean }

/** A document may crash more often than it may fail, because a process can also crash for other reasons. */
export const mostErrors = 6
export const mostCrashes = 12
const mostRounds = 5

const words = {
  broken: 'The document could not be indexed. Retry the document, or ask the operator to look into the log.',
  gaveUp:
    'The document could not be indexed after several tries. Retry the document, or ask the operator to look into the log.',
  unreachable:
    'The address did not answer after several tries. Check the address and retry, or upload the document as a file.',
  unavailable: (said: string) =>
    `${said} instead of a document after several tries. Retry later, or upload the document as a file.`,
}

const failureOf = (error: unknown): Failure => {
  const code = error instanceof AppError ? error.code : 'document.failed'
  if (error instanceof Unfit)
    return { error: error.words, problem: { code, ...(error.page !== undefined && { page: error.page }) } }
  if (error instanceof DocumentRefused) return { error: error.words, problem: { code } }
  if (code === 'fetch.unavailable' && error instanceof Error && error.cause instanceof Error)
    return { error: words.unavailable(error.cause.message), problem: { code } }
  if (code.startsWith('fetch.')) return { error: words.unreachable, problem: { code } }
  return {
    error: retryOf(error) === 'never' && code !== 'document.crashed' ? words.broken : words.gaveUp,
    problem: { code },
  }
}

const isHandedBack = ({ aborted, reason }: AbortSignal): boolean =>
  aborted && reason instanceof Stopped && reason.why !== 'timeout'

/**
 * Returns whether an error is temporary and therefore does not count as a failed attempt. An unreachable address
 * counts, because it may never respond.
 */
const passes = (error: unknown, signal: AbortSignal): boolean => {
  if (signal.aborted) return isHandedBack(signal)
  return retryOf(error) === 'later' && !(error instanceof AppError && error.code.startsWith('fetch.'))
}

/**
 * Keeps lexical vectors (computed from words, without a model) for a collection that has them, so that no embedding
 * server is needed. If the index can add other vectors later, uses the configured embedder.
 */
const embedderFor = ({ embedder, index }: IngestPorts, settings: { embedder?: string | undefined } | null): Embedder =>
  !index.laterVectors && settings?.embedder === lexicalEmbedder.name ? lexicalEmbedder : embedder

const pass = async (work: Work): Promise<number> => {
  const { ports, open } = work
  await rest(work)
  const { original, version } = await fetchOriginal(work)
  const [parsed, settings] = await Promise.all([
    parseOriginal(work, original),
    ports.catalog.collection(open.tenant, open.document.collection),
  ])
  work.ports = { ...ports, embedder: embedderFor(ports, settings) }
  const passages = await splitIntoPassages(work, parsed, version, settings)
  if (isServed(open, version)) return passages.length
  if (!ports.embedsLater) {
    await embedPassages(work, passages)
    await rest(work)
  }
  await indexPassages(work, passages, version, parsed.metadata)
  return passages.length
}

/** Cleans up after an outdated job. Keeps files of other revisions, because the document may have been added again. */
const settle = async (
  { catalog, index, files, queue }: IngestPorts,
  { documentId, revision, tenant }: IngestJob,
  kind: 'gone' | 'stale',
  signal: AbortSignal,
): Promise<void> => {
  if (kind === 'gone') {
    await index.remove(tenant, documentId, signal)
    await files.dropDeleted({ tenant, id: documentId, revision })
  }
  const job = await catalog.reopen(tenant, documentId)
  if (job) await queue.add(job, 1)
}

const finish = async (work: Work, passages: number): Promise<IngestOutcome | 'again'> => {
  const { ports, open, signal } = work
  const { id, tenant, revision } = open
  if (Object.keys(work.notes.pending).length > 0) await writeNotes(work)
  const job: IngestJob = { documentId: id, tenant, revision }
  const finished = await ports.catalog.finish(open, passages)
  switch (finished.kind) {
    case 'again':
      return 'again'
    case 'gone':
      await settle(ports, job, 'gone', signal)
      return 'gone'
    case 'fenced':
    case 'stale':
      await settle(ports, job, 'stale', signal)
      return 'stale'
    case 'done':
      await ports.files.dropVectors(open)
      if (finished.before && finished.before !== revision)
        await ports.files.drop({ ...open, revision: finished.before })
      return 'indexed'
  }
}

const attempt = async (work: Work): Promise<IngestOutcome | 'again'> => {
  const { ports, open, signal } = work
  try {
    if (open.starts > mostCrashes) throw new AppError('document.crashed', 'never')
    return await finish(work, await pass(work))
  } catch (error) {
    if (error instanceof DocumentLost) return 'stale'
    const errors = work.tally.errors + (passes(error, signal) ? 0 : 1)
    const hopeless = retryOf(error) === 'never' && !signal.aborted
    noteFailure(errorTypeOf(error))
    const pending = pendingNotes(work)
    if (hopeless || errors >= mostErrors)
      return (await ports.catalog.fail(open, { ...pending, ...failureOf(error) })) ? 'failed' : 'stale'
    // If the job goes back to the queue, this start is not counted. After an error, the number of starts is 0 again.
    const starts = isHandedBack(signal) ? work.tally.starts - 1 : 0
    await ports.catalog.progress(open, { ...pending, starts, errors })
    throw error
  }
}

export const ingestDocument =
  (ports: IngestPorts) =>
  async ({ again, isolated, ...job }: IngestRequest, signal: AbortSignal): Promise<IngestOutcome> => {
    for (let round = 0; round < mostRounds; round += 1) {
      const begun = await ports.catalog.begin(job.documentId, job.revision, { isolated })
      if (begun.kind === 'suspect') return begun.kind
      if (begun.kind !== 'open') {
        if (again && begun.kind === 'closed') await ports.files.dropVectors({ ...job, id: job.documentId })
        if (again && begun.kind !== 'closed') await settle(ports, job, begun.kind, signal)
        return begun.kind
      }
      const { open } = begun
      const outcome = await inDocumentSpan(open, () =>
        attempt({
          ports,
          open,
          signal,
          tally: { starts: open.starts, errors: open.errors },
          restedAt: performance.now(),
          notes: noProgress(),
        }),
      )
      if (outcome !== 'again') return outcome
    }
    throw new AppError('document.restless', 'later')
  }
