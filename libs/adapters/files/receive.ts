import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Unfit } from '@plumbline/ports/document-parser'
import type { OriginalAbout } from './original'

export type Content = string | AsyncIterable<Uint8Array>
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
export const receiveInto = async (
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
