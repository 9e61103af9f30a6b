import type { Format } from '@plumbline/contracts'
import { Unfit } from '@plumbline/ports/document-parser'
import { decodedAs, wideEncoding } from '../text-encoding'
import { isZip, zipEntries } from '../zip'

type Content =
  | { kind: 'format'; format: Format }
  | { kind: 'text' }
  | { kind: 'other'; called: string; advice: string }
  | { kind: 'unknown' }

const format = (one: Format): Content => ({ kind: 'format', format: one })
const other = (called: string, advice: string): Content => ({ kind: 'other', called, advice })

const latin = (bytes: Uint8Array, from = 0, to = bytes.length): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1', from, to)
const hasTextAt = (bytes: Uint8Array, text: string, at = 0): boolean => latin(bytes, at, at + text.length) === text
const hasWide = (bytes: Uint8Array, text: string): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(Buffer.from(text, 'utf16le'))

const unpack = 'Unpack the archive and upload its documents.'
const noSound = 'Upload a transcript of the recording.'
const noProgram = 'Upload a document, not a program.'

const officeMarks: [string, Format][] = [
  ['word/', 'docx'],
  ['ppt/', 'pptx'],
  ['xl/', 'xlsx'],
]

const zipContent = (bytes: Uint8Array, name: string): Content => {
  const entries = zipEntries(bytes, name)
  const names = entries.map((entry) => entry.name.toLowerCase())
  if (names.includes('xl/workbook.bin'))
    return other('a binary Excel workbook (.xlsb)', 'Save the workbook as .xlsx and upload the new file.')
  const counts = officeMarks.map(([folder, found]) => ({
    found,
    count: names.filter((one) => one.startsWith(folder)).length,
  }))
  const best = counts.reduce((a, b) => (b.count > a.count ? b : a))
  if (names.includes('[content_types].xml') && best.count > 0) return format(best.found)
  if (names.includes('meta-inf/container.xml') && names.some((one) => one.endsWith('.opf'))) return format('epub')
  if (names.includes('mimetype') && names.includes('content.xml')) return format('odf')
  if (names.some((one) => one.endsWith('.iwa')))
    return other(
      'an Apple Pages, Numbers or Keynote document',
      'Export the document as .docx, .xlsx, .pptx or PDF and upload the new file.',
    )
  if (names.includes('meta-inf/manifest.mf')) return other('a Java program', noProgram)
  return format('archive')
}

/** An OLE container is an old Office file, or an encrypted Office file of any age. */
const containerContent = (bytes: Uint8Array, name: string): Content => {
  if (hasWide(bytes, 'EncryptedPackage'))
    throw new Unfit(
      'encrypted',
      `${name} is protected with a password. Save the document without a password and upload it again.`,
    )
  if (hasWide(bytes, 'WordDocument'))
    return other('an old Word document (.doc)', 'Save the document as .docx and upload the new file.')
  if (hasWide(bytes, 'PowerPoint Document'))
    return other('an old PowerPoint presentation (.ppt)', 'Save the presentation as .pptx and upload the new file.')
  if (hasWide(bytes, 'Workbook') || hasWide(bytes, 'Book'))
    return other('an old Excel workbook (.xls)', 'Save the workbook as .xlsx and upload the new file.')
  if (hasWide(bytes, '__substg1.0_'))
    return other('an Outlook message (.msg)', 'Save the message as text or HTML and upload the new file.')
  return other('an old Office file', 'Save the document as .docx, .pptx or .xlsx and upload the new file.')
}

const riff: Record<string, Content> = {
  WEBP: format('image'),
  WAVE: other('a sound file', noSound),
  'AVI ': other('a video', noSound),
}

