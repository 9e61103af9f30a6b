import { createHash } from 'node:crypto'

/** `space` identifies the embedder. Stored vectors can be used again only for the same embedder and the same texts. */
export type VectorsOf = { space: string; texts: readonly string[] }

const bytesPerNumber = 4
const lineEnd = 0x0a

const headerOf = ({ space, texts }: VectorsOf): { space: string; digest: string } => {
  const hash = createHash('sha256')
  for (const text of texts) hash.update(`${text.length}:`).update(text)
  return { space, digest: hash.digest('hex') }
}

/** Returns one line of JSON that identifies the embedder and the texts, followed by the numbers of the vectors. */
export const vectorBytes = (of: VectorsOf, vectors: readonly Float32Array[]): Uint8Array => {
  const header = JSON.stringify({ ...headerOf(of), dimensions: vectors[0]?.length ?? 0 })
  return Buffer.concat([
    Buffer.from(`${header}\n`),
    ...vectors.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
  ])
}

type Header = { space: string; digest: string; dimensions: number }
const headerIn = (bytes: Buffer, end: number): Header | null => {
  try {
    return JSON.parse(bytes.toString('utf8', 0, end)) as Header
  } catch {
    return null
  }
}

export const vectorsIn = (bytes: Buffer, of: VectorsOf): Float32Array[] | null => {
  const end = bytes.indexOf(lineEnd)
  const held = headerIn(bytes, end)
  const wanted = headerOf(of)
  if (!held || held.space !== wanted.space || held.digest !== wanted.digest) return null
  const size = held.dimensions * bytesPerNumber
  if (size === 0 || bytes.length !== end + 1 + size * of.texts.length) return null
  return of.texts.map((_, nth) => {
    const from = end + 1 + nth * size
    return new Float32Array(new Uint8Array(bytes.subarray(from, from + size)).buffer)
  })
}
