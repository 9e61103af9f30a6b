import type { Format, ParsedDocument } from '@plumbline/contracts'
import type { OnPage } from '@plumbline/ports/document-parser'
import type { OcrData } from './ocr/recognise'

/** Input of a format's reader, in addition to the bytes. */
export type Reading = {
  name: string
  onPage?: OnPage
  /**
   * OCR for images. If unset, images are not read. `next` is called before each page and returns false when no time is
   * left.
   */
  ocr?: OcrData & { next(): boolean }
}
export type ReadingWithMembers = Reading & {
  /** Reads a file inside this file. The contained file shares the limits of this one. */
  readMember(bytes: Uint8Array, name: string): Promise<ParsedDocument>
}

/** Limits for reading one file. */
export type Limits = {
  /** The maximum size of the uploaded file. */
  fileBytes: number
  /** The maximum length of its text. */
  textChars: number
  /** The maximum number of pages, slides or sheets. */
  pages: number
  /** The maximum time in ms, including time spent waiting for the processor. */
  timeMs: number
  /**
   * The maximum processor time in ms: a base, plus an amount per MB that depends on the format, plus an amount per page
   * read.
   */
  cpuMs: number
  cpuMsPerMb: Record<Format, number>
  cpuMsPerPage: number
  /**
   * The maximum memory beyond that of an idle process: a base, plus an amount per MB of the file, plus an amount per
   * page read.
   */
  memoryMb: number
  memoryMbPerMb: Record<Format, number>
  memoryMbPerPage: number
  /** The maximum time for OCR of all pages. Pages that are not read by then are listed in a warning. */
  ocrMs: number
  /** The additional processor time and memory for a page in OCR. Pages are read by OCR one at a time. */
  cpuMsPerOcrPage: number
  ocrMemoryMb: number
  /** The memory that a process may retain after a file. The next file gets it in addition to its own limit. */
  keptMb: number
  /** The maximum memory of the whole reading process for any file, and the part of it for the JavaScript heap. */
  mostMemoryMb: number
  heapMb: number
  /** The number of files that are read at the same time. Other files wait. */
  atOnce: number
  /** A new process replaces a process that has read this many files. */
  filesPerProcess: number
  /** A process that has had no file for this time ends. */
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
