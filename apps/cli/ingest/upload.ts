import { type FileHandle, open } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { getSystemErrorMessage } from 'node:util'
import { type Client, ProblemError, Unreachable } from '@plumbline/client'
import type { DocumentView, Format, TakenDocument } from '@plumbline/contracts'
import type { IngestOptions } from './args'
import type { FoundItem } from './find-files'

const pieceBytes = 65_536

export class FileShortened extends Error {
  override readonly message = 'the file became shorter while it was being sent: send the file again'
}

/**
 * Yields the first `size` bytes of a file in pieces. If the file grows during the upload, the next version of the
 * document contains the additional bytes.
 */
export async function* piecesOf(file: FileHandle, size: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let at = 0; at < size;) {
    const { bytesRead, buffer } = await file.read(new Uint8Array(Math.min(pieceBytes, size - at)), 0, null, at)
    if (bytesRead === 0) throw new FileShortened()
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

export type UploadResult = {
  name: string
  format: Format | 'url'
  outcome: 'new' | 'replaces' | 'unchanged' | 'failed'
  pages: number
  passages: number
  notes: string[]
  /** The document in the gateway's last response. Absent if the gateway never accepted the document. */
  view?: TakenDocument
  error?: string
  page?: number
}
export type UploadOptions = {
  client: Client
  options: IngestOptions
  stopping: AbortSignal
  onUpdate: (name: string, view: DocumentView) => void
  onWait: (words: string) => void
  /** Called when the gateway has accepted the document. Its indexing is not complete yet. */
  onSent?: () => void
  /** Follows the document together with others, without its own event stream. Returns null if that is not possible. */
  followOne?: (taken: TakenDocument) => Promise<DocumentView> | null
}

const backOffMs = [1_000, 2_000, 4_000, 8_000, 15_000]
const retryForMs = 180_000
/** Returns whether a later try may succeed, because the gateway is busy or does not respond. */
const isLater = (error: unknown): boolean =>
  error instanceof Unreachable
    ? (error.status ?? 503) >= 500
    : error instanceof ProblemError && [429, 503].includes(error.problem.status)
/** Returns whether every document would get this error: the key is refused, or the gateway accepts no requests. */
const affectsAll = (error: unknown): boolean =>
  isLater(error) || (error instanceof ProblemError && [401, 403].includes(error.problem.status))

export const sendWithRetries = async <T>(
  send: () => Promise<T>,
  { stopping, onWait }: Pick<UploadOptions, 'stopping' | 'onWait'>,
): Promise<T> => {
  const since = Date.now()
  for (let tries = 0; ; tries += 1) {
    try {
      return await send()
    } catch (error) {
      if (!isLater(error) || Date.now() - since > retryForMs) throw error
      const askedMs = error instanceof ProblemError && error.retryAfter !== undefined ? error.retryAfter * 1_000 : 0
      const pause = Math.max(askedMs, backOffMs[Math.min(tries, backOffMs.length - 1)] ?? 1_000)
      onWait(error instanceof Unreachable ? 'the gateway does not answer' : 'the gateway is busy')
      await wait(pause, undefined, { signal: stopping })
    }
  }
}

export const sharedFields = ({ collection, metadata, access }: IngestOptions) => ({
  collection,
  ...(Object.keys(metadata).length > 0 && { metadata }),
  ...(access.length > 0 && { access }),
})

/** Reads a small file as a whole, because sending several pieces takes longer. */
const contentOf = async (file: FileHandle, size: number): Promise<Parameters<Client['uploadDocument']>[0]> => {
  if (size === 0 || size > pieceBytes) return piecesOf(file, size)
  const { value } = await piecesOf(file, size).next()
  return value?.length === size ? value : piecesOf(file, size)
}

const send = async (one: FoundItem, { client, options, stopping }: UploadOptions): Promise<TakenDocument> => {
  const about = sharedFields(options)
  if (one.kind === 'url') return client.addDocument({ url: one.url, ...about }, { signal: stopping })
  const file = await open(one.path)
  try {
    const { size } = await file.stat()
    return await client.uploadDocument(
      await contentOf(file, size),
      one.name.split('/').at(-1) ?? one.name,
      { name: one.name, ...about },
      { signal: stopping },
    )
  } finally {
    await file.close()
  }
}

const follow = async (
  taken: TakenDocument,
  name: string,
  { client, onUpdate, stopping, followOne }: UploadOptions,
): Promise<DocumentView> => {
  if (taken.status === 'indexed') return taken
  const followed = followOne?.(taken)
  if (followed) return followed
  let last: DocumentView = taken
  for await (const view of client.documentEvents(taken.id, { signal: stopping })) {
    last = view
    onUpdate(name, view)
  }
  stopping.throwIfAborted()
  return last
}

const errorText = (error: unknown): string => {
  if (error instanceof ProblemError || error instanceof Unreachable || error instanceof FileShortened)
    return error.message
  if (error instanceof Error && 'errno' in error)
    return `the file cannot be read: ${getSystemErrorMessage(Number(error.errno))}`
  throw error
}

/** Sends a document and follows it until it is indexed. An error that affects only this document is in the result. */
export const uploadAndFollow = async (one: FoundItem, uploading: UploadOptions): Promise<UploadResult> => {
  const blank = {
    name: one.name,
    format: one.kind === 'url' ? ('url' as const) : one.format,
    pages: 0,
    passages: 0,
    notes: [],
  }
  try {
    const taken = await sendWithRetries(() => send(one, uploading), uploading)
    uploading.onUpdate(one.name, taken)
    uploading.onSent?.()
    // The same content was sent earlier, but indexing failed. Try again, because the cause may no longer exist.
    if (taken.taken === 'unchanged' && taken.status === 'failed')
      await sendWithRetries(() => uploading.client.retryDocument(taken.id, { signal: uploading.stopping }), uploading)
    const view = { ...(await follow(taken, one.name, uploading)), taken: taken.taken }
    const { status, progress, notes = [], warnings = [], error = 'no reason was given', problem } = view
    const counted = {
      ...blank,
      view,
      pages: progress.ofPages ?? progress.pages ?? 0,
      passages: progress.passages,
      notes: [...warnings.map(({ words }) => words), ...notes],
    }
    if (status === 'failed')
      return { ...counted, outcome: 'failed', error, ...(problem?.page !== undefined && { page: problem.page }) }
    return { ...counted, outcome: taken.taken === 'unchanged' && taken.status === 'failed' ? 'new' : taken.taken }
  } catch (error) {
    if (uploading.stopping.aborted || affectsAll(error)) throw error
    return { ...blank, outcome: 'failed', error: errorText(error) }
  }
}