const marks: [string, number, Content][] = [
  ['\x89PNG\r\n\x1a\n', 0, format('image')],
  ['\xff\xd8\xff', 0, format('image')],
  ['GIF87a', 0, format('image')],
  ['GIF89a', 0, format('image')],
  ['II*\0', 0, format('image')],
  ['MM\0*', 0, format('image')],
  ['\x1f\x8b', 0, format('archive')],
  ['BZh', 0, other('a bzip2 archive', unpack)],
  ['\xfd7zXZ\0', 0, other('an xz archive', unpack)],
  ['7z\xbc\xaf\x27\x1c', 0, other('a 7-Zip archive', unpack)],
  ['Rar!\x1a\x07', 0, other('a RAR archive', unpack)],
  ['\x28\xb5\x2f\xfd', 0, other('a zstd archive', unpack)],
  ['ustar', 257, format('archive')],
  ['PK\x05\x06', 0, other('an empty zip archive', unpack)],
  ['\x7fELF', 0, other('a program', noProgram)],
  ['\xfe\xed\xfa', 0, other('a program', noProgram)],
  ['\xcf\xfa\xed\xfe', 0, other('a program', noProgram)],
  ['\xca\xfe\xba\xbe', 0, other('a program', noProgram)],
  ['\0asm', 0, other('a program', noProgram)],
  ['ID3', 0, other('a sound file', noSound)],
  ['RIFF', 0, other('a sound or video file', noSound)],
  ['fLaC', 0, other('a sound file', noSound)],
  ['OggS', 0, other('a sound or video file', noSound)],
  ['\x1a\x45\xdf\xa3', 0, other('a video', noSound)],
  ['ftyp', 4, other('a video', noSound)],
  ['\0\0\x01\xba', 0, other('a video', noSound)],
  ['SQLite format 3\0', 0, other('a database', 'Export the tables as CSV and upload the CSV files.')],
  ['PAR1', 0, other('a Parquet file', 'Export the table as CSV and upload the CSV file.')],
  ['{\\rtf', 0, format('rtf')],
  ['%!PS', 0, other('a PostScript file', 'Convert the document to PDF and upload the PDF.')],
  ['wOFF', 0, other('a font', 'Upload a document.')],
  ['wOF2', 0, other('a font', 'Upload a document.')],
  ['\0\x01\0\0\0', 0, other('a font', 'Upload a document.')],
]

/** Checks more than the two letters of a signature such as `BM`, because a text may also begin with these letters. */
const looseMark = (bytes: Uint8Array): Content | undefined => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (
    hasTextAt(bytes, 'BM') &&
    bytes.length > 18 &&
    view.getUint32(6, true) === 0 &&
    [12, 40, 52, 56, 108, 124].includes(view.getUint32(14, true))
  )
    return format('image')
  if (hasTextAt(bytes, 'MZ') && bytes.length > 64 && hasTextAt(bytes, 'PE\0\0', view.getUint32(60, true)))
    return other('a Windows program', noProgram)
  if ([0xfb, 0xf3, 0xf2].includes(bytes[1] ?? 0) && bytes[0] === 0xff) return other('a sound file', noSound)
  return undefined
}

/** Matches characters that text hardly ever contains. */
const control = /[\x00-\x08\x0e-\x1a\x1c-\x1f\ufffd]/g

const hasWords = (text: string): boolean =>
  !text.includes('\0') && (text.match(control)?.length ?? 0) <= text.length * 0.01

const isText = (bytes: Uint8Array): boolean => {
  const head = bytes.subarray(0, 65_536)
  const wide = wideEncoding(head)
  return hasWords(wide === undefined ? latin(head) : decodedAs(head, wide))
}

/** Some PDFs have other bytes before `%PDF-`. A text that only mentions `%PDF-` has no `%%EOF` near its end. */
const isPdf = (bytes: Uint8Array): boolean => {
  const at = latin(bytes, 0, 1_024).indexOf('%PDF-')
  return at === 0 || (at > 0 && (!isText(bytes) || latin(bytes, Math.max(0, bytes.length - 1_024)).includes('%%EOF')))
}

/** Recognizes a file by its signature. A text may begin with the letters of a signature, as in the gene name `ID3`. */
const markedAs = (bytes: Uint8Array): Content | undefined => {
  const [mark, , content] = marks.find(([one, at]) => hasTextAt(bytes, one, at)) ?? []
  if (mark === undefined || (/^\w+$/.test(mark) && isText(bytes))) return looseMark(bytes)
  return mark === 'RIFF' ? (riff[latin(bytes, 8, 12)] ?? content) : content
}

export const contentOf = (bytes: Uint8Array, name: string): Content => {
  if (isZip(bytes)) return zipContent(bytes, name)
  if (hasTextAt(bytes, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) return containerContent(bytes, name)
  const content = markedAs(bytes)
  if (content) return content
  if (isPdf(bytes)) return format('pdf')
  return isText(bytes) ? { kind: 'text' } : { kind: 'unknown' }
}

export const isHtml = (bytes: Uint8Array): boolean =>
  /^\s*(?:﻿|ï»¿)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*(?:<!doctype html|<html[\s>]|<head[\s>])/i.test(
    latin(bytes, 0, 4_096),
  )
