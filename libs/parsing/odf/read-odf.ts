import { posix } from 'node:path'
import type { ParsedDocument, ParsedPart } from '@plumbline/contracts'
import { Unfit } from '@plumbline/ports/document-parser'
import type { Reading } from '../limits'
import { blocksText, marginBlocks, paragraphBlock, wholeBlock, type Block } from '../ooxml/blocks'
import { sheetText } from '../ooxml/regions'
import { below, child, childrenOf, xmlTree, type XmlNode } from '../ooxml/xml'
import { blocks, escapedHeading } from '../write-markdown'
import { openZip } from '../zip'
import { cellsOf } from './table'
import { cellText, deepText, readBlocks, stylesOf, type Text } from './text'

/** These parts repeat on every slide without adding content. */
const repeated = new Set(['page-number', 'date-time', 'footer', 'header'])

const slideText = (page: XmlNode, text: Text): string => {
  const isShown = ({ attributes }: XmlNode): boolean => !repeated.has(attributes['class'] ?? '')
  const shapes = page.children.filter(isShown)
  const isTitle = ({ attributes }: XmlNode): boolean => attributes['class'] === 'title'
  const title = shapes.filter(isTitle).map(deepText).join(' ').replace(/\s+/g, ' ').trim()
  const shown = shapes.filter((shape) => !isTitle(shape) && shape.name !== 'notes')
  const notes = blocksText(
    childrenOf(page, 'notes')
      .flatMap(({ children }) => children.filter(isShown))
      .flatMap((frame) => below(frame, 'text-box'))
      .flatMap((box) => readBlocks(box.children, text)),
  )
  return blocksText([
    ...(title === '' ? [] : [wholeBlock(`## ${escapedHeading(title)}`)]),
    ...readBlocks(shown, text),
    ...(notes === '' ? [] : [paragraphBlock(`Notes: ${notes}`)]),
    ...text.takeNotes(),
  ])
}

const sheetPart = (sheet: XmlNode, text: Text): string => {
  const name = sheet.attributes['name'] ?? ''
  const drawn: Block[] = readBlocks(childrenOf(sheet, 'shapes'), text)
  const { cells } = cellsOf(sheet, text.file, (cell) => cellText(cell, text))
  const read = blocks(sheetText(cells, text.file), blocksText([...drawn, ...text.takeNotes()]))
  return read === '' ? '' : blocks(`## ${escapedHeading(name)}`, read)
}

const textPart = (body: XmlNode, text: Text): string =>
  blocksText([
    ...body.children.flatMap((node) => [...(node.name === 'h' ? text.takeNotes() : []), ...readBlocks([node], text)]),
    ...text.takeNotes(),
  ])

const marginNames = ['header', 'header-first', 'header-left', 'footer', 'footer-first', 'footer-left']

const margins = (styles: XmlNode | undefined, text: Text): Block[] =>
  marginBlocks(
    marginNames
      .flatMap((name) => below(styles, 'master-page').flatMap((page) => childrenOf(page, name)))
      .filter(({ attributes }) => attributes['display'] !== 'false')
      .map(({ children }) => blocksText(readBlocks(children, text))),
  )

export const readOdf = async (bytes: Uint8Array, { name, onPage }: Reading): Promise<ParsedDocument> => {
  const zip = openZip(bytes, name)
  const tree = (path: string): XmlNode | undefined => {
    const part = zip.read(path)
    return part && xmlTree(part, name, true)
  }
  if (below(tree('META-INF/manifest.xml'), 'encryption-data').length > 0)
    throw new Unfit(
      'encrypted',
      `${name} is protected with a password. Save the document without a password and upload it again.`,
    )
  const content = tree('content.xml')
  const body = child(content, 'body')
  const [inText, sheets, slides] = [
    child(body, 'text'),
    childrenOf(child(body, 'spreadsheet'), 'table'),
    childrenOf(child(body, 'presentation'), 'page'),
  ]
  if (!inText && sheets.length === 0 && slides.length === 0)
    throw new Unfit(
      'unreadable',
      `${name} contains no text, sheet or slide. If it is a drawing or a formula, export it as PDF. Otherwise, save it again in the program that created it.`,
    )
  const styles = tree('styles.xml')
  const object = (href: string): XmlNode | undefined => tree(posix.join(href, 'content.xml'))
  const text = stylesOf([content, styles], { file: name, object }, inText)
  const notes: string[] = []
  const pages = [
    ...sheets.map((sheet) => ({ node: sheet, read: sheetPart })),
    ...slides.map((slide) => ({ node: slide, read: slideText })),
  ]
  const parts = inText
    ? [{ text: blocksText([...margins(styles, text), wholeBlock(textPart(inText, text))]) }]
    : pages.flatMap(({ node, read }, at): ParsedPart[] => {
        onPage?.(at + 1, pages.length)
        if (text.isHidden(node)) {
          notes.push(`"${node.attributes['name'] ?? ''}" is hidden and was not read.`)
          return []
        }
        const said = read(node, text)
        return said === '' ? [] : [{ page: at + 1, text: said }]
      })
  if (parts.every((part) => part.text === ''))
    throw new Unfit('no-text', `${name} contains no text. Upload a document that contains text.`)
  const title = deepText(below(tree('meta.xml'), 'title')[0]).trim()
  return {
    ...(title !== '' && { title }),
    markup: 'markdown',
    parts,
    ...(!inText && { pages: pages.length }),
    ...(notes.length > 0 && { notes }),
  }
}
