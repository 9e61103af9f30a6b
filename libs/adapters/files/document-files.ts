import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { type DrawnPage, Unfit } from '@plumbline/ports/document-parser'
import { PageWords, ParsedDocument } from '@plumbline/contracts'
import { AppError } from '@plumbline/platform'
import { dropLeftovers, type Leftovers, type Swept } from './leftovers'
import { readVectors, vectorBytes, type VectorsOf } from './vectors'

/** Under its name a file is whole or not there, whenever the process ends. */
const replaceFile = async (path: string, content: string | Uint8Array): Promise<void> => {
  const unfinished = `${path}.${randomUUID()}.tmp`
  try {
    await writeFile(unfinished, content)
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

/** Null where there is no such file, or where a lost power supply left half of one. */
const readJson = async <S extends z.ZodType>(path: string, shape: S): Promise<z.output<S> | null> => {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (text === null) return null
  try {
    return shape.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** What stands beside a document's bytes. */
export const Original = z.object({
  name: z.string(),
  mediaType: z.string().optional(),
  bytes: z.number(),
  digest: z.string(),
  /** Where it came from after all redirects, and when. */
  url: z.string().optional(),
  fetchedAt: z.number().optional(),
})
type OriginalAbout = Omit<z.infer<typeof Original>, 'bytes' | 'digest'>
/** A document's bytes as they were brought. */
export type Original = z.infer<typeof Original> & { path: string }

type Content = string | AsyncIterable<Uint8Array>
type Measured = { bytes: number; digest: string }

/** What was brought, until it is known whose it is. */
export type Received = Measured & {
  /** Makes it the original of a revision of a document. */
  keep(documentId: string, revision: string, about: OriginalAbout): Promise<void>
  discard(): Promise<void>
}
type Keep = (
  path: string,
  measured: Measured,
  documentId: string,
  revision: string,
  about: OriginalAbout,
) => Promise<void>

const tooLarge = (most: number): Unfit =>
  new Unfit(
    'too-large',
    `The document is larger than the ${Math.floor(most / 1e6)} MB that are read. Split it into smaller documents and bring each of them.`,
  )

const piecesOf = (content: Content): AsyncIterable<Uint8Array> =>
  typeof content === 'string' ? Readable.from([Buffer.from(content)]) : content

/** Streams content to a file of its own in `folder`, measuring it, and never more of it than may come. */
const receiveInto = async (
  folder: string,
  content: Content,
  most: number,
  signal: AbortSignal,
  keep: Keep,
): Promise<Received> => {
  const path = join(folder, `${randomUUID()}.tmp`)
  const discard = (): Promise<void> => rm(path, { force: true })
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
    await pipeline(piecesOf(content), measured, createWriteStream(path), { signal })
  } catch (error) {
    await discard()
    throw signal.aborted ? signal.reason : error
  }
  const received = { bytes, digest: hash.digest('hex') }
  return {
    ...received,
    discard,
    keep: (documentId, revision, about) => keep(path, received, documentId, revision, about),
  }
}

export type DocumentFiles = {
  /** Streams what is brought to a file of its own; what is larger is refused with `Unfit`. */
  receive(content: Content, most: { bytes: number }, signal: AbortSignal): Promise<Received>
  original(documentId: string, revision: string): Promise<Original | null>
  parsed(documentId: string, revision: string): Promise<ParsedDocument | null>
  putParsed(documentId: string, revision: string, parsed: ParsedDocument): Promise<void>
  /** A page as it was drawn before. */
  page(documentId: string, revision: string, page: number): Promise<DrawnPage | null>
  putPage(documentId: string, revision: string, page: number, drawn: DrawnPage): Promise<void>
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

/** Not where the folder over it is gone, which a removal may have taken. */
const makeFolderIn = (folder: string, name: string): Promise<void> =>
  mkdir(join(folder, name)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })

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
    page: async (id, revision, page) => {
      const words = await readJson(at(id, revision, 'pages', `${page}.json`), PageWords)
      const png = words && (await readFile(at(id, revision, 'pages', `${page}.png`)).catch(() => null))
      return png && { ...words, png }
    },
    putPage: async (id, revision, page, { png, ...words }) => {
      await makeFolderIn(at(id, revision), 'pages')
      await replaceFile(at(id, revision, 'pages', `${page}.png`), png)
      await replaceFile(at(id, revision, 'pages', `${page}.json`), JSON.stringify(words))
    },
    vectors: (id, revision, batch, of) => readVectors(batchFile(id, revision, batch), of),
    putVectors: async (id, revision, batch, of, vectors) => {
      await makeFolderIn(at(id, revision), 'vectors')
      await replaceFile(batchFile(id, revision, batch), vectorBytes(of, vectors))
    },
    dropVectors: (id, revision) => removeTree(at(id, revision, 'vectors')),
    drop: (id, revision) => removeTree(at(id, revision)),
    remove: (id) => removeTree(documentDir(id)),
    sweep: (leftovers) => dropLeftovers(dir, leftovers, safe),
  }
}
