import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ParsedDocument } from '@plumbline/contracts'
import { AppError } from '@plumbline/platform'
import { readJson, replaceFile } from './atomic'
import { dropLeftovers, type Leftovers, type Swept } from './leftovers'
import { Original } from './original'
import { receiveInto, type Content, type Received } from './receive'
import { readVectors, vectorBytes, type VectorsOf } from './vectors'

export type DocumentFiles = {
  /** Streams what is brought to a file of its own; what is larger is refused with `Unfit`. */
  receive(content: Content, most: { bytes: number }, signal: AbortSignal): Promise<Received>
  original(documentId: string, revision: string): Promise<Original | null>
  parsed(documentId: string, revision: string): Promise<ParsedDocument | null>
  putParsed(documentId: string, revision: string, parsed: ParsedDocument): Promise<void>
  /** The vectors of one batch; null unless they were made of these very texts in this space. */
  vectors(documentId: string, revision: string, batch: number, of: VectorsOf): Promise<Float32Array[] | null>
  putVectors(
    documentId: string,
    revision: string,
    batch: number,
    of: VectorsOf,
    vectors: readonly Float32Array[],
  ): Promise<void>
  dropVectors(documentId: string, revision: string): Promise<void>
  drop(documentId: string, revision: string): Promise<void>
  /** All of a document. */
  remove(documentId: string): Promise<void>
  /** Removes what nobody needs any more and nobody touched lately: uploads that broke off, revisions, documents that are gone. */
  sweep(leftovers: Leftovers): Promise<Swept>
}

/** Ids become names of folders: nothing but these ever does. */
const safe = /^[0-9a-z]{1,64}$/
const part = (id: string): string => {
  if (!safe.test(id)) throw new AppError('document.id', 'never')
  return id
}

const removeTree = (path: string): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 3 })

/** The folder where the bytes of documents stand and what was made of them so far; gateways and ingestors share it. */
export const openDocumentFiles = async (dir: string): Promise<DocumentFiles> => {
  const incoming = join(dir, 'incoming')
  await mkdir(incoming, { recursive: true })
  const documentDir = (id: string): string => join(dir, part(id).slice(-2), part(id))
  const at = (id: string, revision: string, ...rest: string[]): string => join(documentDir(id), part(revision), ...rest)
  const batchFile = (id: string, revision: string, batch: number): string => at(id, revision, 'vectors', `${batch}.bin`)

  return {
    receive: (content, most, signal) =>
      receiveInto(incoming, content, most.bytes, signal, async (path, received, documentId, revision, about) => {
        const own = at(documentId, revision)
        await mkdir(own, { recursive: true })
        await rename(path, join(own, 'original'))
        await replaceFile(join(own, 'original.json'), JSON.stringify({ ...about, ...received }))
      }),
    original: async (id, revision) => {
      const about = await readJson(at(id, revision, 'original.json'), Original)
      const path = at(id, revision, 'original')
      const found = about && (await stat(path).catch(() => null))
      return about && found?.size === about.bytes ? { ...about, path } : null
    },
    parsed: (id, revision) => readJson(at(id, revision, 'parsed.json'), ParsedDocument),
    putParsed: (id, revision, parsed) => replaceFile(at(id, revision, 'parsed.json'), JSON.stringify(parsed)),
    vectors: (id, revision, batch, of) => readVectors(batchFile(id, revision, batch), of),
    putVectors: async (id, revision, batch, of, vectors) => {
      await mkdir(at(id, revision, 'vectors')).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
      })
      await replaceFile(batchFile(id, revision, batch), vectorBytes(of, vectors))
    },
    dropVectors: (id, revision) => removeTree(at(id, revision, 'vectors')),
    drop: (id, revision) => removeTree(at(id, revision)),
    remove: (id) => removeTree(documentDir(id)),
    sweep: (leftovers) => dropLeftovers(dir, leftovers, safe),
  }
}
