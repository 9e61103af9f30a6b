import type { Format, ParsedDocument } from '@plumbline/contracts'
import type { Reading } from './limits'

export type Reader = (bytes: Uint8Array, reading: Reading) => Promise<ParsedDocument>

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
  image: async () => (await import('./image/read-image')).readImage,
}
