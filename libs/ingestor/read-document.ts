import { intakeDefaults } from '@plumbline/adapters/files/intake'
import type { Original } from '@plumbline/adapters/files/document-files'
import { cleanName, type Format, type ParsedDocument } from '@plumbline/contracts'
import { formatOfName } from '@plumbline/contracts/format-names'
import { inSpan, noteOnSpan } from '@plumbline/platform/tracing/spans'
import { type SourceFile, Unfit } from '@plumbline/ports/document-parser'
import { interpolate, DocumentLost, note, noteDone, percentAfter, type Work } from './work'

const bytesMissing = (): Unfit =>
  new Unfit('unreadable', 'The stored file of the document no longer exists. Upload the document again.')

const alreadyDeleted = (): Unfit =>
  new Unfit(
    'unreadable',
    'The document was deleted, but the catalog was restored from an older copy that still lists it. Delete the document again, or upload it again.',
  )

const fromAddress = async ({ ports, open }: Work, address: string, signal: AbortSignal): Promise<void> => {
  const { content, close, ...about } = await ports.fetch(address, signal)
  try {
    const received = await ports.files.receive(content, { bytes: intakeDefaults.mostBytes }, signal)
    const { source = { kind: 'url', url: address }, access, from: _, ...document } = open.document
    try {
      await received.keep(open, about, { acceptedAt: open.acceptedAt, access, source, document })
      // Remove the stored file again if the document was deleted during the download.
      await ports.files.dropDeleted(open)
    } finally {
      await received.discard()
    }
  } finally {
    await close()
  }
}

export const fetchOriginal = async (work: Work): Promise<{ original: Original; version: string }> => {
  const { ports, open, signal } = work
  const { files, catalog } = ports
  const { source } = open.document
  const stored = (): Promise<Original | null> => files.original(open)
  let original = await stored()
  if (!original && source?.kind === 'url') {
    if (await files.isDeleted(open)) throw alreadyDeleted()
    await note(work, { task: 'fetch' })
    const { url } = source
    await ports.inBackground(`${open.id}.${open.revision}`, (stopped) => fromAddress(work, url, stopped), signal)
    original = await stored()
  }
  if (!original) throw bytesMissing()
  const version = open.version || (await catalog.fetched(open, original.digest))
  if (version === null) throw new DocumentLost()
  await note(work, { task: 'fetch', percent: percentAfter.fetch })
  return { original, version }
}

const reportEveryMs = 500

const pageReporter = (work: Work) => {
  let toldAt = 0
  return (done: number, of: number): void => {
    if (performance.now() - toldAt < reportEveryMs) return
    toldAt = performance.now()
    const percent = interpolate(percentAfter.fetch, percentAfter.parse, done / Math.max(of, 1))
    // Ignore the error. If it persists, the write at the end of this step reports the same error.
    note(work, { pages: done, ofPages: of, percent }).catch(() => undefined)
  }
}

const files = new Set<Format | undefined>(['pdf', 'docx', 'pptx', 'xlsx', 'image'])

/**
 * Returns whether a download is a web page. The media type decides, because a URL that ends in .php, .js or .md may
 * return HTML.
 */
const isPage = ({ url, name, mediaType = '' }: Original): boolean =>
  url !== undefined && /^(?:text\/html|application\/xhtml\+xml)$/.test(mediaType) && !files.has(formatOfName(name))

const parseWithNotes = async (work: Work, file: SourceFile): Promise<ParsedDocument> => {
  const read = await work.ports.parser.parse(file, work.signal, pageReporter(work))
  noteOnSpan(() => ({
    'plumbline.document.parts': read.parts.length,
    ...(read.pages !== undefined && { 'plumbline.document.pages': read.pages }),
  }))
  return read
}

const parsed = async (work: Work, original: Original): Promise<ParsedDocument> => {
  const { ports, open, signal } = work
  const { name, mediaType } = original
  const format = open.document.format ?? (isPage(original) ? 'html' : undefined)
  await note(work, { task: 'parse' })
  const file: Omit<SourceFile, 'path'> = { name, ...(mediaType && { mediaType }), ...(format && { format }) }
  const read = await inSpan(
    'parse',
    () => ({ attributes: { 'plumbline.document.id': open.id } }),
    () => ports.files.withOriginal(open, signal, (path) => parseWithNotes(work, { ...file, path })),
  )
  if (!read) throw bytesMissing()
  if (read.parts.every(({ text }) => text.trim() === ''))
    throw new Unfit('no-text', 'The document contains no text. Upload a document that contains text.')
  const readAs = format ?? formatOfName(name)
  ports.measure?.read({ format: readAs, bytes: original.bytes, pages: read.pages ?? 0 })
  await ports.files.putParsed(open, read)
  return read
}

/** The maximum length of a title, also in uploads. It is low, because each passage contains the title. */
const longestTitle = 300
const withShortTitle = ({ title, ...read }: ParsedDocument): ParsedDocument =>
  title === undefined
    ? read
    : {
        ...read,
        title: Array.from(cleanName(title.slice(0, 2 * longestTitle)))
          .slice(0, longestTitle)
          .join(''),
      }

/** Removes control characters and changes of the writing direction from metadata, because they can disguise text. */
const shownMetadata = (metadata: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(metadata).map((pair) => pair.map(cleanName)))

export const parseOriginal = async (work: Work, original: Original): Promise<ParsedDocument> => {
  const { ports, open } = work
  const before = await ports.files.parsed(open)
  const read = withShortTitle(before ?? (await parsed(work, original)))
  const { title, metadata, notes, warnings, pages } = read
  await (before ? note : noteDone)(work, {
    ...(title && !open.document.title && { title }),
    ...(metadata && { ownMetadata: shownMetadata(metadata) }),
    ...(notes && { notes }),
    ...(warnings && { warnings }),
    ...(pages !== undefined && { pages, ofPages: pages }),
    percent: percentAfter.parse,
  })
  return read
}
