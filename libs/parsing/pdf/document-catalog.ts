import { inflateSync } from 'node:zlib'

/** `dictionary` is the text before the stream or the object's end. `at` is the dictionary's position in the file. */
type PdfObject = { number: string; at: number; dictionary: string; streamAt: number }

const longestObject = 65_536
const longestStream = 1_000_000

const objectAt = (file: Buffer, place: number): PdfObject | null => {
  const opened = file.lastIndexOf(' obj', place)
  if (opened < 0 || place - opened > longestObject) return null
  const [, number, generation] = /(\d+)\s+(\d+)$/.exec(file.toString('latin1', Math.max(0, opened - 20), opened)) ?? []
  if (number === undefined || generation === undefined) return null
  const text = file.toString('latin1', opened + 4, opened + longestObject)
  const [dictionary = ''] = text.split(/endobj|stream\r?\n/, 1)
  if (opened + 4 + dictionary.length < place) return null
  const [start = ''] = /^stream\r?\n/.exec(text.slice(dictionary.length)) ?? []
  const at = opened + 4
  return { number, at, dictionary, streamAt: start === '' ? -1 : at + dictionary.length + start.length }
}

/** At most this number of matches is read. A file with more matches was probably built to take a long time. */
const mostPlaces = 200

/** Returns the objects that contain the name, newest first: from the end of the file, where programs append changes. */
function* objectsWith(file: Buffer, name: string): Generator<PdfObject> {
  const places: number[] = []
  for (let at = file.indexOf(name); at >= 0 && places.length < mostPlaces; at = file.indexOf(name, at + 1))
    places.push(at)
  for (const place of places.reverse()) {
    const object = objectAt(file, place)
    if (object) yield object
  }
}

const streamOf = (file: Buffer, { dictionary, streamAt }: PdfObject): string => {
  if (streamAt < 0) return ''
  const end = file.indexOf('endstream', streamAt)
  const bytes = file.subarray(streamAt, Math.min(end < 0 ? file.length : end, streamAt + longestStream))
  if (!dictionary.includes('/Filter')) return bytes.toString('utf8')
  try {
    return inflateSync(bytes, { maxOutputLength: longestStream }).toString('utf8')
  } catch {
    return ''
  }
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
}

const catalogOf = (file: Buffer): PdfObject | undefined =>
  objectsWith(file, '/Catalog').find(({ dictionary }) => /\/Type\s*\/Catalog\b/.test(dictionary))

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const structure = '/StructTreeRoot'

/** Hides the structure tree. The library would read this tree for each page, although nothing uses the result. */
export const hideStructure = (bytes: Uint8Array): void => {
  const file = bufferOf(bytes)
  const { at = 0, dictionary = '' } = catalogOf(file) ?? {}
  const found = dictionary.search(/\/StructTreeRoot\s+\d+\s+\d+\s+R/)
  if (found >= 0) file.write(structure.replace('Root', 'None'), at + found, 'latin1')
}

/** Returns the title in the metadata. If the catalog is compressed, the file must have only one set of metadata. */
export const ownTitle = (bytes: Uint8Array): string | undefined => {
  const file = bufferOf(bytes)
  const metadata = [...objectsWith(file, '/XML').filter(({ dictionary }) => /\/Metadata\b/.test(dictionary))]
  if (metadata.length === 0) return undefined
  const [, wanted] = /\/Metadata\s+(\d+)\s/.exec(catalogOf(file)?.dictionary ?? '') ?? []
  const own = wanted === undefined ? metadata : metadata.filter(({ number }) => number === wanted)
  const [first] = own
  if (!first || new Set(own.map(({ number }) => number)).size > 1) return undefined
  const [, title = ''] = /<dc:title>[\s\S]*?<rdf:li[^>]*>([^<]*)</.exec(streamOf(file, first)) ?? []
  return (
    title
      .replace(/&(?:amp|lt|gt|quot|apos);/g, (name) => entities[name] ?? name)
      .replace(/\s+/g, ' ')
      .trim() || undefined
  )
}
