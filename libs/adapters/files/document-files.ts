import { createHash, randomUUID } from 'node:crypto'
import { unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { z } from 'zod'
import { type DrawnPage, Unfit } from '@plumbline/ports/document-parser'
import {
  type DocumentStore,
  type LocalFile,
  partsThatMake,
  type Revision,
  type StoredDocument,
  unfinishedSuffix,
} from '@plumbline/ports/document-store'
import { PageWords, ParsedDocument } from '@plumbline/contracts'
import { openFolderDocumentStore } from './folder-document-store'
import { openS3DocumentStore, type S3DocumentSettings } from './s3-document-store'
import { type DocumentRecord, jsonBytes, jsonIn, recordsIn } from './document-record'
import { type ClassifiedRevision, classifyAll, isUntouched } from './revision-status'
import { sweepStore, type Leftovers, type Swept } from './sweep'
import { vectorBytes, vectorsIn, type VectorsOf } from './vectors'
import { writeToFile } from './write-to-file'

const Original = z.object({
  name: z.string(),
  mediaType: z.string().optional(),
  bytes: z.number(),
  digest: z.string(),
  url: z.string().optional(),
  fetchedAt: z.number().optional(),
})
type OriginalAbout = Omit<Original, 'bytes' | 'digest'>
export type Original = z.infer<typeof Original>

type RecordedFields = Omit<DocumentRecord, 'tenant' | 'id' | 'access'> & {
  access: readonly string[] | undefined
}

type Content = string | AsyncIterable<Uint8Array>

export type ReceivedFile = Omit<LocalFile, 'path'> & {
  keep(of: Revision, about: OriginalAbout, record?: RecordedFields): Promise<void>
  discard(): Promise<void>
}

const tooLarge = (most: number): Unfit =>
  new Unfit(
    'too-large',
    `The document is larger than the limit of ${Math.floor(most / 1e6)} MB. Split the document into smaller documents and upload each of them.`,
  )

const piecesOf = (content: Content): AsyncIterable<Uint8Array> =>
  typeof content === 'string' ? Readable.from([Buffer.from(content)]) : content

const removeFile = (path: string): Promise<void> =>
  unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })

const receiveInto = async (
  folder: string,
  content: Content,
  most: number,
  signal: AbortSignal,
): Promise<LocalFile & Pick<ReceivedFile, 'discard'>> => {
  const path = join(folder, `${randomUUID()}${unfinishedSuffix}`)
  let removed: Promise<void> | undefined
  const discard = (): Promise<void> => (removed ??= removeFile(path))
  const hash = createHash('sha256')
  let bytes = 0
  async function* measured(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      bytes += piece.byteLength
      if (bytes > most) throw tooLarge(most)
      hash.update(piece)
      yield piece
    }
  }
  try {
    await writeToFile(path, piecesOf(content), measured, signal)
  } catch (error) {
    await discard()
    throw signal.aborted ? signal.reason : error
  }
  return { path, bytes, digest: hash.digest('hex'), discard }
}

const storedRecord = ({ tenant, id }: Revision, { access = [], ...fields }: RecordedFields): DocumentRecord => ({
  tenant,
  id,
  access: [...access],
  ...fields,
})

export type DocumentFiles = {
  receive(content: Content, most: { bytes: number }, signal: AbortSignal): Promise<ReceivedFile>
  original(of: Revision): Promise<Original | null>
  /**
   * Calls `use` with the path of the original file. The path is valid only until `use` ends, because the file may be a
   * temporary copy.
   */
  withOriginal<T>(of: Revision, signal: AbortSignal, use: (path: string) => Promise<T>): Promise<T | null>
  parsed(of: Revision): Promise<ParsedDocument | null>
  putParsed(of: Revision, parsed: ParsedDocument): Promise<void>
  page(of: Revision, page: number): Promise<DrawnPage | null>
  putPage(of: Revision, page: number, drawn: DrawnPage): Promise<void>
  vectors(of: Revision, batch: number, made: VectorsOf): Promise<Float32Array[] | null>
  putVectors(of: Revision, batch: number, made: VectorsOf, vectors: readonly Float32Array[]): Promise<void>
  dropVectors(of: Revision): Promise<void>
  drop(of: Revision): Promise<void>
  dropDeleted(of: Revision): Promise<void>
  isDeleted(of: Revision): Promise<boolean>
  /** Removes all stored files of the document. Later files of the listed `revisions` count as deleted too. */
  remove(document: StoredDocument, revisions?: readonly string[]): Promise<void>
  deleted(signal: AbortSignal): AsyncIterable<StoredDocument & { revisions: readonly string[] }>
  /** Lists the stored revisions that the catalog may have lost, grouped by document. */
  unknown(options: Pick<Leftovers, 'fileState' | 'untouchedMs' | 'signal'>): AsyncIterable<ClassifiedRevision>
  sweep(leftovers: Leftovers): Promise<Swept>
} & Pick<DocumentStore, 'where' | 'sweepEveryMs' | 'check' | 'close'>

