import type { ParsedDocument, ParsedPart } from '@plumbline/contracts'
import { Unfit } from '@plumbline/ports/document-parser'
import type { Reading } from '../limits'
import { altText, blocksText, diagramBlocks, paragraphBlock, wholeBlock, type Block } from '../ooxml/blocks'
import { chartBlocks } from '../ooxml/chart'
import { commentLines } from '../ooxml/comments'
import { below, child, childrenOf, type XmlNode } from '../ooxml/xml'
import { openOffice, type OfficePackage, type Relation } from '../ooxml/zip-parts'
import { escapedHeading } from '../write-markdown'
import {
  behind,
  inReadingOrder,
  layoutsOf,
  placeholderOf,
  plainText,
  tableText,
  takesBodyStyle,
  textBlocks,
  type Box,
  type Layout,
} from './shapes'

type Slide = { office: OfficePackage; relations: Relation[]; layout: Layout; file: string; footers: Set<string> }
type ShapeBlocks = { box: Box; blocks: Block[] }

const boxOf = (transform: XmlNode | undefined): Box | undefined => {
  const [at, size] = [child(transform, 'off')?.attributes, child(transform, 'ext')?.attributes]
  return at && size && { x: Number(at['x']), y: Number(at['y']), width: Number(size['cx']), height: Number(size['cy']) }
}
const nowhere: Box = { x: 0, y: 0, width: 0, height: 0 }

const placeOf = (shape: XmlNode, layout: Layout): Box =>
  behind(shape, layout).flatMap(
    (one) => boxOf(child(one, 'spPr', 'xfrm') ?? child(one, 'grpSpPr', 'xfrm') ?? child(one, 'xfrm')) ?? [],
  )[0] ?? nowhere

/** Returns true for a slide number, a date, or a header or footer that an earlier slide already had. */
const isRepeated = (shape: XmlNode, { footers }: Slide): boolean => {
  const type = placeholderOf(shape)?.type
  if (type === 'sldNum' || type === 'dt') return true
  if (type !== 'ftr' && type !== 'hdr') return false
  const text = plainText(child(shape, 'txBody'))
  const known = footers.has(text)
  footers.add(text)
  return known
}

const shapeBlocks = (shape: XmlNode, slide: Slide): Block[] => {
  if (isRepeated(shape, slide)) return []
  const styles = behind(shape, slide.layout).flatMap((one) => child(one, 'txBody', 'lstStyle') ?? [])
  return textBlocks(child(shape, 'txBody'), [
    ...styles,
    ...(takesBodyStyle(shape) && slide.layout.bodyStyle ? [slide.layout.bodyStyle] : []),
  ])
}

const frameBlocks = (frame: XmlNode, { office, relations, file }: Slide): Block[] => {
  const data = child(frame, 'graphic', 'graphicData')
  const pointed = (id: string | undefined): XmlNode | undefined => {
    const target = relations.find((relation) => relation.id === id && !relation.external)?.target
    return target === undefined ? undefined : office.part(target)
  }
  const [table, chart, diagram] = [child(data, 'tbl'), child(data, 'chart'), child(data, 'relIds')]
  const drawn = chart && pointed(chart.attributes['r:id'])
  if (table) return [wholeBlock(tableText(table, file))]
  if (drawn) return [wholeBlock(chartBlocks(drawn))]
  return diagram ? diagramBlocks(pointed(diagram.attributes['dm'])) : []
}

const placedIn = (tree: XmlNode | undefined, slide: Slide): ShapeBlocks[] =>
  tree?.children.flatMap((shape): ShapeBlocks[] => {
    const place = (blocks: Block[]): ShapeBlocks[] =>
      blocks.length === 0 ? [] : [{ box: placeOf(shape, slide.layout), blocks }]
    switch (shape.name) {
      case 'sp':
      case 'cxnSp':
        return place(shapeBlocks(shape, slide))
      case 'grpSp':
        return place(inReadingOrder(placedIn(shape, slide)).flatMap(({ blocks }) => blocks))
      case 'graphicFrame':
        return place(frameBlocks(shape, slide))
      case 'pic':
        return place(altText(child(shape, 'nvPicPr', 'cNvPr')))
      default:
        return []
    }
  }) ?? []

const isTitle = (shape: XmlNode): boolean => ['title', 'ctrTitle'].includes(placeholderOf(shape)?.type ?? '')

const slideBlocks = (part: XmlNode, slide: Slide): { title: string; blocks: Block[] } => {
  const tree = child(part, 'cSld', 'spTree')
  const titles = childrenOf(tree, 'sp').filter(isTitle)
  const rest = tree && { ...tree, children: tree.children.filter((shape) => !titles.includes(shape)) }
  const title = titles
    .map((shape) => plainText(child(shape, 'txBody')))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()
  return { title, blocks: inReadingOrder(placedIn(rest, slide)).flatMap(({ blocks }) => blocks) }
}

const notesBlocks = (part: XmlNode | undefined): Block[] => {
  const bodies = below(part, 'sp').filter((shape) => placeholderOf(shape)?.type === 'body')
  const text = bodies
    .map((shape) => plainText(child(shape, 'txBody')))
    .join('\n')
    .trim()
  return text === '' ? [] : [paragraphBlock(`Notes: ${text}`)]
}

export const readPptx = async (bytes: Uint8Array, { name, onPage }: Reading): Promise<ParsedDocument> => {
  const office = openOffice(bytes, name)
  const layoutOf = layoutsOf(office)
  const byId = new Map(office.relations(office.main).map(({ id, target }) => [id, target]))
  const slides = childrenOf(child(office.part(office.main), 'sldIdLst'), 'sldId').flatMap(
    ({ attributes }) => byId.get(attributes['r:id'] ?? '') ?? [],
  )
  const footers = new Set<string>()
  const empty: number[] = []
  const parts = slides.flatMap((path, at): ParsedPart[] => {
    const part = office.part(path)
    const relations = office.relations(path)
    const notes = relations.find(({ type }) => type === 'notesSlide')?.target
    const { title, blocks } = part
      ? slideBlocks(part, { office, relations, layout: layoutOf(path), file: name, footers })
      : { title: '', blocks: [] }
    const text = blocksText([
      ...(title === '' ? [] : [wholeBlock(`## ${escapedHeading(title)}`)]),
      ...blocks,
      ...(notes === undefined ? [] : notesBlocks(office.part(notes))),
      ...commentLines(office, relations).map(wholeBlock),
    ])
    onPage?.(at + 1, slides.length)
    if (text === '') empty.push(at + 1)
    return text === '' ? [] : [{ page: at + 1, text }]
  })
  if (parts.length === 0)
    throw new Unfit(
      'no-text',
      `${name} has no text on any of its ${slides.length} slides. If the slides are pictures, export the presentation as PDF and upload the PDF, which is then read with OCR.`,
    )
  const notes = empty.length > 0 ? [`There is no text on slides ${empty.join(', ')}.`] : undefined
  return {
    ...(office.title !== undefined && { title: office.title }),
    markup: 'markdown',
    parts,
    pages: slides.length,
    ...(notes && { notes }),
  }
}
