import { constants, deflateRawSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'

/** `says` is the unpacked size that the directory of the zip states. It may be false. */
export type Entry = { name: string; packed: Buffer; says: number }

const megabyte = Buffer.alloc(1_000_000, ' ')
const unit = deflateRawSync(megabyte, { finishFlush: constants.Z_FULL_FLUSH })

/** Returns compressed data that repeats one chunk. The chunk ends at a byte boundary. */
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

/** A zip has two headers per entry, with the same fields at different positions. */
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

/** `again` lists additional names that all refer to the data of the last entry. */
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

/** The objects are numbered from 1, and the first must be the catalog. */
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

/** Adds the zlib header that PDFs require. The checksum is wrong, but PDF readers ignore it. */
export const flate = (packed: Buffer): Buffer => Buffer.concat([Buffer.from([0x78, 0x9c]), packed, Buffer.alloc(4)])

const officeNames =
  'xmlns:w="w" xmlns:w14="w14" xmlns:wp="wp" xmlns:wps="wps" xmlns:mc="mc" xmlns:m="m" xmlns:v="v" xmlns:a="a" xmlns:p="p" xmlns:c="c" xmlns:r="r" xmlns:dgm="dgm"'

type Pointer = { id: string; type: string; target: string; external?: boolean }

export const relationsXml = (pointers: readonly Pointer[]): string =>
  `<Relationships>${pointers
    .map(
      ({ id, type, target, external }) =>
        `<Relationship Id="${id}" Type="http://x/relationships/${type}" Target="${target}"${external ? ' TargetMode="External"' : ''}/>`,
    )
    .join('')}</Relationships>`

export const zipped = (parts: Record<string, string>): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([path, text]) => [path, strToU8(text)])))

const officeFile = (main: string, parts: Record<string, string>): Uint8Array =>
  zipped({
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': relationsXml([{ id: 'rId1', type: 'officeDocument', target: main }]),
    ...parts,
  })

const root = (name: string, inside: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><${name} ${officeNames}>${inside}</${name}>`

/** `beside` maps relation types to the content of the parts other than the body. */
export const docxOf = (
  body: string,
  beside: Record<string, string> = {},
  pointers: readonly Pointer[] = [],
): Uint8Array => {
  const own = Object.keys(beside).map((type): Pointer => ({ id: `own-${type}`, type, target: `${type}.xml` }))
  return officeFile('word/document.xml', {
    'word/document.xml': root('w:document', `<w:body>${body}</w:body>`),
    'word/_rels/document.xml.rels': relationsXml([...own, ...pointers]),
    ...Object.fromEntries(
      Object.entries(beside).map(([type, inside]) => [`word/${type}.xml`, root(`w:${type}`, inside)]),
    ),
  })
}

type SampleSheet = { name: string; rows: string; merges?: string[]; state?: string }

export const xlsxOf = (
  sheets: readonly SampleSheet[],
  { styles = '', strings = '', parts = {} }: { styles?: string; strings?: string; parts?: Record<string, string> } = {},
): Uint8Array => {
  const listed = sheets.map(
    ({ name, state }, at) =>
      `<sheet name="${name}" sheetId="${at + 1}" ${state ? `state="${state}"` : ''} r:id="rId${at + 1}"/>`,
  )
  const pointers = sheets.map((_, at): Pointer => ({
    id: `rId${at + 1}`,
    type: 'worksheet',
    target: `worksheets/sheet${at + 1}.xml`,
  }))
  const merged = (merges: string[] = []) => merges.map((ref) => `<mergeCell ref="${ref}"/>`).join('')
  return officeFile('xl/workbook.xml', {
    'xl/workbook.xml': root('workbook', `<sheets>${listed.join('')}</sheets>`),
    'xl/_rels/workbook.xml.rels': relationsXml([
      ...pointers,
      { id: 'st', type: 'styles', target: 'styles.xml' },
      { id: 'ss', type: 'sharedStrings', target: '/xl/sharedStrings.xml' },
    ]),
    'xl/styles.xml': root('styleSheet', styles),
    'xl/sharedStrings.xml': root('sst', strings),
    ...Object.fromEntries(
      sheets.map(({ rows, merges }, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        root('worksheet', `<sheetData>${rows}</sheetData><mergeCells>${merged(merges)}</mergeCells>`),
      ]),
    ),
    ...parts,
  })
}

/** `null` stands for an empty cell. */
export const sheetRows = (
  rows: readonly (readonly (string | number | null)[])[],
  formats: readonly number[] = [],
): string =>
  rows
    .map((row, at) => {
      const cells = row.map((value, column) => {
        const place = `${String.fromCharCode(65 + column)}${at + 1}`
        if (value === null) return ''
        return typeof value === 'number'
          ? `<c r="${place}" s="${formats[column] ?? 0}"><v>${value}</v></c>`
          : `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`
      })
      return `<row r="${at + 1}">${cells.join('')}</row>`
    })
    .join('')

export const pptxOf = (
  slides: readonly string[],
  parts: Record<string, string> = {},
  pointers: readonly Pointer[] = [],
): Uint8Array => {
  const paths = slides.map((_, at) => `ppt/slides/slide${at + 1}.xml`)
  return officeFile('ppt/presentation.xml', {
    'ppt/presentation.xml': root(
      'p:presentation',
      `<p:sldIdLst>${slides.map((_, at) => `<p:sldId id="${256 + at}" r:id="rId${at}"/>`).join('')}</p:sldIdLst>`,
    ),
    'ppt/_rels/presentation.xml.rels': relationsXml(
      slides.map((_, at) => ({ id: `rId${at}`, type: 'slide', target: `slides/slide${at + 1}.xml` })),
    ),
    ...Object.fromEntries(
      paths.map((path, at) => [path, root('p:sld', `<p:cSld><p:spTree>${slides[at] ?? ''}</p:spTree></p:cSld>`)]),
    ),
    ...Object.fromEntries(
      paths.map((path) => [path.replace('slides/', 'slides/_rels/').concat('.rels'), relationsXml(pointers)]),
    ),
    ...Object.fromEntries(
      Object.entries(parts).map(([path, inside]) => [
        path,
        root('x', inside).replaceAll(/<(\/?)x(?=[ >])/g, '<$1root'),
      ]),
    ),
  })
}
