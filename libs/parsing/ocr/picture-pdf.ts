import { deflateSync } from 'node:zlib'

/** A grayscale image, compressed with zlib: one byte per pixel, row by row. */
export type Picture = { packed: Uint8Array; width: number; height: number }
/** The size in points. */
export type Size = { width: number; height: number }

export const compressPixels = (pixels: Uint8Array): Uint8Array => deflateSync(pixels, { level: 1 })

const stream = (about: string, bytes: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from(`<< ${about} /Length ${String(bytes.length)} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ])

const pageObjects = ({ packed: bytes, width, height, page }: Picture & { page: Size }, first: number): Buffer[] => {
  const [wide, high] = [page.width.toFixed(2), page.height.toFixed(2)]
  return [
    Buffer.from(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${wide} ${high}] /Resources << /XObject << /Picture ${String(first + 2)} 0 R >> >> /Contents ${String(first + 1)} 0 R >>`,
    ),
    stream('', Buffer.from(`${wide} 0 0 ${high} 0 0 cm /Picture Do`)),
    stream(
      `/Type /XObject /Subtype /Image /Width ${String(width)} /Height ${String(height)} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode`,
      bytes,
    ),
  ]
}

export const picturePdf = (pictures: readonly (Picture & { page: Size })[]): Uint8Array => {
  const pageNumbers = pictures.map((_, index) => 3 + 3 * index)
  const objects = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from(
      `<< /Type /Pages /Count ${String(pictures.length)} /Kids [${pageNumbers.map((number) => `${String(number)} 0 R`).join(' ')}] >>`,
    ),
    ...pictures.flatMap((picture, index) => pageObjects(picture, pageNumbers[index] ?? 0)),
  ]
  const pieces = [Buffer.from('%PDF-1.4\n')]
  const offsets: number[] = []
  let length = pieces[0]?.length ?? 0
  objects.forEach((object, index) => {
    offsets.push(length)
    const piece = Buffer.concat([Buffer.from(`${String(index + 1)} 0 obj\n`), object, Buffer.from('\nendobj\n')])
    pieces.push(piece)
    length += piece.length
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = String(objects.length + 1)
  pieces.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${String(length)}\n%%EOF\n`,
    ),
  )
  return Buffer.concat(pieces)
}
