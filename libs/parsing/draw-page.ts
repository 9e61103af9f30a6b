import type { Format } from '@plumbline/contracts'
import type { DrawnPage } from '@plumbline/ports/document-parser'
import type { Reading } from './limits'

export const drawPage = async (
  format: Format,
  bytes: Uint8Array,
  page: number,
  reading: Reading,
): Promise<DrawnPage | null> => {
  if (format !== 'pdf' && format !== 'image') return null
  const { drawPdfPage } = await import('./pdf/load-pages')
  if (format === 'pdf') return drawPdfPage(bytes, page, reading)
  const { pdfOfImage, displayImage } = await import('./image/read-image')
  const drawn = await drawPdfPage(await pdfOfImage(bytes, reading), page, reading)
  return drawn && { ...drawn, png: await displayImage(bytes, page) }
}
