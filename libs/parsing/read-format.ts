import type { Format, ParsedDocument } from '@plumbline/contracts'
import { markdownBlocks } from '@plumbline/knowledge/chunking/blocks'
import { Unfit } from '@plumbline/ports/document-parser'
import { detectFormat, type FileToTell } from './detect/detect-format'
import type { Reading, ReadingWithMembers } from './limits'
import { notingTables } from './write-markdown'

export type Reader = (bytes: Uint8Array, reading: ReadingWithMembers) => Promise<ParsedDocument>

/** Most parsers are large, so a parser is loaded only when the first file of its format is read. */
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
  pdf: async () => {
    const [{ readPdf }] = await Promise.all([import('./pdf/read-pdf'), import('@llamaindex/liteparse')])
    return readPdf
  },
  docx: async () => (await import('./docx/read-docx')).readDocx,
  pptx: async () => (await import('./pptx/read-pptx')).readPptx,
  xlsx: async () => (await import('./xlsx/read-xlsx')).readXlsx,
  code: async () => (await import('./code/read-code')).readCode,
  image: async () => (await import('./image/read-image')).readImage,
  odf: async () => (await import('./odf/read-odf')).readOdf,
  rtf: async () => (await import('./rtf/read-rtf')).readRtf,
  epub: async () => {
    const [{ readEpub }, { loadJsdom }] = await Promise.all([import('./epub/read-epub'), import('./html/dom')])
    loadJsdom()
    return readEpub
  },
  email: async () => (await import('./email/read-email')).readEmail,
  json: async () => (await import('./json/read-json')).readJson,
  subtitles: async () => (await import('./subtitles/read-subtitles')).readSubtitles,
  archive: async () => (await import('./archive/read-archive')).readArchive,
}

export type Allowance = {
  /** Loads a parser. The memory of the parser does not count toward the memory limit of the file. */
  loaded<T>(load: () => Promise<T>): Promise<T>
  /** Sets the limits of a format. Before this call, small preliminary limits apply. */
  allow(format: Format): void
}

/** The maximum depth and the maximum total size of files inside files, such as the files in an archive. */
const mostMembers = { deep: 3, bytes: 200_000_000 }

const nobodysTitle =
  /^(?:powerpoint presentation|presentation|untitled.*|(?:new )?document\d*|slide \d+|workbook\d*|book\d*|page \d+|blank|title|no title|microsoft word - .*)$/i

const headingsWithin = 100_000

/** A heading of level 1 is the title only if it is the only heading of this level or begins the document. */
const titleHeading = ({ markup, parts: [first, ...others] }: ParsedDocument): string | undefined => {
  if (markup !== 'markdown' || !first || others.length > 0) return undefined
  const blocks = markdownBlocks(first.text.slice(0, headingsWithin))
  const highest = blocks.filter((block) => block.kind === 'heading' && block.level === 1 && block.text !== '')
  return highest.length === 1 || highest[0] === blocks[0] ? highest[0]?.text : undefined
}

/** Drops a title that a program wrote by default, such as `Document1`. A title heading then becomes the title. */
const withOwnTitle = ({ title: told, ...document }: ParsedDocument): ParsedDocument => {
  const title = [told?.trim(), titleHeading(document)].find(
    (one) => one && /\p{L}/u.test(one) && !nobodysTitle.test(one),
  )
  return { ...document, ...(title && { title }) }
}

export const readFile = async (
  file: FileToTell,
  { loaded, allow }: Allowance,
  { onPage, ...besides }: Omit<Reading, 'name'> = {},
): Promise<ParsedDocument> => {
  const outermost = detectFormat(file)
  let left = mostMembers.bytes
  const read = async (one: FileToTell, format: Format, deep: number): Promise<ParsedDocument> => {
    const reader = await loaded(loadReader[format])
    allow(outermost)
    const readMember = async (bytes: Uint8Array, name: string): Promise<ParsedDocument> => {
      left -= bytes.length
      if (left < 0 || deep === mostMembers.deep)
        throw new Unfit(
          'bomb',
          `${file.name} contains nested files ${left < 0 ? `of more than ${mostMembers.bytes / 1e6} MB` : `more than ${mostMembers.deep} levels deep`}. It was not read. Unpack the archive and upload its documents.`,
        )
      return read({ bytes, name }, detectFormat({ bytes, name }), deep + 1)
    }
    const page = deep === 0 && onPage ? { onPage } : {}
    return withOwnTitle(await reader(one.bytes, { name: one.name, ...besides, ...page, readMember }))
  }
  return notingTables(() => read(file, outermost, 0))
}
