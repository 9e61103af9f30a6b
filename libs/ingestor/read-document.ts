import { intakeDefaults } from '@plumbline/adapters/files/intake'
import type { Original } from '@plumbline/adapters/files/document-files'
import { cleanName, type Format, type ParsedDocument } from '@plumbline/contracts'
import { formatOfName } from '@plumbline/contracts/format-names'
import { inSpan, noteOnSpan } from '@plumbline/platform/tracing/spans'
import { type SourceFile, Unfit } from '@plumbline/ports/document-parser'
import { between, Lost, note, noteDone, percentAfter, type Work } from './work'

const bytesGone = (): Unfit =>
  new Unfit('unreadable', 'The bytes of the document are not there any more. Send it again.')

/** A catalog that was restored from an older copy may still list a deleted document. */
const deletedBefore = (): Unfit =>
  new Unfit(
    'unreadable',
    'The document was deleted, and the catalog is older than that. Delete it again, or send it again.',
  )

const fromAddress = async ({ ports, open }: Work, address: string, signal: AbortSignal): Promise<void> => {
  const { content, close, ...about } = await ports.fetch(address, signal)
  try {
    const received = await ports.files.receive(content, { bytes: intakeDefaults.mostBytes }, signal)
    const { source = { kind: 'url', url: address }, access, from: _, ...document } = open.document
    await received.keep(open, about, { acceptedAt: open.acceptedAt, access, source, document })
    // The document may have been deleted meanwhile.
    await ports.files.dropDeleted(open)
  } finally {
    await close()
  }
}

/** Returns the original bytes of the document and their version. Downloads them first if they come from an address. */
export const fetchOriginal = async (work: Work): Promise<{ original: Original; version: string }> => {
  const { ports, open, signal } = work
  const { files, catalog } = ports
  const { source } = open.document
  const stored = (): Promise<Original | null> => files.original(open)
  let original = await stored()
  if (!original && source?.kind === 'url') {
    if (await files.isDeleted(open)) throw deletedBefore()
    await note(work, { task: 'fetch' })
    const { url } = source
    await ports.inBackground(`${open.id}.${open.revision}`, (stopped) => fromAddress(work, url, stopped), signal)
    original = await stored()
  }
  if (!original) throw bytesGone()
  const version = open.version || (await catalog.fetched(open, original.digest))
  if (version === null) throw new Lost()
  await note(work, { task: 'fetch', percent: percentAfter.fetch })
  return { original, version }
}

const tellEveryMs = 500

/** Reports progress at intervals only, because pages pass faster than anyone looks. */
const pageTeller = (work: Work) => {
  let toldAt = 0
  return (done: number, of: number): void => {
    if (performance.now() - toldAt < tellEveryMs) return
    toldAt = performance.now()
    const percent = between(percentAfter.fetch, percentAfter.parse, done / Math.max(of, 1))
    // A failed report must not end the work. Another check follows when the work is done.
    note(work, { pages: done, ofPages: of, percent }).catch(() => undefined)
  }
}

const files = new Set<Format | undefined>(['pdf', 'docx', 'pptx', 'xlsx', 'image'])

/** An address may end in .php, .js or .md although its server answers with a web page. */
const isPage = ({ url, name, mediaType = '' }: Original): boolean =>
  url !== undefined && /^(?:text\/html|application\/xhtml\+xml)$/.test(mediaType) && !files.has(formatOfName(name))

const parseNoting = async (work: Work, file: SourceFile): Promise<ParsedDocument> => {
  const read = await work.ports.parser.parse(file, work.signal, pageTeller(work))
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
    () => ports.files.withOriginal(open, signal, (path) => parseNoting(work, { ...file, path })),
  )
  if (!read) throw bytesGone()
  if (read.parts.every(({ text }) => text.trim() === ''))
    throw new Unfit('no-text', 'The document holds no text. Send one with some text in it.')
  const readAs = format ?? formatOfName(name)
  ports.measure?.read({ format: readAs, bytes: original.bytes, pages: read.pages ?? 0 })
  await ports.files.putParsed(open, read)
  return read
}

/** Each passage carries the title, so the title in a file has the same limit as a given title. */
const longestTitle = 300
const titled = ({ title, ...read }: ParsedDocument): ParsedDocument =>
  title === undefined
    ? read
    : {
        ...read,
        title: Array.from(cleanName(title.slice(0, 2 * longestTitle)))
          .slice(0, longestTitle)
          .join(''),
      }

/** Removes characters that must not reach people's screens and terminals. */
const shownMetadata = (metadata: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(metadata).map((pair) => pair.map(cleanName)))

/** Returns the parsed document. It is parsed only once, and then read from the store. */
export const parseOriginal = async (work: Work, original: Original): Promise<ParsedDocument> => {
  const { ports, open } = work
  const before = await ports.files.parsed(open)
  const read = titled(before ?? (await parsed(work, original)))
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
