import type { Format, ParsedDocument } from '@plumbline/contracts'
import { Unfit } from '@plumbline/ports/document-parser'
import type { Reading } from './reading'

export type Reader = (bytes: Uint8Array, reading: Reading) => Promise<ParsedDocument>

/** Each reader is loaded when a file of its format comes: most of them are large. */
export const readFormat: Record<Format, Reader> = {
  markdown: async (...file) => (await import('./markdown')).readMarkdown(...file),
  text: async (...file) => (await import('./text')).readText(...file),
  html: async (...file) => (await import('./html')).readHtml(...file),
  asciidoc: async (...file) => (await import('./asciidoc')).readAsciidoc(...file),
  csv: async (...file) => (await import('./csv')).readCsv(...file),
  pdf: async (...file) => (await import('./pdf')).readPdf(...file),
  docx: async (...file) => (await import('./docx')).readDocx(...file),
  pptx: async (...file) => (await import('./pptx')).readPptx(...file),
  xlsx: async (...file) => (await import('./xlsx')).readXlsx(...file),
  code: async (...file) => (await import('./code')).readCode(...file),
  image: async (_, { name }) => {
    throw new Unfit(
      'no-text',
      `${name} is a picture without text that can be read. Set DOCLING_URL to a docling-serve that reads it with OCR, or send its text.`,
    )
  },
}
