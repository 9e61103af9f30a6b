import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { Unfit } from '@plumbline/ports/document-parser'

const unpacking = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate, br: createBrotliDecompress }
const isKnown = (coding: string): coding is keyof typeof unpacking => Object.hasOwn(unpacking, coding)

const codingsOf = (header: string): string[] =>
  header
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')

export const tooLarge = (maxBytes: number): Unfit =>
  new Unfit(
    'too-large',
    `What the address answers is larger than the ${Math.round(maxBytes / 1e6)} MB that are read. Bring a smaller document, or a part of it.`,
  )

/** The bytes of a body as they were before it was packed, and never more of them than may come: what is packed says nothing of its size. */
export async function* boundedBody(
  body: Readable,
  contentEncoding: string,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  const codings = codingsOf(contentEncoding)
  if (codings.length > 1 || !codings.every(isKnown))
    throw new Unfit(
      'unreadable',
      `The address answers in a coding that is not known: ${contentEncoding.slice(0, 100)}.`,
    )
  const [coding] = codings.filter(isKnown)
  const plain = coding === undefined ? body : pipeline(body, unpacking[coding](), () => undefined)
  let bytes = 0
  for await (const piece of plain as AsyncIterable<Uint8Array>) {
    bytes += piece.byteLength
    if (bytes > maxBytes) throw tooLarge(maxBytes)
    yield piece
  }
}
