import type { ParsedDocument } from '@plumbline/contracts'
import { Unfit } from '@plumbline/ports/document-parser'
import type { Sharp } from 'sharp'
import type { Reading } from '../limits'
import { compressPixels, picturePdf, type Picture, type Size } from '../ocr/picture-pdf'
import { readPdf } from '../pdf/read-pdf'

/** The maximum number of pixels in an image. An A4 page at 600 dpi has 35 million pixels. */
const mostDots = 50_000_000

/** The points per pixel at 200 dpi, which is assumed. On much larger pages, OCR would read noise as characters. */
const points = 72 / 200
const sizeOf = ({ width, height }: Size): Size => ({ width: width * points, height: height * points })

const greyOf = async (image: Sharp): Promise<Picture & { page: Size }> => {
  const upright = image.autoOrient().flatten({ background: 'white' }).grayscale()
  const { data, info } = await upright.raw().toBuffer({ resolveWithObject: true })
  return { packed: compressPixels(data), width: info.width, height: info.height, page: sizeOf(info) }
}

const refused = (name: string, cause: unknown): Unfit => {
  const tooLarge = cause instanceof Error && /pixel limit|too large|exceeds/i.test(cause.message)
  return tooLarge
    ? new Unfit(
        'bomb',
        `${name} is a picture with far more pixels than a page needs, so it was not opened. Save the picture with fewer pixels.`,
        { cause },
      )
    : new Unfit(
        'unreadable',
        `${name} is a picture that cannot be opened. Save the picture as PNG or JPEG and upload the new file.`,
        {
          cause,
        },
      )
}

const withoutOcr = (name: string): Unfit =>
  new Unfit(
    'no-text',
    `${name} is a picture without readable text. Set DOCLING_URL to the address of a docling-serve server, which reads pictures with OCR, or upload the text of the picture.`,
  )

export const pdfOfImage = async (bytes: Uint8Array, { name, onPage }: Reading): Promise<Uint8Array> => {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  const pictures: (Picture & { page: Size })[] = []
  try {
    const { pages = 1, format } = await sharp(bytes, { limitInputPixels: mostDots }).metadata()
    const shown = format === 'tiff' ? pages : 1
    onPage?.(0, shown)
    for (let page = 0; page < shown; page += 1)
      pictures.push(await greyOf(sharp(bytes, { limitInputPixels: mostDots, page })))
  } catch (cause) {
    throw cause instanceof Unfit ? cause : refused(name, cause)
  }
  return picturePdf(pictures)
}

/** The maximum width of a displayed image in pixels. A wider image would not look better on a screen. */
const mostWide = 1_400

export const displayImage = async (bytes: Uint8Array, page: number): Promise<Uint8Array> => {
  const { default: sharp } = await import('sharp')
  const image = sharp(bytes, { limitInputPixels: mostDots, page: page - 1 }).autoOrient()
  return image.resize({ width: mostWide, withoutEnlargement: true }).png().toBuffer()
}

export const readImage = async (bytes: Uint8Array, reading: Reading): Promise<ParsedDocument> => {
  if (!reading.ocr) throw withoutOcr(reading.name)
  return readPdf(await pdfOfImage(bytes, reading), reading)
}
