import type { ParsedDocument } from '@plumbline/contracts'
import { Unfit } from '@plumbline/ports/document-parser'
import type { Reading } from '../limits'
import { blocksText, marginBlocks, paragraphBlock, wholeBlock, type Block } from '../ooxml/blocks'
import { commentLine } from '../ooxml/comments'
import { formula } from '../ooxml/formulas-and-symbols'
import { below, child, isOn, val, textBelow, type XmlNode } from '../ooxml/xml'
import { openOffice, type OfficePackage } from '../ooxml/zip-parts'
import { escapedHeading } from '../write-markdown'
import { filledIn, inlineOf } from './paragraph-text'
import { numberedIn, numberingOf, outlineIn, stylesOf, type Part, type Word } from './styles-and-numbering'
import { tableOf } from './table'

const ticked = /^\[[ x]\]\s/

/** Returns true for a hidden or deleted paragraph. An empty paragraph of this kind gets no list number. */
const isGone = (properties: XmlNode | undefined): boolean => {
  const mark = child(properties, 'rPr')
  return isOn(child(mark, 'vanish')) || child(mark, 'del') !== undefined
}

const paragraphBlocks = (node: XmlNode, word: Word): Block[] => {
  const properties = child(node, 'pPr')
  const style = word.styles.of(val(child(properties, 'pStyle')))
  const { text, anchored } = inlineOf(node, word, readBlocks)
  const empty = text.trim() === ''
  if (empty && isGone(properties)) return anchored
  const { list, level = 0 } = { ...style, ...numberedIn(properties) }
  // Count an empty list item too, because Word numbers it.
  const item = list === undefined || list === '0' ? undefined : word.numbering.next(list, level)
  if (empty) return anchored
  const heading = outlineIn(properties) ?? style?.heading
  if (heading !== undefined)
    return [
      wholeBlock(
        `${'#'.repeat(Math.min(6, heading + word.titled))} ${escapedHeading([item?.label ?? '', text].join(' ').replace(/\s+/g, ' ').trim())}`,
      ),
      ...anchored,
    ]
  if (item) return [{ kind: 'item', level, text, ...item }, ...anchored]
  return [ticked.test(text.trim()) ? { kind: 'item', level: 0, text: text.trim() } : paragraphBlock(text), ...anchored]
}

export const titleIn = (body: XmlNode | undefined, word: Word): string | undefined => {
  const title = below(body, 'p').find((node) => word.styles.of(val(child(node, 'pPr', 'pStyle')))?.heading === 0)
  const text = title && textBelow(title).trim()
  return text === '' ? undefined : text
}

const isHeading = (block: Block): boolean => block.kind === 'whole' && /^#{1,6} /.test(block.text)

const partText = ({ node, links }: Part, word: Word): string => {
  const outer = word.links
  word.links = links
  const text = blocksText(readBlocks(node.children, word))
  word.links = outer
  return text
}

const noteText = (note: Part, word: Word): string => {
  const text = partText(note, word).replace(/\s+/g, ' ').trim()
  return note.node.name === 'comment' ? commentLine(note.node.attributes['author'], text) : text
}

/** Returns the notes of the section that ends here. They follow the section, so that a search finds them with it. */
const notesOf = (word: Word): Block[] =>
  word.open.splice(0).map(({ mark, note }) => wholeBlock(`${mark}: ${noteText(note, word)}`))

const blocksOf = (node: XmlNode, word: Word): Block[] => {
  switch (node.name) {
    case 'p':
      return paragraphBlocks(node, word)
    case 'tbl':
      return tableOf(node, word, readBlocks)
    case 'sdt':
      return readBlocks(filledIn(node), word)
    case 'oMathPara':
    case 'oMath':
      return [paragraphBlock(formula(node))]
    case 'ins':
    case 'moveTo':
    case 'customXml':
    case 'smartTag':
      return readBlocks(node.children, word)
    default:
      return []
  }
}

const readBlocks = (nodes: readonly XmlNode[], word: Word): Block[] => nodes.flatMap((node) => blocksOf(node, word))

const bodyBlocks = (body: XmlNode | undefined, word: Word): Block[] => {
  const found = (body?.children ?? []).flatMap((node): Block[] => {
    const noted = word.open.length
    const blocks = blocksOf(node, word)
    const first = blocks[0]
    if (!first || !isHeading(first) || noted === 0) return blocks
    const here = word.open.splice(noted)
    const notes = notesOf(word)
    word.open.push(...here)
    return [...notes, ...blocks]
  })
  return [...found, ...notesOf(word)]
}

const linksOf = (office: OfficePackage, path: string): Map<string, string> =>
  new Map(office.relations(path).map(({ id, target }) => [id, target]))

const wordOf = (office: OfficePackage, file: string): { word: Word; margins: Part[] } => {
  const relations = office.relations(office.main)
  const parts = (wanted: string): Part[] =>
    relations.flatMap(({ type, target }) => {
      const node = type === wanted ? office.part(target) : undefined
      return node ? [{ node, links: linksOf(office, target) }] : []
    })
  const notes = ['footnote', 'endnote', 'comment'].flatMap((kind) =>
    parts(`${kind}s`).flatMap(({ node: { children }, links }) =>
      children
        .filter(({ attributes }) => attributes['type'] === undefined || attributes['type'] === 'normal')
        .map((node): [string, Part] => [`${kind} ${node.attributes['id'] ?? ''}`, { node, links }]),
    ),
  )
  const word = {
    file,
    office,
    styles: stylesOf(parts('styles')[0]?.node),
    numbering: numberingOf(parts('numbering')[0]?.node),
    links: linksOf(office, office.main),
    notes: new Map(notes),
    open: [],
    marks: 0,
    titled: 0,
  }
  return { word, margins: [...parts('header'), ...parts('footer')] }
}

/** This advice names Word, because only Word can convert embedded parts in another format. */
const saveAgain = 'Open the document in Word, save it and upload it again.'

export const readDocx = async (bytes: Uint8Array, { name, onPage }: Reading): Promise<ParsedDocument> => {
  const office = openOffice(bytes, name)
  const { word, margins } = wordOf(office, name)
  const body = child(office.part(office.main), 'body')
  const inText = titleIn(body, word)
  word.titled = inText === undefined ? 0 : 1
  const text = blocksText([
    ...marginBlocks(margins.map((part) => partText(part, word).replace(/^Image: .*$/gm, ''))),
    ...bodyBlocks(body, word),
  ])
  const foreign = below(body, 'altChunk').length > 0
  if (text === '')
    throw new Unfit(
      'no-text',
      foreign
        ? `${name} contains all its text as embedded parts in another format. ${saveAgain}`
        : `${name} contains no text. If its pages are pictures, export the document as PDF and upload the PDF, which is then read with OCR.`,
    )
  onPage?.(1, 1)
  const title = office.title ?? inText
  return {
    ...(title !== undefined && { title }),
    markup: 'markdown',
    parts: [{ text }],
    ...(foreign && { notes: [`An embedded part in another format was not read. ${saveAgain}`] }),
  }
}
