import type { Format, ParsedDocument } from '@plumbline/contracts'
import type { OnPage } from '@plumbline/ports/document-parser'
import type { OcrData } from './ocr/recognise'

/** The input of a format's reader besides the bytes. */
export type Reading = {
  name: string
  onPage?: OnPage
  /**
   * The OCR for images. Without it, images are not read. `next` is called before each page, and returns false if no
   * time is left.
   */
  ocr?: OcrData & { next(): boolean }
}
export type ReadingWithMembers = Reading & {
  /** Reads a file contained in this file. Both files share the same limits. */
  readMember(bytes: Uint8Array, name: string): Promise<ParsedDocument>
}

/** Limits for reading one file. */
export type Limits = {
  /** The maximum size of the uploaded file in bytes. */
  fileBytes: number
  /** The maximum length of the document's text in characters. */
  textChars: number
  /** The maximum number of pages, slides or sheets. */
  pages: number
  /** The maximum elapsed time in ms. Waiting for the processor is included. */
  timeMs: number
  /**
   * The base of the maximum processor time in ms. An amount per MB, which depends on the format, and an amount per page
   * are added.
   */
  cpuMs: number
  cpuMsPerMb: Record<Format, number>
  cpuMsPerPage: number
  /**
   * The base of the maximum memory in MB, in addition to that of an idle process.
   * An amount per MB of the file, which depends on the format, and an amount per page are added.
   */
  memoryMb: number
  memoryMbPerMb: Record<Format, number>
  memoryMbPerPage: number
  /** The maximum time in ms for OCR of all pages. A warning lists the pages that were not read in this time. */
  ocrMs: number
  /** The additional processor time and memory for each page that OCR reads. OCR reads one page at a time. */
  cpuMsPerOcrPage: number
  ocrMemoryMb: number
  /** The memory in MB that a process may retain after a file. It is added to the limit of the next file. */
  keptMb: number
  /** The maximum memory in MB of the reading process, for any file. `heapMb` is the maximum of its JavaScript heap. */
  mostMemoryMb: number
  heapMb: number
  /** The maximum number of files read at the same time. Further files wait. */
  atOnce: number
  /** The number of files after which a reading process is replaced by a new one. */
  filesPerProcess: number
  /** The time in ms after which a process without a file ends. */
  idleMs: number
}

export const defaultLimits: Limits = {
  fileBytes: 100_000_000,
  textChars: 20_000_000,
  pages: 10_000,
  timeMs: 120_000,
  cpuMs: 3_000,
  cpuMsPerMb: {
    text: 300,
    code: 300,
    csv: 300,
    image: 300,
    markdown: 5_000,
    pdf: 5_000,
    docx: 10_000,
    pptx: 10_000,
    xlsx: 10_000,
    asciidoc: 5_000,
    html: 20_000,
    odf: 10_000,
    rtf: 5_000,
    epub: 20_000,
    email: 20_000,
    json: 5_000,
    subtitles: 5_000,
    archive: 40_000,
  },
  cpuMsPerPage: 250,
  memoryMb: 90,
  memoryMbPerMb: {
    text: 20,
    code: 20,
    csv: 40,
    image: 20,
    markdown: 200,
    pdf: 10,
    docx: 100,
    pptx: 100,
    xlsx: 100,
    asciidoc: 200,
    html: 200,
    odf: 100,
    rtf: 100,
    epub: 200,
    email: 200,
    json: 200,
    subtitles: 200,
    archive: 200,
  },
  memoryMbPerPage: 2,
  ocrMs: 300_000,
  cpuMsPerOcrPage: 30_000,
  ocrMemoryMb: 450,
  keptMb: 100,
  mostMemoryMb: 768,
  heapMb: 512,
  atOnce: 2,
  filesPerProcess: 500,
  idleMs: 60_000,
}
