import { posix } from 'node:path'
import type { ParsedDocument, ParsedPart } from '@plumbline/contracts'
import { Unfit } from '@plumbline/ports/document-parser'
import { htmlToMarkdown } from '../html/html-to-markdown'
import type { Reading } from '../limits'
import { below, child, childrenOf, xmlTree, type XmlNode } from '../ooxml/xml'
import { pageText } from '../text-encoding'
import { openZip } from '../zip'

const damaged = (name: string): Unfit =>
  new Unfit('unreadable', `${name} is damaged: the list of its chapters is missing. Download or export the book again.`)

/** Returns the paths of the chapters in the zip. In the book file, a path is relative to the folder of this file. */
const chaptersOf = (book: XmlNode | undefined, path: string): string[] => {
  const items = new Map(
    childrenOf(child(book, 'manifest'), 'item').map(({ attributes }) => [attributes['id'], attributes['href'] ?? '']),
  )
  return childrenOf(child(book, 'spine'), 'itemref').flatMap(({ attributes }) => {
    const href = items.get(attributes['idref'])
    return href === undefined ? [] : [posix.join(posix.dirname(path), decodeURIComponent(href))]
  })
}

/** Writes `<p/>` as `<p></p>`. An HTML parser would ignore the slash and extend the element to the end of the page. */
const withEnds = (page: string): string =>
  page.replace(
    /<(?!(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)\b)([a-z][\w:-]*)([^<>]*)\/>/gi,
    '<$1$2></$1>',
  )

export const readEpub = async (bytes: Uint8Array, { name, onPage }: Reading): Promise<ParsedDocument> => {
  const zip = openZip(bytes, name)
  const tree = (path: string): XmlNode | undefined => {
    const part = zip.read(path)
    return part && xmlTree(part, name)
  }
  const path = below(tree('META-INF/container.xml'), 'rootfile')[0]?.attributes['full-path']
  const book = path === undefined ? undefined : tree(path)
  const chapters = chaptersOf(book, path ?? '')
  if (chapters.length === 0) throw damaged(name)
  const locked = new Set(
    below(tree('META-INF/encryption.xml'), 'CipherReference').map(({ attributes }) =>
      decodeURIComponent(attributes['URI'] ?? ''),
    ),
  )
  if (chapters.some((chapter) => locked.has(chapter)))
    throw new Unfit('encrypted', `${name} is protected against copying. Upload a copy without this protection.`)
  const [parts, notes]: [ParsedPart[], string[]] = [[], []]
  chapters.forEach((chapter, at) => {
    const page = zip.read(chapter)
    if (!page) notes.push(`The chapter ${chapter} is missing from the file. Download or export the book again.`)
    const text = page ? htmlToMarkdown(withEnds(pageText(page))) : ''
    if (text.trim() !== '') parts.push({ text })
    onPage?.(at + 1, chapters.length)
  })
  if (parts.length === 0)
    throw new Unfit('no-text', `${name} contains no text in any of its chapters. Upload a book that contains text.`)
  const title = child(book, 'metadata', 'title')?.text.trim()
  return { ...(title && { title }), markup: 'markdown', parts, ...(notes.length > 0 && { notes }) }
}
