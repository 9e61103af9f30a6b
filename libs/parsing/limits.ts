import type { Format, ParsedDocument } from '@plumbline/contracts'
import type { OnPage } from '@plumbline/ports/document-parser'
import type { OcrData } from './ocr/recognise'

export type Reading = {
  name: string
  onPage?: OnPage
  /** Without this, images are not read. `next` is called before each page. It returns false after the time limit. */
  ocr?: OcrData & { next(): boolean }
}
export type ReadingWithMembers = Reading & {
  /** Reads a file inside this file, such as an attachment. Both files together must stay within the limits. */
  readMember(bytes: Uint8Array, name: string): Promise<ParsedDocument>
}

export type Limits = {
  fileBytes: number
  textChars: number
  pages: number
  /** The limit of elapsed time, which includes waits for the processor. */
  timeMs: number
  /** The base limit of processor time. An amount per MB of the file and an amount per page are added. */
  cpuMs: number
  cpuMsPerMb: Record<Format, number>
  cpuMsPerPage: number
  /** The base limit of memory. Amounts per MB of the file and per page and the memory of an idle process are added. */
  memoryMb: number
  memoryMbPerMb: Record<Format, number>
  memoryMbPerPage: number
  /** The time limit of OCR for all pages of a file. A warning lists the pages that were not read in time. */
  ocrMs: number
  cpuMsPerOcrPage: number
  ocrMemoryMb: number
  /** A process may keep this much memory after a file, so this amount is added to the limit of the next file. */
  keptMb: number
  mostMemoryMb: number
  heapMb: number
  atOnce: number
  filesPerProcess: number
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
