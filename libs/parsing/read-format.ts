import type { Format, ParsedDocument } from '@plumbline/contracts'
import { Unfit } from '@plumbline/ports/document-parser'
import type { Reading } from './limits'

export type Reader = (bytes: Uint8Array, reading: Reading) => Promise<ParsedDocument>

const refusePicture: Reader = async (_, { name }) => {
  throw new Unfit(
    'no-text',
    `${name} is a picture without text that can be read. Set DOCLING_URL to a docling-serve that reads it with OCR, or send its text.`,
  )
}

/** Each reader is loaded when a file of its format comes: most of them are large. */
export const loadReader: Record<Format, () => Promise<Reader>> = {
  markdown: async () => (await import('./markdown/read-markdown')).readMarkdown,
  text: async () => (await import('./text/read-text')).readText,
  html: async () => {
    const { loadJsdom, readHtml } = await import('./html/read-html')
    loadJsdom()
    return readHtml
  },
  asciidoc: async () => (await import('./asciidoc/read-asciidoc')).readAsciidoc,
  csv: async () => (await import('./csv/read-csv')).readCsv,
  pdf: async () => (await import('./pdf/read-pdf')).readPdf,
  docx: async () => (await import('./docx/read-docx')).readDocx,
  pptx: async () => (await import('./pptx/read-pptx')).readPptx,
  xlsx: async () => (await import('./xlsx/read-xlsx')).readXlsx,
  code: async () => (await import('./code/read-code')).readCode,
  image: async () => refusePicture,
}
