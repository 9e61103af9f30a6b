import { Unfit } from '@plumbline/ports/document-parser'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { docxOf, pptxOf, xlsxOf } from '../spec/sample-office'
import { utf32 } from '../spec/utf32'
import { detectFormat, type FileToTell } from './detect-format'

const latin = (text: string): Uint8Array =>
  new Uint8Array(Buffer.from(text.padEnd(64, text.includes('\0') ? '\0' : ' '), 'latin1'))
const container = (stream: string): Uint8Array =>
  new Uint8Array(
    Buffer.concat([
      Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1'),
      Buffer.alloc(600),
      Buffer.from(stream, 'utf16le'),
    ]),
  )
const docx = docxOf('<w:p/>')
const xlsx = xlsxOf([{ name: 'One', rows: '' }])
const pptx = pptxOf([''])
const png = latin('\x89PNG\r\n\x1a\n\0')

const told = (bytes: Uint8Array | string, name: string, more: Partial<FileToTell> = {}): string => {
  try {
    return detectFormat({ bytes: typeof bytes === 'string' ? latin(bytes) : bytes, name, ...more })
  } catch (error) {
    return error instanceof Unfit ? `${error.reason}: ${error.words}` : String(error)
  }
}

describe('the format of a file', () => {
  it.each([
    ['%PDF-1.7 …', 'a.pdf', 'pdf'],
    ['%PDF-1.7 …', 'download', 'pdf'],
    [docx, 'a.DOCX', 'docx'],
    [docx, 'no-name', 'docx'],
    [xlsx, 'a.xlsm', 'xlsx'],
    [pptx, 'a.pptx', 'pptx'],
    [png, 'a.png', 'image'],
    ['\xff\xd8\xff\xe0\0', 'a.jpeg', 'image'],
    ['RIFF\0\0\0\0WEBPVP8 ', 'a.webp', 'image'],
    ['# Title', 'a.md', 'markdown'],
    ['<h1>x</h1>', 'a.html', 'html'],
    ['<!DOCTYPE html><html>', 'download', 'html'],
    ['= Title', 'a.adoc', 'asciidoc'],
    ['a;b', 'a.csv', 'csv'],
    ['a\tb', 'a.tsv', 'csv'],
    ['text', 'a.log', 'text'],
    ['just words', 'unknown.zzz', 'text'],
    ['{}', 'a.json', 'json'],
    ['{}\n{}', 'a.jsonl', 'json'],
    ['From: x', 'a.eml', 'email'],
    ['WEBVTT', 'a.vtt', 'subtitles'],
    ['{\\rtf1 x}', 'a.rtf', 'rtf'],
    ['\x1f\x8b\x08\0', 'a.tar.gz', 'archive'],
    [zipSync({ 'a.txt': strToU8('x') }), 'a.zip', 'archive'],
    [zipSync({ mimetype: strToU8('x'), 'content.xml': strToU8('x') }), 'a.odt', 'odf'],
    [zipSync({ 'META-INF/container.xml': strToU8('x'), 'a.opf': strToU8('x') }), 'a.epub', 'epub'],
    ['x: 1', 'a.yaml', 'code'],
    ['<a/>', 'a.xml', 'code'],
    ['fn main() {}', 'src/main.rs', 'code'],
    ['FROM x', 'Dockerfile', 'code'],
    ['read me', 'README', 'text'],
    ['BMW and other cars', 'a.txt', 'text'],
    ['MZ is two letters', 'a.txt', 'text'],
    ['ID3 is a way to grow trees', 'a.md', 'markdown'],
    ['PAR1 is a receptor', 'a.txt', 'text'],
    ['RIFF is a container', 'a.txt', 'text'],
    ['if head.startswith("%PDF-"):', 'a.py', 'code'],
    ['HTTP/1.1 200 OK\n\n%PDF-1.4\n%%EOF', 'a.pdf', 'pdf'],
    ['junk\0\n%PDF-1.4', 'a.pdf', 'pdf'],
  ])('%# of %2$s', (bytes, name, format) => {
    expect(told(bytes, name)).toBe(format)
  })

  it("is taken from the media type if the name has none, and the uploader's choice comes first", () => {
    expect(told('a,b', 'export', { mediaType: 'text/csv; charset=utf-8' })).toBe('csv')
    expect(told('# Title', 'export', { mediaType: 'text/markdown' })).toBe('markdown')
    expect(told('# Title', 'a.txt', { format: 'markdown' })).toBe('markdown')
    for (const mediaType of ['application/octet-stream', 'application/x-download', 'text/plain'])
      expect(told(docx, 'export', { mediaType })).toBe('docx')
    expect(told('print(1)', 'export', { mediaType: 'text/x-python' })).toBe('code')
    expect(told('<svg/>', 'export', { mediaType: 'image/svg+xml' })).toBe('code')
    expect(told('<html>', 'export', { mediaType: 'application/pdf' })).toContain(
      'mislabelled: export is named like a PDF, but contains a web page.',
    )
  })

  it('is read in UTF-16', () => {
    expect(told(new Uint8Array(Buffer.from('\ufeffhello there', 'utf16le')), 'a.txt')).toBe('text')
    expect(told(new Uint8Array(Buffer.from('name,size\n', 'utf16le')), 'a.csv')).toBe('csv')
  })

  it.each(['utf-32le', 'utf-32be'])('is read in %s, and what only begins like it is not', (encoding) => {
    expect(told(utf32('Zürich, 中文', encoding), 'a.txt')).toBe('text')
    expect(told(utf32('name,size\n', encoding), 'a.csv')).toBe('csv')
    const mark = utf32('', encoding)
    const noise = Buffer.concat([mark, Buffer.from(Uint8Array.from({ length: 400 }, (_, at) => (at * 37 + 5) % 256))])
    expect(told(noise, 'a.txt')).toContain('but contains binary data')
  })

  it.each([
    [docx, 'a.pdf', 'mislabelled: a.pdf is named like a PDF, but contains a Word document.'],
    [xlsx, 'a.docx', 'mislabelled: a.docx is named like a Word document, but contains an Excel workbook.'],
    ['<html><body>Not found', 'a.docx', 'mislabelled: a.docx is named like a Word document, but contains a web page.'],
    ['plain words', 'a.pdf', 'mislabelled: a.pdf is named like a PDF, but contains plain text.'],
    ['%PDF-1.4', 'a.txt', 'mislabelled: a.txt is named like text, but contains a PDF.'],
    ['a\0b\0\0\0\x01\x02', 'a.txt', 'mislabelled: a.txt is named like text, but contains binary data.'],
    [png, 'a.md', 'mislabelled: a.md is named like Markdown, but contains an image.'],
    [
      zipSync({ 'a.txt': strToU8('x') }),
      'a.xlsx',
      'mislabelled: a.xlsx is named like an Excel workbook, but contains an archive.',
    ],
    [
      container('WordDocument'),
      'a.docx',
      'mislabelled: a.docx is named like a Word document, but contains an old Word document (.doc).',
    ],
    [
      container('WordDocument'),
      'a.doc',
      'unsupported: a.doc is an old Word document (.doc), which is not supported. Save the document as .docx',
    ],
    [container('Workbook'), 'a.xls', 'unsupported: a.xls is an old Excel workbook (.xls)'],
    [container('PowerPoint Document'), 'a.ppt', 'unsupported: a.ppt is an old PowerPoint presentation (.ppt)'],
    [container('EncryptedPackage'), 'a.docx', 'encrypted: a.docx is protected with a password.'],
    ['\x7fELF\x02\0', 'tool', 'unsupported: tool is a program'],
    ['7z\xbc\xaf\x27\x1c', 'a.7z', 'unsupported: a.7z is a 7-Zip archive, which is not supported. Unpack the archive'],
    ['\0\0\0\x20ftypisom', 'a.mp4', 'unsupported: a.mp4 is a video'],
    ['ID3\x03\0', 'a.mp3', 'unsupported: a.mp3 is a sound file'],
    ['words', 'a.rtf', 'mislabelled: a.rtf is named like a rich text document, but contains plain text.'],
    [
      zipSync({ 'a.txt': strToU8('x') }),
      'a.epub',
      'mislabelled: a.epub is named like an e-book (EPUB), but contains an archive.',
    ],
    [docx.subarray(0, 200), 'a.docx', 'truncated: a.docx is truncated'],
    [new Uint8Array(0), 'a.txt', 'no-text: a.txt is empty.'],
    ['\0\x01\x02\x03\xfe\xff', 'thing.bin', 'unsupported: thing.bin has an unsupported format.'],
    [
      Uint8Array.from({ length: 4_000 }, (_, at) => (at % 9 < 4 ? 0 : (at * 7) % 256)),
      'half.bin',
      'unsupported: half.bin has an unsupported format.',
    ],
    [
      Uint8Array.from({ length: 4_000 }, (_, at) => (at % 2 === 0 ? at % 32 : 0)),
      'words16.bin',
      'unsupported: words16.bin has an unsupported format.',
    ],
  ])('%# is refused as %2$s', (bytes, name, refusal) => {
    expect(told(bytes, name)).toContain(refusal)
  })
})
