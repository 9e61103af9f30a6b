import type { Format, ParsedDocument } from '@plumbline/contracts'
import type { OnPage } from '@plumbline/ports/document-parser'
import type { OcrData } from './ocr/recognise'

/** Input of a format's reader, in addition to the bytes. */
export type Reading = {
  name: string
  onPage?: OnPage
  /** Without it pictures are not read. `next` is asked before each page; false: no time is left for it. */
  ocr?: OcrData & { next(): boolean }
}
export type ReadingWithMembers = Reading & {
  /** Reads a file inside this one by its content, within this file's remaining limits. */
  readMember(bytes: Uint8Array, name: string): Promise<ParsedDocument>
}

/** Limits for reading one file. */
export type Limits = {
  /** Size of the uploaded file. */
  fileBytes: number
  /** Length of its text. */
  textChars: number
  /** Pages, slides or sheets. */
  pages: number
  /** On the clock, whatever else the machine does. */
  timeMs: number
  /** Of processor time: to begin with, and more for every MB of the file, as its format needs, and every page that was read. */
  cpuMs: number
  cpuMsPerMb: Record<Format, number>
  cpuMsPerPage: number
  /** Beyond what the reading process holds before its first file: to begin with, and more for every MB of the file and every page that was read. */
  memoryMb: number
  memoryMbPerMb: Record<Format, number>
  memoryMbPerPage: number
  /** Time for all OCR pages. Pages left then are listed. */
  ocrMs: number
  /** Of processor time, and of memory, for a page that is read by OCR, one at a time. */
  cpuMsPerOcrPage: number
  ocrMemoryMb: number
  /** The memory a process may retain after a file and still read another, in addition to that file's memory. */
  keptMb: number
  /** Of everything the reading process holds, however large the file is, and of that the part that JavaScript may. */
  mostMemoryMb: number
  heapMb: number
  /** Files read at once; others wait. */
  atOnce: number
  /** A process reads so many files before another takes its place. */
  filesPerProcess: number
  /** A process without a file ends after this time. */
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
