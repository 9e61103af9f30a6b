import { constants, deflateRawSync } from 'node:zlib'

/** One piece of a zip or PDF; `says` is the size that the directory names. */
export type Entry = { name: string; packed: Buffer; says: number }

const megabyte = Buffer.alloc(1_000_000, ' ')
const unit = deflateRawSync(megabyte, { finishFlush: constants.Z_FULL_FLUSH })

/** So many MB of nothing in as many KB: a packed piece that ends on a byte can be put behind itself as often as one likes. */
export const swollen = (megabytes: number, before = '', after = ''): Buffer =>
  Buffer.concat([
    deflateRawSync(Buffer.from(before), { finishFlush: constants.Z_FULL_FLUSH }),
    ...Array.from({ length: megabytes }, () => unit),
    deflateRawSync(Buffer.from(after)),
  ])

export const entry = (name: string, text: string | Buffer): Entry => ({
  name,
  packed: deflateRawSync(text),
  says: Buffer.byteLength(text),
})

/** Both headers of an entry say the same in the same order; in the directory it stands one field later. */
const header = (mark: number, bytes: number, from: number, { name, packed, says }: Entry): Buffer => {
  const head = Buffer.alloc(bytes)
  head.writeUInt32LE(mark, 0)
  head.writeUInt16LE(20, from)
  head.writeUInt16LE(8, from + 4)
  head.writeUInt32LE(packed.length, from + 14)
  head.writeUInt32LE(says, from + 18)
  head.writeUInt16LE(Buffer.byteLength(name), from + 22)
  return Buffer.concat([head, Buffer.from(name)])
}
const localHeader = (entry: Entry): Buffer => header(0x04034b50, 30, 4, entry)
const directoryEntry = (entry: Entry, at: number): Buffer => {
  const head = header(0x02014b50, 46, 6, entry)
  head.writeUInt32LE(at, 42)
  return head
}

/** A zip of entries; `again` lists names whose data is that of the last entry, which is kept once. */
export const zip = (entries: Entry[], again: string[] = []): Buffer => {
  const pieces: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const one of entries) {
    directory.push(directoryEntry(one, at))
    const piece = Buffer.concat([localHeader(one), one.packed])
    pieces.push(piece)
    at += piece.length
  }
  const last = entries.at(-1)
  if (last)
    for (const name of again) directory.push(directoryEntry({ ...last, name }, at - (pieces.at(-1)?.length ?? 0)))
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Math.min(0xffff, directory.length), 8)
  end.writeUInt16LE(Math.min(0xffff, directory.length), 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...pieces, listed, end])
}

/** A PDF of these objects, numbered from 1; the first is its catalog. */
export const pdf = (objects: (string | { dictionary: string; stream: Buffer })[]): Buffer => {
  const pieces: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  const offsets: number[] = []
  let at = pieces[0]?.length ?? 0
  for (const [n, object] of objects.entries()) {
    const body =
      typeof object === 'string'
        ? Buffer.from(object)
        : Buffer.concat([
            Buffer.from(`<<${object.dictionary} /Length ${object.stream.length}>>\nstream\n`),
            object.stream,
            Buffer.from('\nendstream'),
          ])
    const piece = Buffer.concat([Buffer.from(`${n + 1} 0 obj\n`), body, Buffer.from('\nendobj\n')])
    offsets.push(at)
    pieces.push(piece)
    at += piece.length
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const tail = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<</Size ${objects.length + 1} /Root 1 0 R>>\nstartxref\n${at}\n%%EOF\n`
  return Buffer.concat([...pieces, Buffer.from(tail)])
}

/** As PDFs have it: a header before what a zip has, and a sum behind that readers forgive. */
export const flate = (packed: Buffer): Buffer => Buffer.concat([Buffer.from([0x78, 0x9c]), packed, Buffer.alloc(4)])