type Deletion = Pick<DocumentFiles, 'dropDeleted' | 'isDeleted' | 'remove' | 'deleted' | 'unknown'>
/** Deleting a document stores a tombstone (a small file). A document that the catalog lost by accident has none. */
const deletionIn = (store: DocumentStore): Deletion => {
  const records = recordsIn(store)
  return {
    dropDeleted: async (of) => {
      if (await records.isDeleted(of)) await store.drop(of)
    },
    isDeleted: records.isDeleted,
    remove: async (document, revisions = []) => {
      await records.bury(document, revisions)
      await store.remove(document)
    },
    deleted: async function* (signal) {
      for await (const { tenant, id } of store.tombstones.list(signal)) {
        const buried = await records.tombstone({ tenant, id })
        if (buried) yield { tenant, id, revisions: buried.revisions }
      }
    },
    unknown: async function* ({ fileState, untouchedMs, signal }) {
      for await (const judged of classifyAll(store, fileState, signal))
        if (judged.status === 'unknown' && isUntouched(judged, untouchedMs)) yield judged
    },
  }
}

const filesIn = (store: DocumentStore): DocumentFiles => {
  const readJson = async <S extends z.ZodType>(of: Revision, part: string, shape: S): Promise<z.output<S> | null> =>
    jsonIn(await store.read(of, part), shape)
  const batchPart = (batch: number): string => `vectors/${batch}.bin`

  return {
    where: store.where,
    sweepEveryMs: store.sweepEveryMs,
    check: store.check,
    close: store.close,
    receive: async (content, most, signal) => {
      const { discard, ...file } = await receiveInto(store.incoming, content, most.bytes, signal)
      const { path: _, ...received } = file
      return {
        ...received,
        discard,
        keep: async (of, about, record) => {
          await store.put(of, partsThatMake.bytes, file)
          if (record) await store.put(of, partsThatMake.record, jsonBytes(storedRecord(of, record)))
          await store.put(of, partsThatMake.about, jsonBytes({ ...about, ...received }))
        },
      }
    },
    original: async (of) => {
      const about = await readJson(of, partsThatMake.about, Original)
      return about && (await store.size(of, partsThatMake.bytes)) === about.bytes ? about : null
    },
    withOriginal: (of, signal, use) => store.withFile(of, partsThatMake.bytes, signal, use),
    parsed: (of) => readJson(of, 'parsed.json', ParsedDocument),
    putParsed: (of, parsed) => store.put(of, 'parsed.json', jsonBytes(parsed)),
    page: async (of, page) => {
      const words = await readJson(of, `pages/${page}.json`, PageWords)
      const png = words && (await store.read(of, `pages/${page}.png`))
      return png && { ...words, png }
    },
    putPage: async (of, page, { png, ...words }) => {
      await store.put(of, `pages/${page}.png`, png)
      await store.put(of, `pages/${page}.json`, jsonBytes(words))
    },
    vectors: async (of, batch, made) => {
      const bytes = await store.read(of, batchPart(batch))
      return bytes && vectorsIn(bytes, made)
    },
    putVectors: (of, batch, made, vectors) => store.put(of, batchPart(batch), vectorBytes(made, vectors)),
    dropVectors: (of) => store.drop(of, 'vectors'),
    drop: (of) => store.drop(of),
    ...deletionIn(store),
    sweep: (leftovers) => sweepStore(store, leftovers),
  }
}

export type DocumentsSettings = { store: 'folder' } | ({ store: 's3' } & S3DocumentSettings)

export const openDocumentStore = (dir: string, settings: DocumentsSettings): Promise<DocumentStore> =>
  settings.store === 's3' ? openS3DocumentStore(settings, join(dir, 'incoming')) : openFolderDocumentStore(dir)

export const openDocumentFiles = async (
  dir: string,
  settings: DocumentsSettings = { store: 'folder' },
): Promise<DocumentFiles> => filesIn(await openDocumentStore(dir, settings))
